//===-- ResourceTorch.cpp - Calls of LibTorch that take or hand out memory --===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/resources/facts/calls/Deleters.h"

#include "checks/Budgets.h"
#include "checks/model/ClassNames.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

static bool isCallable(QualType T) {
  const auto *R = T->getAsCXXRecordDecl();
  return T->isFunctionType() || T->isFunctionPointerType() ||
         (R && (R->isLambda() ||
                (R->isInStdNamespace() && R->getIdentifier() && R->getName() == "function")));
}

/// `[](void *) {}`. What a lambda keeps may own the memory.
static bool freesNothing(const Expr *Deleter) {
  const Expr *E = bare(Deleter);
  for (auto *Made = dyn_cast<CXXConstructExpr>(E); Made && Made->getNumArgs() == 1;
       Made = dyn_cast<CXXConstructExpr>(E))
    E = bare(Made->getArg(0)); // a std::function of it
  const auto *Lambda = dyn_cast<LambdaExpr>(E);
  return doesNothing(*E) && !(Lambda && Lambda->capture_size());
}

/// Of from_blob: what frees the memory when the tensor dies.
static bool hasDeleter(const CallExpr &Call) {
  return llvm::any_of(Call.arguments(), [](const Expr *Arg) {
    return isCallable(strip(Arg)->getType().getNonReferenceType()) && !freesNothing(Arg);
  });
}

static const ValueDecl *objectOf(const CXXMemberCallExpr &Call) {
  return variableOrMember(bare(Call.getImplicitObjectArgument()));
}

/// `list.push_back(p.get()); p.release();`, but not `cudaMemset(p.get(), 0, n); p.release();`.
bool ResourceGenerator::isAlsoGot(const CallExpr &Release) const {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&Release);
  const ValueDecl *Owner = Call ? objectOf(*Call) : nullptr;
  llvm::SmallPtrSet<const Expr *, 8> Used;
  return Owner && anyBelow(Out->Function->getBody(), [&](const Stmt &S) {
           const auto *Other = dyn_cast<CallExpr>(&S);
           for (unsigned I = 0; Other && I < Other->getNumArgs(); ++I)
             if (usesArguments(*Other) || onlyUsesArgument(*Other, I))
               Used.insert(bare(Other->getArg(I)));
           const auto *Get = dyn_cast<CXXMemberCallExpr>(&S);
           return Get && Get != Call && Get->getNumArgs() == 0 && !Used.count(Get) &&
                  Get->getType()->isPointerType() && objectOf(*Get) == Owner;
         });
}

/// A kernel, or a call of the device that neither keeps nor frees what it is given; a callback may.
bool ResourceGenerator::usesArguments(const CallExpr &Call) const {
  const FunctionDecl *Callee = Call.getDirectCallee();
  auto IsCallback = [](const ParmVarDecl *P) { return P->getType()->isFunctionPointerType(); };
  return isa<CUDAKernelCallExpr>(Call) ||
         (Callee && isForeign(Callee) && isDeviceStatus(Call.getType()) &&
          llvm::none_of(Callee->parameters(), IsCallback) &&
          llvm::none_of(Model.effectsOf(*Callee), [](const ResourceEffect &E) {
            return E.What == ResourceEffect::Free || E.What == ResourceEffect::Attach;
          }));
}

/// A function in view that neither keeps nor frees argument \p I, or one of the C++ library's that
/// is given a pointer by value: `std::memcpy(p.get(), source, n)`.
bool ResourceGenerator::onlyUsesArgument(const CallExpr &Call, unsigned I) const {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || isa<CXXOperatorCallExpr>(Call) || I >= Callee->getNumParams() ||
      !Callee->getParamDecl(I)->getType()->isPointerType())
    return false;
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  if (!isForeign(Callee)) {
    const ResourceSummary *Known = summaryOf(*Callee);
    return Known && !Known->speaksOf(I) && !(Method && Method->isVirtual());
  }
  return !Method && (Callee->isInStdNamespace() || Callee->getBuiltinID()) &&
         Model.effectsOf(*Callee).empty();
}

/// An array of plain numbers, which a unique_ptr without a deleter of the user's deletes; of one
/// number nobody makes a tensor.
static std::optional<Family> deletedByDefault(QualType T) {
  const QualType Element = T->getBaseElementTypeUnsafe()->getCanonicalTypeInternal();
  return T->isArrayType() && Element->isArithmeticType() ? std::optional(Family::NewArray)
                                                         : std::nullopt;
}

/// A call that accepts \p Accepts gives back something of the device, or else host memory.
static std::optional<Family> firstOf(FamilySet Accepts) {
  if (auto OfDevice = firstOfDevice(Accepts))
    return OfDevice;
  for (Family Host : {Family::Heap, Family::NewArray})
    if (Accepts & only(Host))
      return Host;
  return std::nullopt;
}

