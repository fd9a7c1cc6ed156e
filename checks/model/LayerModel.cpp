//===-- LayerModel.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/model/LayerModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using llvm::StringRef;

namespace tensorleak {

bool LayerKind::hasOption(StringRef Name) const {
  return llvm::is_contained(Positional, Name) ||
         llvm::any_of(Defaults, [&](const auto &Each) { return Each.first == Name; });
}

unsigned spatialDimensions(StringRef Name) {
  if (!Name.consume_back("d") || Name.empty() || !llvm::isDigit(Name.back()))
    return 0;
  return Name.back() - '0';
}

namespace {

struct LayerTables {
  llvm::StringMap<LayerKind> ByClass;
  llvm::SmallVector<const LayerKind *, 32> InOrder;

  LayerTables();
  void add(StringRef Names, ShapeRule Rule, StringRef Options, StringRef Defaults);
};

LayerKind makeKind(ShapeRule Rule, StringRef Options, StringRef Defaults) {
  LayerKind Kind;
  Kind.Rule = Rule;
  Options.split(Kind.Positional, ' ', -1, /*KeepEmpty=*/false);
  llvm::SmallVector<StringRef, 6> Pairs;
  Defaults.split(Pairs, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef Pair : Pairs)
    Kind.Defaults.push_back(Pair.split('='));
  return Kind;
}

void LayerTables::add(StringRef Names, ShapeRule Rule, StringRef Options, StringRef Defaults) {
  llvm::SmallVector<StringRef, 16> List;
  Names.split(List, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef Name : List) {
    LayerKind &Kind = ByClass[Name] = makeKind(Rule, Options, Defaults);
    Kind.Spatial = spatialDimensions(Name);
    InOrder.push_back(&Kind);
  }
}

LayerTables::LayerTables() {
#define LAYER(Names, Rule, Options, Defaults) add(Names, ShapeRule::Rule, Options, Defaults);
#include "checks/model/Shapes.def"
}

const LayerTables &layers() {
  static const LayerTables Tables;
  return Tables;
}

} // namespace

const LayerKind *layerKind(StringRef Class) {
  auto It = layers().ByClass.find(Class);
  return It == layers().ByClass.end() ? nullptr : &It->second;
}

const LayerKind *layerKindLike(ShapeRule Rule) {
  auto It = llvm::find_if(layers().InOrder, [&](const LayerKind *K) { return K->Rule == Rule; });
  return It == layers().InOrder.end() ? nullptr : *It;
}

} // namespace tensorleak
