//===-- RecordKeys.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/records/keys/RecordKeys.h"

#include "checks/model/ClassNames.h"
#include "checks/model/boxes/Boxes.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

/// The handle for which a member owns the memory: `std::unique_ptr<cudaStream_t> stream`.
static bool isBehindOwner(const PathTable &Paths, PathId P) {
  const Step &Above = Paths.last(Paths.parent(P));
  return Above.What == Step::Field && isOwningPointer(Above.Decl->getType()) &&
         boxKind(Above.Decl->getType()) != BoxKind::None;
}

/// Of a library's C struct, such as the pointer in a cudaPitchedPtr: what is taken and given back
/// is the whole.
static bool isPartOfWhole(const ValueDecl &Field) {
  const auto *Class = dyn_cast<CXXRecordDecl>(Field.getDeclContext());
  return Class && Class->isCLike() && isInLibraryHeader(*Class);
}

/// What \p P leads to by its own name; \p Local gets the variable of the function's own that points
/// to it as to an array, if any.
static std::optional<RecordKey> keyByName(const ResourceFacts &Facts, PathId P,
                                          const VarDecl *&Local) {
  RecordKey Key;
  if (Facts.Paths.last(P).What == Step::Star && isBehindOwner(Facts.Paths, P))
    P = Facts.Paths.parent(P);
  for (; Facts.Paths.last(P).What != Step::Root; P = Facts.Paths.parent(P)) {
    const Step &Last = Facts.Paths.last(P);
    if (Last.What == Step::Star && Key.Chain.empty()) {
      if (Key.IsBehind)
        return std::nullopt;
      Key.IsBehind = true;
      continue;
    }
    const bool IsOther = Last.What == Step::Field && Last.Decl->getType()->isReferenceType();
    if (Last.What == Step::Star || (IsOther && !Key.Chain.empty()))
      break; // a part of what somebody else may own
    if (Last.What == Step::Field && !isPartOfWhole(*Last.Decl))
      Key.Chain.insert(Key.Chain.begin(), Last.Decl);
  }
  if (!Key.Chain.empty()) {
    Key.Owner = cast<FieldDecl>(Key.Chain.front())->getParent();
    return Key;
  }
  const auto *V = dyn_cast_or_null<VarDecl>(Facts.Paths.last(P).Decl);
  if (Facts.Paths.last(P).What != Step::Root || !V || !V->hasGlobalStorage()) {
    Local = Key.IsBehind ? V : nullptr;
    return std::nullopt;
  }
  Key.Owner = V;
  return Key;
}

/// `float **each = buffers_; cudaFree(each[0]);`
std::optional<RecordKey> keyOf(const ResourceFacts &Facts, PathId P) {
  const VarDecl *Local = nullptr, *Another = nullptr;
  if (auto Key = keyByName(Facts, P, Local))
    return Key;
  auto Named = Local ? Facts.OtherNames.find(Local) : Facts.OtherNames.end();
  auto Key =
      Named != Facts.OtherNames.end() ? keyByName(Facts, Named->second, Another) : std::nullopt;
  if (!Key || Key->IsBehind)
    return std::nullopt;
  Key->IsBehind = true;
  return Key;
}

std::string RecordKey::text() const {
  std::string Text;
  for (const ValueDecl *D : Chain)
    Text += (Text.empty() ? "" : ".") + D->getNameAsString();
  return IsBehind ? Text + "[]" : Text;
}

/// What the template's body does to the members of its own object.
static bool mayTouch(const Stmt &Body, llvm::ArrayRef<const ValueDecl *> Chain) {
  auto IsName = [&](DeclarationName Name) {
    return llvm::any_of(Chain, [&](const ValueDecl *D) { return D->getDeclName() == Name; });
  };
  return mentions(&Body, [&](const Expr &E) {
    if (const auto *Member = dyn_cast<MemberExpr>(&E))
      return IsName(Member->getMemberDecl()->getDeclName());
    if (const auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(&E))
      return IsName(Member->getMember());
    const auto *This = dyn_cast<CXXThisExpr>(&E);
    return This && !This->isImplicit();
  });
}

bool allMethodsSeen(const CXXRecordDecl &Class, llvm::ArrayRef<const ValueDecl *> Chain) {
  return llvm::all_of(Class.methods(), [&](const CXXMethodDecl *M) {
    if (isSeenHere(*M))
      return true;
    const FunctionDecl *Pattern = M->getTemplateInstantiationPattern();
    const Stmt *Body = Pattern ? Pattern->getBody() : nullptr;
    return Body && !isa<CXXDestructorDecl>(M) && !mayTouch(*Body, Chain);
  });
}

llvm::SmallVector<RecordKey, 2> keysWithin(const RecordKey &Key) {
  llvm::SmallVector<RecordKey, 2> Keys;
  for (size_t I = isa<RecordDecl>(Key.Owner) ? 1 : 0; I < Key.Chain.size(); ++I) {
    const auto *Field = dyn_cast<FieldDecl>(Key.Chain[I]);
    if (Field && !Field->isInStdNamespace())
      Keys.push_back({Field->getParent(), {Key.Chain.begin() + I, Key.Chain.end()}, Key.IsBehind});
  }
  return Keys;
}

} // namespace tensorleak
