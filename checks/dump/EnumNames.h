//===-- EnumNames.h - Enumerators by the name that the code gives them -----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler spells them, so that no list beside an enum has to be kept up to date.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DUMP_ENUMNAMES_H
#define TENSORLEAK_CHECKS_DUMP_ENUMNAMES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/TypeName.h"
#include <array>
#include <utility>

namespace tensorleak {

/// Numbers without an enumerator have a name that is no identifier, as "(Trait)4".
template <auto Enumerator> llvm::StringRef enumeratorName() {
  llvm::StringRef Type =
      llvm::getTypeName<std::integral_constant<decltype(Enumerator), Enumerator>>();
  size_t Begin = Type.find_last_of(" :)") + 1;
  return Type.slice(Begin, Type.rfind('>'));
}

template <typename Enum, size_t... Numbers>
std::array<llvm::StringRef, sizeof...(Numbers)> enumNames(std::index_sequence<Numbers...>) {
  return {enumeratorName<Enum(Numbers)>()...};
}

/// The name of \p E, one of the first 64.
template <typename Enum> llvm::StringRef enumName(Enum E) {
  static const auto Names = enumNames<Enum>(std::make_index_sequence<64>());
  return Names[size_t(E)];
}

/// The names of the bits that are set in \p Bits, with a space between.
template <typename Flag, size_t... Numbers>
std::string flagNames(uint64_t Bits, std::index_sequence<Numbers...>) {
  static const std::array<llvm::StringRef, sizeof...(Numbers)> Names = {
      enumeratorName<Flag(1u << Numbers)>()...};
  std::string Out;
  for (size_t I = 0; I < Names.size(); ++I)
    if (Bits & (uint64_t(1) << I))
      Out += (Out.empty() ? "" : " ") + Names[I].str();
  return Out;
}

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DUMP_ENUMNAMES_H
