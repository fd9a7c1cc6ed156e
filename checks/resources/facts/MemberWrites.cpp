//===-- MemberWrites.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/MemberWrites.h"

#include "checks/Budgets.h"
#include "checks/model/ClassNames.h"
#include "checks/source/Expressions.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace tensorleak {
namespace {

class WriteFinder : public RecursiveASTVisitor<WriteFinder> {
public:
  explicit WriteFinder(BodyWrites &Out) : Out(Out) {}

  bool shouldVisitImplicitCode() const { return true; }

  bool VisitBinaryOperator(BinaryOperator *Set) {
    if (Set->isAssignmentOp())
      write(Set->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *Op) {
    if (Op->isIncrementDecrementOp() || Op->getOpcode() == UO_AddrOf)
      write(Op->getSubExpr());
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    if (V->getInit() && isChangeable(V->getType()))
      write(V->getInit());
    destroy(V->getType());
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *L) {
    for (const LambdaCapture &C : L->captures())
      if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef)
        written(*C.getCapturedVar());
    return true;
  }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr *Made) {
    destroy(Made->getType());
    return true;
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr *Delete) {
    destroyPointee(Delete->getDestroyedType());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Made) {
    call(*Made->getConstructor());
    give({Made->getArgs(), Made->getNumArgs()}, *Made->getConstructor());
    return true;
  }
  bool VisitCallExpr(CallExpr *Call);

private:
  static bool isChangeable(QualType T) {
    return T->isLValueReferenceType() && !T.getNonReferenceType().isConstQualified();
  }
  /// True the first time.
  bool written(const ValueDecl &D) {
    return Out.Written.insert(cast<ValueDecl>(D.getCanonicalDecl())).second;
  }
  void write(const Expr *E);
  void writeAll(QualType Record);
  void call(const FunctionDecl &F);
  void callOn(const Expr &Object, const CXXMethodDecl &Method);
  void give(llvm::ArrayRef<Expr *> Arguments, const FunctionDecl &Callee);
  void destroy(QualType T);
  void destroyPointee(QualType T);
  void destroyHeld(const CXXRecordDecl &Class);

  BodyWrites &Out;
  llvm::SmallPtrSet<const CXXRecordDecl *, 8> Destroyed;
};

/// What \p E names, and all that lies in it.
void WriteFinder::write(const Expr *E) {
  const Expr *Named = bare(E);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(Named)) {
    write(Choice->getTrueExpr());
    return write(Choice->getFalseExpr());
  }
  if (const auto *Member = dyn_cast<MemberExpr>(Named))
    written(*Member->getMemberDecl());
  else if (const auto *Ref = dyn_cast<DeclRefExpr>(Named))
    written(*Ref->getDecl());
  writeAll(E->getType());
}

void WriteFinder::writeAll(QualType Type) {
  const auto *Record = Type.getNonReferenceType()->getAsRecordDecl();
  if (!Record || isInLibraryHeader(*Record))
    return;
  for (const FieldDecl *Field : Record->fields())
    if (written(*Field))
      writeAll(Field->getType());
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Record); Class && Class->hasDefinition())
    for (const CXXBaseSpecifier &Base : Class->bases())
      writeAll(Base.getType());
}

/// What a library does with functions that it is given, nobody says.
static bool isFunctionOfUser(QualType T) {
  T = T.getNonReferenceType();
  return T->isFunctionPointerType() || T->isFunctionType() || isFunctionObject(T);
}

void WriteFinder::give(llvm::ArrayRef<Expr *> Arguments, const FunctionDecl &Callee) {
  const bool IsForeign = isInLibraryHeader(Callee);
  for (unsigned I = 0; I < Arguments.size(); ++I) {
    const Expr *Given = Arguments[I];
    const QualType Type = Given->getType();
    const bool IsCopied =
        I < Callee.getNumParams() && !Callee.getParamDecl(I)->getType()->isReferenceType();
    if (Given->isLValue() && !Type.isConstQualified() && !IsCopied)
      write(Given);
    const auto *To = bare(Given)->getType()->getAs<PointerType>();
    if (IsForeign && To && Type->isPointerType() && !Type->getPointeeType().isConstQualified())
      writeAll(To->getPointeeType());
    Out.IsAnything |= IsForeign && isFunctionOfUser(Type);
  }
}

void WriteFinder::call(const FunctionDecl &F) {
  if (!isInLibraryHeader(F) && !F.isImplicit() && !F.isDefaulted())
    Out.Callees.insert(F.getCanonicalDecl());
}

