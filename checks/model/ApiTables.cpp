//===-- ApiTables.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/model/ApiTables.h"

#include "checks/model/mutation/Mutation.h"
#include "llvm/ADT/SmallVector.h"

using llvm::StringRef;

namespace tensorleak {

static llvm::SmallVector<StringRef, 16> wordsOf(StringRef Names) {
  llvm::SmallVector<StringRef, 16> List;
  Names.split(List, ' ', -1, /*KeepEmpty=*/false);
  return List;
}

/// \p Scope is what the names stand in: empty, or it ends in "::".
static void addAll(EffectMap &Map, llvm::StringRef Scope, StringRef Names, Does What,
                   uint32_t Traits) {
  for (StringRef Name : wordsOf(Names)) {
    if (mutation::changes("LibTorch", Scope + Name)) {
      if (What != Does::Nothing)
        Map.try_emplace(Name);
      continue;
    }
    auto It = Map.try_emplace(Name, Effect{What, Traits, {}}).first;
    It->second.Name = It->first();
    if (What == Does::InPlace)
      It->second.Shape = ShapeRule::Same;
  }
}

Tables::Tables() {
#define OPS(What, Traits, Names) addAll(Ops, "", Names, Does::What, Traits);
#define METHODS(Class, What, Traits, Names)                                                        \
  addAll(Methods[Class], Class "::", Names, Does::What, Traits);
#define FUNCTIONS(Space, What, Traits, Names)                                                      \
  addAll(Functions[Space], Space "::", Names, Does::What, Traits);
#define GUARD(Class, Kind)                                                                         \
  if (!mutation::changes("LibTorch", Class))                                                       \
    Guards[Class] = Guard::Kind;
#define FIELD(Class, Names, Kind)                                                                  \
  for (StringRef Name : wordsOf(Names))                                                            \
    if (!mutation::changes("LibTorch", Class "::" + Name))                                         \
      Fields[(Class "::" + Name).str()] = FieldKind::Kind;
#define STARTS_THREAD(Names)                                                                       \
  for (StringRef Name : wordsOf(Names))                                                            \
    if (!mutation::changes("LibTorch", "thread " + Name))                                          \
      Threads.insert(Name);
#define PARAMETERLESS_MODULES(Names)                                                               \
  for (StringRef Name : wordsOf(Names))                                                            \
    if (!mutation::changes("LibTorch", "parameterless " + Name))                                   \
      ParameterlessModules.insert(Name);
#include "checks/model/LibTorch.def"
#define SHAPE(Rule, Names)                                                                         \
  for (StringRef Name : wordsOf(Names))                                                            \
    Shapes[Name] = ShapeRule::Rule;
#include "checks/model/Shapes.def"
}

const Tables &tables() {
  static const Tables T;
  return T;
}

std::optional<Effect> lookUp(const EffectMap &Map, StringRef Name) {
  auto It = Map.find(Name);
  if (It == Map.end())
    return std::nullopt;
  return It->second;
}

} // namespace tensorleak
