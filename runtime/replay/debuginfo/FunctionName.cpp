//===-- FunctionName.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/debuginfo/FunctionName.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <dwarf.h>
#include <iterator>
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

/// Where the parameters begin: of "f<void ()>(int)" at "(int)".
static size_t startOfParameters(const std::string &Full) {
  size_t At = Full.rfind(')');
  if (At == std::string::npos)
    return Full.size();
  for (int Depth = 0; At > 0; --At) {
    Depth += (Full[At] == ')') - (Full[At] == '(');
    if (Depth == 0)
      return At;
  }
  return Full.size();
}

std::string symbolName(const std::string &Symbol) {
  std::string Full = demangled(Symbol);
  if (Full.empty())
    return Symbol;
  size_t End = startOfParameters(Full), Start = startOfName(Full, End);
  return Full.substr(Start, End - Start);
}

bool isLibraryFunction(std::string_view Symbol) {
  constexpr std::string_view Namespaces[] = {"2at",        "3c10", "5torch", "6caffe2",
                                             "9__gnu_cxx", "St",   "Sa",     "Ss"};
  for (std::string_view Start : {"_ZNK", "_ZN", "_Z"}) {
    if (Symbol.substr(0, Start.size()) != Start)
      continue;
    std::string_view Rest = Symbol.substr(Start.size());
    return std::any_of(std::begin(Namespaces), std::end(Namespaces),
                       [Rest](std::string_view N) { return Rest.substr(0, N.size()) == N; });
  }
  return false;
}

} // namespace tensorleak
