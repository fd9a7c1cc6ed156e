//===-- LateRelease.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/unfreed-device-memory/LateRelease.h"

#include "checks/resources/facts/ResourceGenerator.h"
#include "clang/AST/ParentMap.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace tensorleak {
namespace {

/// What a mention of a variable does to the buffer.
enum class Mention : uint8_t { Take, Fill, Use, Free, Other };

class Mentions : public RecursiveASTVisitor<Mentions> {
public:
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl()))
      Of[V].push_back(Ref);
    return true;
  }
  llvm::DenseMap<const VarDecl *, std::vector<const DeclRefExpr *>> Of;
};

class LateReleaseFinder {
public:
  LateReleaseFinder(const FunctionResources &F, const ResourceModel &Model)
      : Facts(F.Facts), Model(Model), Parents(F.Facts.Function->getBody()) {
    All.TraverseStmt(F.Facts.Function->getBody());
    unsigned Position = 0;
    for (const Stmt *S : F.Facts.Function->getBody()->children())
      PositionOf[S] = Position++;
  }
  std::vector<BufferLife> lives(int64_t MinBytes) const;

private:
  std::optional<BufferLife> lifeOf(const VarDecl &V, SiteId Site) const;
  Mention mentionOf(const DeclRefExpr &Ref, SiteId Site) const;
  unsigned positionOf(const Stmt *S) const;

  const ResourceFacts &Facts;
  const ResourceModel &Model;
  ParentMap Parents;
  Mentions All;
  llvm::DenseMap<const Stmt *, unsigned> PositionOf;
};

unsigned LateReleaseFinder::positionOf(const Stmt *S) const {
  for (; S; S = Parents.getParent(S))
    if (auto It = PositionOf.find(S); It != PositionOf.end())
      return It->second;
  return 0;
}

/// The call may keep a pointer: in what it makes, as a descriptor or a texture object, or in an
/// object that outlives the function, as a texture that memory is bound to.
static bool mayKeepPointers(const CallExpr &Call, llvm::ArrayRef<ResourceEffect> Effects) {
  auto Takes = [](const ResourceEffect &E) {
    return E.What == ResourceEffect::Out || E.What == ResourceEffect::Result ||
           E.What == ResourceEffect::Attach;
  };
  auto Outlives = [](const Expr *Arg) {
    const auto *Ref = dyn_cast<DeclRefExpr>(bare(Arg));
    const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return V && V->hasGlobalStorage() && V->getType()->isRecordType();
  };
  return llvm::any_of(Effects, Takes) ||
         (!isa<CUDAKernelCallExpr>(Call) && llvm::any_of(Call.arguments(), Outlives));
}

Mention LateReleaseFinder::mentionOf(const DeclRefExpr &Ref, SiteId Site) const {
  const Stmt *Child = &Ref;
  const Stmt *P = Parents.getParent(Child);
  while (isa_and_nonnull<CastExpr, ParenExpr, UnaryOperator>(P) ||
         (isa_and_nonnull<BinaryOperator>(P) && cast<BinaryOperator>(P)->isAdditiveOp())) {
    Child = P;
    P = Parents.getParent(P);
  }
  const auto *Call = dyn_cast_or_null<CallExpr>(P);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Call || Call == Facts.Sites[Site].Call)
    return Call ? Mention::Take : Mention::Other;
  auto Effects = Callee ? Model.effectsOf(*Callee) : llvm::ArrayRef<ResourceEffect>();
  if (mayKeepPointers(*Call, Effects))
    return Mention::Other;
  bool IsFirst = Call->getNumArgs() && Call->getArg(0) == Child;
  for (const ResourceEffect &E : Effects) {
    if (E.What == ResourceEffect::Free && IsFirst)
      return Mention::Free;
    if (E.What == ResourceEffect::Fill && IsFirst)
      return Mention::Fill;
  }
  return isa<UnaryOperator>(bare(cast<Expr>(Child))) ? Mention::Other : Mention::Use;
}

/// Nothing when the pointer is more than the name of this one buffer.
std::optional<BufferLife> LateReleaseFinder::lifeOf(const VarDecl &V, SiteId Site) const {
  BufferLife Life{
      &V,      Site,   *Facts.Sites[Site].Bytes, positionOf(Facts.Sites[Site].Call), ~0u, 0, 0,
      nullptr, nullptr};
  auto Refs = All.Of.find(&V);
  if (Refs == All.Of.end())
    return std::nullopt;
  for (const DeclRefExpr *Ref : Refs->second) {
    unsigned Position = positionOf(Ref);
    switch (mentionOf(*Ref, Site)) {
    case Mention::Take:
      break;
    case Mention::Other:
      return std::nullopt;
    case Mention::Free:
      if (Life.FreedAt)
        return std::nullopt;
      Life.Freed = Position;
      Life.FreedAt = Ref;
      break;
    case Mention::Use:
      Life.FirstUse = std::min(Life.FirstUse, Position);
      [[fallthrough]];
    case Mention::Fill:
      if (Position >= Life.LastUse)
        Life.LastUseAt = Ref;
      Life.LastUse = std::max(Life.LastUse, Position);
    }
  }
  bool Straight = Life.FreedAt && Life.FirstUse != ~0u && Life.Taken < Life.FirstUse &&
                  Life.LastUse < Life.Freed;
  return Straight ? std::optional(Life) : std::nullopt;
}

std::vector<BufferLife> LateReleaseFinder::lives(int64_t MinBytes) const {
  std::vector<BufferLife> Out;
  for (const auto &Block : Facts.Blocks)
    for (const ResourceEvent &E : Block) {
      if (E.Kind != ResourceEventKind::Acquire || E.Path == NoPath)
        continue;
      const Site &S = Facts.Sites[E.Site];
      const Step &Last = Facts.Paths.last(E.Path);
      const auto *V = Last.What == Step::Root ? dyn_cast_or_null<VarDecl>(Last.Decl) : nullptr;
      if (V && Facts.isOwnVariable(V) && (only(S.What) & deviceMemory()) &&
          S.Bytes.value_or(0) >= MinBytes)
        if (auto Life = lifeOf(*V, E.Site))
          Out.push_back(*Life);
    }
  llvm::sort(Out, [](const BufferLife &A, const BufferLife &B) { return A.Taken < B.Taken; });
  return Out;
}

} // namespace

int64_t LateRelease::saved() const {
  int64_t Kept = 0;
  for (const BufferLife &Each : Dead)
    Kept += Each.Bytes;
  return std::min(Kept, Waiting.Bytes);
}

std::optional<LateRelease> findLateRelease(const FunctionResources &F, const ResourceModel &Model,
                                           int64_t MinBytes) {
  if (F.HasErrors || !isa<CompoundStmt>(F.Facts.Function->getBody()))
    return std::nullopt;
  std::vector<BufferLife> Lives = LateReleaseFinder(F, Model).lives(std::max<int64_t>(MinBytes, 1));
  for (const BufferLife &Waiting : Lives) {
    LateRelease Found{Waiting, {}};
    for (const BufferLife &Other : Lives)
      if (Other.LastUse < Waiting.FirstUse && Waiting.Taken < Other.Freed &&
          Waiting.FirstUse < Other.Freed)
        Found.Dead.push_back(Other);
    if (!Found.Dead.empty())
      return Found;
  }
  return std::nullopt;
}

} // namespace tensorleak
