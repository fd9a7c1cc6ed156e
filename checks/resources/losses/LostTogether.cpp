//===-- LostTogether.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/losses/LostTogether.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace tensorleak {
namespace {

/// An ordinary way out weighs most, one that only a failed call takes least.
unsigned weight(const LostTogether &L) {
  return L.When == After::Anything ? 3 : L.When == After::FailedCall ? 0 : L.Unhandled ? 1 : 2;
}

class Grouping {
public:
  Grouping(const FunctionResources &F, llvm::ArrayRef<const LostResource *> Lost) : F(F) {
    for (const LostResource *L : Lost)
      if (auto Ways = worstExits(*L); !Ways.empty())
        Left.emplace_back(L, std::move(Ways));
  }

  std::vector<LostTogether> run() {
    std::vector<LostTogether> Out;
    while (!Left.empty())
      Out.push_back(takeLargest());
    return Out;
  }

private:
  using Ways = std::vector<LostTogether>;

  static Ways worstExits(const LostResource &L);
  LostTogether takeLargest();
  bool comesBefore(const LostResource *A, const LostResource *B) const;

  const FunctionResources &F;
  std::vector<std::pair<const LostResource *, Ways>> Left;
};

static LostTogether wayOut(const LostResource &L, const ResourceExit &Exit) {
  bool IsFailure = Exit.When != After::Anything || Exit.NobodyCatches;
  bool Unhandled = Exit.Throws && L.How != LostResource::Thrown && IsFailure;
  return {Exit, Exit.When, Unhandled, {}};
}

Grouping::Ways Grouping::worstExits(const LostResource &L) {
  Ways Worst;
  for (const ResourceExit &Exit : L.Exits) {
    LostTogether Way = wayOut(L, Exit);
    if (!Worst.empty() && weight(Way) > weight(Worst.front()))
      Worst.clear();
    if (Worst.empty() || weight(Way) == weight(Worst.front()))
      Worst.push_back(std::move(Way));
  }
  return Worst;
}

bool Grouping::comesBefore(const LostResource *A, const LostResource *B) const {
  const SourceManager &Sources = F.Facts.Function->getASTContext().getSourceManager();
  return Sources.isBeforeInTranslationUnit(F.Facts.Sites[A->Site].Call->getExprLoc(),
                                           F.Facts.Sites[B->Site].Call->getExprLoc());
}

/// The way out that loses most of what is left; of several the first.
LostTogether Grouping::takeLargest() {
  llvm::MapVector<const Stmt *, LostTogether> ByExit;
  for (const auto &[L, Worst] : Left)
    for (const LostTogether &Way : Worst)
      ByExit.try_emplace(Way.Exit.At, Way).first->second.Lost.push_back(L);
  LostTogether Largest = llvm::max_element(ByExit, [](const auto &A, const auto &B) {
                           return A.second.Lost.size() < B.second.Lost.size();
                         })->second;
  llvm::erase_if(Left,
                 [&](const auto &Each) { return llvm::is_contained(Largest.Lost, Each.first); });
  llvm::stable_sort(Largest.Lost, [&](auto *A, auto *B) { return comesBefore(A, B); });
  return Largest;
}

} // namespace

std::vector<LostTogether> lostTogether(const FunctionResources &F,
                                       llvm::ArrayRef<const LostResource *> Lost) {
  return Grouping(F, Lost).run();
}

} // namespace tensorleak
