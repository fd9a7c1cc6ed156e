//===-- ResourcePaths.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourcePaths.h"

#include "clang/AST/DeclCXX.h"
#include <limits>

using namespace clang;

namespace tensorleak {

PathId PathTable::intern(PathId Parent, Step S) {
  auto [It, New] = Index.try_emplace({Parent, S}, Nodes.size());
  if (New) {
    bool Exact = (Parent == NoPath || Nodes[Parent].Exact) && S.Index != Step::Any;
    Nodes.push_back({Parent, S, Parent == NoPath ? 0 : Nodes[Parent].Depth + 1, Exact});
  }
  return It->second;
}

bool PathTable::isOnePlace(PathId Base, const ValueDecl &Field) const {
  if (Base == NoPath)
    return false;
  const auto *Class = dyn_cast<CXXRecordDecl>(Field.getDeclContext());
  const Step &Last = Nodes[Base].Last;
  return Last.What == Step::Elem && Last.Index == Step::Any && Class && Class->isInStdNamespace();
}

PathId PathTable::extend(PathId Base, llvm::ArrayRef<Step> Steps) {
  for (const Step &S : Steps)
    Base = extend(Base, S);
  return Base;
}

PathId PathTable::rootOf(PathId P) const {
  while (Nodes[P].Parent != NoPath)
    P = Nodes[P].Parent;
  return P;
}

llvm::SmallVector<Step, 4> PathTable::steps(PathId P) const {
  llvm::SmallVector<Step, 4> Out;
  for (; Nodes[P].Parent != NoPath; P = Nodes[P].Parent)
    Out.insert(Out.begin(), Nodes[P].Last);
  return Out;
}

bool PathTable::isAtOrBelow(PathId P, PathId Above) const {
  while (P != NoPath && Nodes[P].Depth > Nodes[Above].Depth)
    P = Nodes[P].Parent;
  return P != NoPath && mayEqual(P, Above);
}

static bool mayEqualStep(const Step &A, const Step &B) {
  if (A.What != B.What || A.Decl != B.Decl)
    return false;
  return A.Index == B.Index || A.Index == Step::Any || B.Index == Step::Any;
}

bool PathTable::mayEqual(PathId A, PathId B) const {
  if (Nodes[A].Depth != Nodes[B].Depth)
    return false;
  for (; A != B; A = Nodes[A].Parent, B = Nodes[B].Parent)
    if (A == NoPath || B == NoPath || !mayEqualStep(Nodes[A].Last, Nodes[B].Last))
      return false;
  return true;
}

bool PathTable::isElementOfOne(PathId P) const {
  while (Nodes[P].Last.What == Step::Field && !Nodes[P].Exact)
    P = Nodes[P].Parent;
  return Nodes[P].Last.Index == Step::Any && Nodes[P].Parent != NoPath &&
         Nodes[Nodes[P].Parent].Exact;
}

PathId PathTable::moved(PathId P, std::optional<int64_t> By) {
  const Step Last = Nodes[P].Last;
  if (Last.What != Step::Elem && Last.What != Step::Star)
    return P; // a pointer to a single object
  if (By == 0)
    return P;
  bool IsKnown = By && Last.Index != Step::Any && Last.Index + *By >= 0;
  return extend(Nodes[P].Parent, {Last.What, nullptr, IsKnown ? Last.Index + *By : Step::Any, {}});
}

/// The name of a part in `auto [data, bytes] = made();`; null for other paths.
static const BindingDecl *bindingOf(const Step &Whole, const Step &Part) {
  const auto *D = dyn_cast_or_null<DecompositionDecl>(Whole.Decl);
  const auto *Field = dyn_cast_or_null<FieldDecl>(Part.Decl);
  const unsigned I = Field ? Field->getFieldIndex() : unsigned(Part.Index);
  bool IsPart = D && (Field || Part.What == Step::Held) && I < D->bindings().size();
  return IsPart ? D->bindings()[I] : nullptr;
}

static std::string keyText(const Step &S) {
  if (!S.Key.empty())
    return (llvm::Twine('"') + S.Key + "\"").str();
  bool IsNumber = S.Index != Step::Any && S.Index <= std::numeric_limits<int>::max();
  return IsNumber ? std::to_string(S.Index) : ""; // else a text of another file
}

std::string PathTable::text(PathId P) const {
  const Node &N = Nodes[P];
  if (N.Parent == NoPath)
    return N.Last.Decl ? N.Last.Decl->getNameAsString() : "";
  if (const BindingDecl *Name = bindingOf(Nodes[N.Parent].Last, N.Last))
    return Name->getNameAsString();
  std::string Base = text(N.Parent);
  if (N.Last.What == Step::Field) {
    bool Through = Nodes[N.Parent].Last.What == Step::Star && Nodes[N.Parent].Last.Index == 0;
    std::string Name = N.Last.Decl->getNameAsString();
    return Base.empty() ? Name
           : Through    ? text(Nodes[N.Parent].Parent) + "->" + Name
                        : Base + "." + Name;
  }
  if (N.Last.What == Step::Data)
    return Base;
  bool IsFirst = N.Last.What == Step::Star || N.Last.What == Step::Held;
  if (IsFirst && N.Last.Index == 0)
    return "*" + Base;
  return Base + "[" + keyText(N.Last) + "]";
}

} // namespace tensorleak
