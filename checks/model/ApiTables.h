//===-- ApiTables.h - LibTorch.def, indexed -------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_MODEL_APITABLES_H
#define TENSORLEAK_CHECKS_MODEL_APITABLES_H

#include "checks/model/ApiModel.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tensorleak {

using EffectMap = llvm::StringMap<Effect>;

/// LibTorch.def, indexed.
struct Tables {
  EffectMap Ops;                          ///< op name -> effect
  llvm::StringMap<EffectMap> Methods;     ///< class -> method -> effect
  llvm::StringMap<EffectMap> Functions;   ///< namespace -> function -> effect
  llvm::StringMap<Guard> Guards;          ///< class -> guard
  llvm::StringMap<FieldKind> Fields;      ///< qualified name -> kind
  llvm::StringSet<> Threads;              ///< qualified names of what starts one
  llvm::StringSet<> ParameterlessModules; ///< class names in torch::nn, without Impl
  llvm::StringMap<ShapeRule> Shapes;      ///< op name -> the shape of its result

  Tables();
};

const Tables &tables();

std::optional<Effect> lookUp(const EffectMap &Map, llvm::StringRef Name);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_MODEL_APITABLES_H
