//===-- Globs.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/Globs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace tensorleak {

GlobList::GlobList(StringRef Globs) : Text(std::make_shared<std::string>(Globs)) {
  SmallVector<StringRef> Parts;
  StringRef(*Text).split(Parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    Part = Part.trim();
    bool Positive = !Part.consume_front("-");
    if (Expected<GlobPattern> Pattern = GlobPattern::create(Part))
      Items.push_back({Positive, std::move(*Pattern)});
    else
      consumeError(Pattern.takeError());
  }
}

bool GlobList::contains(StringRef Name) const {
  for (const Item &I : reverse(Items))
    if (I.Pattern.match(Name))
      return I.Positive;
  return false;
}

} // namespace tensorleak