/// `void operator()(T *p)` of \p Deleter, of whatever types a template of it was made.
static llvm::SmallVector<const FunctionDecl *, 2> callOperatorsOf(const CXXRecordDecl &Deleter) {
  llvm::SmallVector<const FunctionDecl *, 2> Out;
  for (const Decl *D : Deleter.decls())
    if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D))
      Out.append(Template->spec_begin(), Template->spec_end());
    else if (const auto *Method = dyn_cast<CXXMethodDecl>(D))
      Out.push_back(Method);
  llvm::erase_if(Out, [](const FunctionDecl *F) { return F->getOverloadedOperator() != OO_Call; });
  return Out;
}

/// What a smart pointer gives back at its end, by the destructor of what it points to or by its
/// deleter; nothing where that is neither of the device nor plain memory.
std::optional<Family> ResourceGenerator::deletedBy(const CXXRecordDecl *Pointer) const {
  const auto Arguments = typeArguments(*Pointer);
  const auto *Deleter = Arguments.size() > 1 ? Arguments[1]->getAsCXXRecordDecl() : nullptr;
  if (Arguments.empty())
    return std::nullopt;
  if (!Deleter || Deleter->isInStdNamespace())
    return givesBackAtEnd(Arguments[0]) ? std::optional(Family::Owner)
           : Deleter                    ? deletedByDefault(Arguments[0])
                                        : std::nullopt;
  for (const FunctionDecl *F : callOperatorsOf(*Deleter)) {
    const ResourceSummary *Known = summaryOf(*F);
    for (const ResourceSummary::Given &G :
         Known ? llvm::ArrayRef(Known->Releases) : llvm::ArrayRef<ResourceSummary::Given>())
      if (G.Where.Root == RelativeResourcePath::Param && G.Where.Steps.empty())
        return firstOf(G.Accepts);
  }
  return std::nullopt;
}

/// An object of type \p T ends with tensors or modules in it.
static bool keepsTensors(ApiModel &Api, QualType T, unsigned Depth = 0) {
  if (mayOwnTensors(Api.classify(T)))
    return true;
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  R = R && !R->isInStdNamespace() ? R->getDefinition() : nullptr;
  return R && !isOver(Budget::NestedRecords, Depth) &&
         llvm::any_of(R->fields(), [&](const FieldDecl *F) {
           return !F->getType()->isReferenceType() && keepsTensors(Api, F->getType(), Depth + 1);
         });
}

/// A reference that its owner lets go of, and a tensor over memory that it does not own.
bool ResourceGenerator::applyTorch(const CallExpr &Call, const FunctionDecl &Callee) {
  auto E = Api.effectOf(Callee);
  if (!E)
    return false;
  if (E->What == Does::Release && Call.getType()->isPointerType()) {
    QualType Class = Call.getType()->getPointeeType();
    bool IsObject = keepsTensors(Api, Class);
    if (IsObject || isInLibTorch(namespaceOf(Callee)))
      take(Call, {ResourceEffect::Result, IsObject ? Family::Object : Family::Reference, 0, 0, ""});
    else if (auto What = deletedBy(cast<CXXMethodDecl>(Callee).getParent());
             What && !(infoOf(*What).IsHost && isAlsoGot(Call))) // others may own it
      take(Call, {ResourceEffect::Result, *What, 0, 0, ""});
    for (Site &S : Out->Sites)
      if (S.Call == &Call)
        S.Dropped &= !isAlsoGot(Call);
    return true;
  }
  const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
  if (E->What == Does::View && Method && Method->isStatic()) // `ptr::reclaim_copy(raw)`
    return true;
  if (E->What != Does::Blob || Call.getNumArgs() == 0 || hasDeleter(Call))
    return false;
  const Operand Memory = operand(Call.getArg(0));
  emitValue(ResourceEventKind::View, Call, Memory);
  const bool IsNew = isa<CXXNewExpr>(bare(Call.getArg(0)));
  for (const Atom &A : Memory) // that has no other name than the tensor
    if (A.What == Atom::Fresh && (IsNew || Unnamed.contains(A.Id)))
      Out->Sites[A.Id].Dropped = true;
  return true;
}

/// A function that is given the memory, too, is one that makes a tensor of it where it returns one.
void ResourceGenerator::applyViews(const CallShape &C, const ResourceSummary &S) {
  const bool MakesTensor = Api.holdsTensors(Out->Function->getReturnType());
  auto IsGiven = [&](const Atom &A) {
    return A.What != Atom::Fresh && isa_and_nonnull<ParmVarDecl>(Out->Paths.variable(A.Id));
  };
  for (const RelativeResourcePath &P : S.Views)
    if (Operand Value = translateValue(C, P); !Value.empty()) {
      const bool IsHandedOn = !MakesTensor && llvm::any_of(Value, IsGiven);
      ResourceEvent &View =
          emit(IsHandedOn ? ResourceEventKind::Escape : ResourceEventKind::View, C.At);
      View.Value = std::move(Value);
      View.ByCallee = true;
    }
}

} // namespace tensorleak