bool WriteFinder::VisitCallExpr(CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  if (!Callee || (Method && Method->isVirtual())) {
    Out.IsAnything = true;
    return true;
  }
  call(*Callee);
  llvm::ArrayRef<Expr *> Arguments(Call->getArgs(), Call->getNumArgs());
  const Expr *Object = nullptr;
  if (const auto *OfObject = dyn_cast<CXXMemberCallExpr>(Call)) {
    Object = OfObject->getImplicitObjectArgument();
  } else if (isa<CXXOperatorCallExpr>(Call) && Method) {
    Object = Arguments.front();
    Arguments = Arguments.drop_front();
  }
  give(Arguments, *Callee);
  if (Object)
    callOn(*Object, *Method);
  return true;
}

/// Methods of the user's say themselves what they write; those of a library change the object.
void WriteFinder::callOn(const Expr &Object, const CXXMethodDecl &Method) {
  Out.IsAnything |= isFunctionOfUser(Object.getType());
  if (Method.isConst() || !(isInLibraryHeader(Method) || Method.isDefaulted()))
    return;
  write(&Object);
  destroy(Object.getType());
}

/// Its destructor runs, and those of its parts.
void WriteFinder::destroy(QualType T) {
  const auto *Class = T.isNull() ? nullptr : T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition() || Class->isDependentContext() ||
      Class->hasTrivialDestructor() || !Destroyed.insert(Class).second)
    return;
  if (isInLibraryHeader(*Class))
    return destroyHeld(*Class);
  if (const CXXDestructorDecl *Ends = Class->getDestructor())
    call(*Ends);
  for (const FieldDecl *Field : Class->fields())
    destroy(Field->getType());
  for (const CXXBaseSpecifier &Base : Class->bases())
    destroy(Base.getType());
}

/// What a pointer to \p T points to may be of a class that is derived from it.
void WriteFinder::destroyPointee(QualType T) {
  const auto *Class = T.isNull() ? nullptr : T->getAsCXXRecordDecl();
  Out.IsAnything |=
      Class && Class->hasDefinition() && Class->isPolymorphic() && !isInLibraryHeader(*Class);
  destroy(T);
}

/// `std::vector<Part>`, `std::map<int, std::unique_ptr<Part>>`, `std::unique_ptr<Part, Deleter>`.
void WriteFinder::destroyHeld(const CXXRecordDecl &Class) {
  const auto *OfTemplate = dyn_cast<ClassTemplateSpecializationDecl>(&Class);
  if (!OfTemplate)
    return;
  for (const TemplateArgument &Argument : OfTemplate->getTemplateArgs().asArray()) {
    if (Argument.getKind() != TemplateArgument::Type)
      continue;
    Out.IsAnything |= Argument.getAsType()->isFunctionPointerType();
    destroyPointee(Argument.getAsType());
  }
}

} // namespace

const BodyWrites &MemberWrites::bodyOf(const FunctionDecl &F) const {
  auto &Of = Own[&F];
  if (Of)
    return *Of;
  Of = std::make_unique<BodyWrites>();
  const FunctionDecl *Body = nullptr;
  if (!F.hasBody(Body)) {
    Of->IsAnything = true;
    return *Of;
  }
  WriteFinder(*Of).TraverseDecl(const_cast<FunctionDecl *>(Body));
  return *Of;
}

/// With what it calls, and so on.
const BodyWrites &MemberWrites::allOf(const FunctionDecl &F) const {
  auto &Of = All[&F];
  if (Of)
    return *Of;
  auto Sum = std::make_unique<BodyWrites>();
  llvm::SmallVector<const FunctionDecl *, 16> Work{&F};
  Sum->Callees.insert(&F);
  for (bool IsOver = false; !Work.empty() && !IsOver;) {
    const BodyWrites &Each = bodyOf(*Work.pop_back_val());
    IsOver = isOver(Budget::CalleesWritten, Sum->Callees.size());
    Sum->IsAnything |= Each.IsAnything || IsOver;
    Sum->Written.insert(Each.Written.begin(), Each.Written.end());
    for (const FunctionDecl *Next : Each.Callees)
      if (Sum->Callees.insert(Next).second)
        Work.push_back(Next);
  }
  return *(Of = std::move(Sum));
}

bool MemberWrites::mayWrite(const FunctionDecl &Callee, const ValueDecl &Member) const {
  const BodyWrites &Of = allOf(*Callee.getCanonicalDecl());
  return Of.IsAnything || Of.Written.count(cast<ValueDecl>(Member.getCanonicalDecl()));
}

bool MemberWrites::namesToWrite(const FunctionDecl &Callee, const ValueDecl &Member) const {
  return allOf(*Callee.getCanonicalDecl())
      .Written.count(cast<ValueDecl>(Member.getCanonicalDecl()));
}

} // namespace tensorleak
