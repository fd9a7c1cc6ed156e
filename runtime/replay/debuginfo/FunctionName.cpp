//===-- FunctionName.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/debuginfo/FunctionName.h"

#include <cstdlib>
#include <cxxabi.h>
#include <dwarf.h>
#include <memory>

namespace tensorleak {

std::string demangled(const std::string &Mangled) {
  int Status = 0;
  std::unique_ptr<char, void (*)(void *)> Text(
      abi::__cxa_demangle(Mangled.c_str(), nullptr, nullptr, &Status), std::free);
  return Status == 0 ? Text.get() : "";
}

/// Where the qualified name that ends at \p At begins: "int shop::twice<int>" has
/// its return type in front, "(anonymous namespace)::" a blank inside.
static size_t startOfName(const std::string &Full, size_t At) {
  int Depth = 0;
  for (; At > 0; --At) {
    char Before = Full[At - 1];
    Depth += (Before == '>' || Before == ')') - (Before == '<' || Before == '(');
    if (Before == ' ' && Depth == 0)
      break;
  }
  return At;
}

std::string functionName(Dwarf_Die &Function) {
  const char *Short = dwarf_diename(&Function);
  std::string Name = Short ? Short : "";
  Dwarf_Attribute Attribute;
  const char *Mangled =
      dwarf_formstring(dwarf_attr_integrate(&Function, DW_AT_linkage_name, &Attribute));
  if (!Mangled || Name.empty())
    return Name;
  // The scope stands before the short name in the demangled one; what follows
  // are template arguments and parameters, which help nobody in a report.
  std::string Full = demangled(Mangled);
  size_t At = Full.rfind(Name + "(");
  if (At == std::string::npos)
    return Name;
  size_t Start = startOfName(Full, At);
  return Full.substr(Start, At + Name.size() - Start);
}

} // namespace tensorleak
