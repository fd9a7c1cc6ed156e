//===-- FunctionName.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/FunctionName.h"

#include <cstdlib>
#include <cxxabi.h>
#include <dwarf.h>
#include <memory>

namespace tensorleak {

static std::string demangled(const char *Mangled) {
  int Status = 0;
  std::unique_ptr<char, void (*)(void *)> Text(
      abi::__cxa_demangle(Mangled, nullptr, nullptr, &Status), std::free);
  return Status == 0 ? Text.get() : "";
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
  return At == std::string::npos ? Name : Full.substr(0, At + Name.size());
}

} // namespace tensorleak
