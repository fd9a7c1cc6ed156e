//===-- FunctionName.h - A function's name for people ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_FUNCTIONNAME_H
#define TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_FUNCTIONNAME_H

#include <elfutils/libdw.h>
#include <string>
#include <string_view>

namespace tensorleak {

inline bool startsWith(std::string_view Text, std::string_view Prefix) {
  return Text.substr(0, Prefix.size()) == Prefix;
}

/// The readable form of a mangled name; "" if it is none.
std::string demangled(const std::string &Mangled);

/// "Trainer::step": the qualified name without parameters, of a function or of
/// an inlined copy of one; "" if it has none.
std::string functionName(Dwarf_Die &Function);

/// The same of a symbol: the demangled name without parameters, or the symbol itself.
std::string symbolName(const std::string &Symbol);

/// Whether a symbol belongs to the namespaces of LibTorch or of the standard library, whose
/// headers put functions into every program.
bool isLibraryFunction(std::string_view Symbol);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_FUNCTIONNAME_H
