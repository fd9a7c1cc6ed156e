//===-- CallTargets.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/CallTargets.h"

#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tensorleak {

//===-- What is put where -------------------------------------------------===//

/// A std::function or a pointer to a function.
static bool isCallable(QualType T) {
  T = T.getNonReferenceType();
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  bool IsWrapper = Class && Class->isInStdNamespace() && Class->getIdentifier() &&
                   (Class->getName() == "function" || Class->getName() == "move_only_function");
  return IsWrapper || T->isFunctionPointerType();
}

/// A callable, or a container of the library with such elements.
static bool holdsCallables(QualType T) {
  if (isCallable(T))
    return true;
  const auto *Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      T.getNonReferenceType()->getAsCXXRecordDecl());
  return Class && Class->isInStdNamespace() &&
         llvm::any_of(Class->getTemplateArgs().asArray(), [](const TemplateArgument &Arg) {
           return Arg.getKind() == TemplateArgument::Type && isCallable(Arg.getAsType());
         });
}

/// `x`, `o.x`, `x[key]`: the variable or member x.
static const ValueDecl *namedBy(const Expr *E) {
  E = strip(E);
  if (const auto *Op = dyn_cast_or_null<CXXOperatorCallExpr>(E);
      Op && Op->getOperator() == OO_Subscript)
    return namedBy(Op->getArg(0));
  const ValueDecl *Named = variableOrMember(E);
  return isa_and_nonnull<FieldDecl, VarDecl>(Named) ? Named : nullptr;
}

class TargetCollector : public RecursiveASTVisitor<TargetCollector> {
public:
  explicit TargetCollector(CallTargets &Out) : Out(Out) {}
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitCXXMethodDecl(CXXMethodDecl *M) {
    for (const CXXMethodDecl *Base : M->overridden_methods())
      Out.Overriders[Base->getCanonicalDecl()].push_back(M);
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    if (V->hasInit() && !V->isCXXForRangeDecl() && !isa<ParmVarDecl>(V))
      put(V, V->getInit());
    return true;
  }
  bool VisitFieldDecl(FieldDecl *F) {
    put(F, F->getInClassInitializer());
    return true;
  }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *Loop) {
    put(Loop->getLoopVariable(), Loop->getRangeInit());
    return true;
  }
  bool VisitCXXConstructorDecl(CXXConstructorDecl *C) {
    for (const CXXCtorInitializer *Init : C->inits())
      if (!isa<CXXDefaultInitExpr>(Init->getInit()))
        put(Init->getAnyMember(), Init->getInit());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *B) {
    if (B->isAssignmentOp())
      put(namedBy(B->getLHS()), B->getRHS());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *C) {
    give(*C->getConstructor(), {C->getArgs(), C->getNumArgs()});
    return true;
  }
  bool VisitCallExpr(CallExpr *Call);

private:
  void put(const ValueDecl *Into, const Expr *What) {
    if (Into && What && holdsCallables(Into->getType()))
      Out.Sources[Into].push_back(What);
  }
  void give(const FunctionDecl &Callee, llvm::ArrayRef<const Expr *> Arguments) {
    for (unsigned I = 0; I < Arguments.size() && I < Callee.getNumParams(); ++I) {
      const FunctionDecl *Body = Callee.getDefinition();
      put((Body ? Body : &Callee)->getParamDecl(I), Arguments[I]);
    }
  }
  CallTargets &Out;
};

/// An assignment, a call of a container's method with something to call, or an argument.
bool TargetCollector::VisitCallExpr(CallExpr *Call) {
  llvm::ArrayRef<const Expr *> Arguments(Call->getArgs(), Call->getNumArgs());
  const FunctionDecl *Callee = Call->getDirectCallee();
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(Call);
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
  if (Op && Op->getOperator() == OO_Equal) {
    put(namedBy(Op->getArg(0)), Op->getArg(1));
  } else if (Method && Method->getParent()->isInStdNamespace()) {
    for (const Expr *Arg : Arguments)
      if (!Method->isConst())
        put(namedBy(Member->getImplicitObjectArgument()), Arg);
  } else if (Callee && !(Op && isa<CXXMethodDecl>(Callee))) {
    give(*Callee, Arguments);
  }
  return true;
}

CallTargets::CallTargets(llvm::ArrayRef<Decl *> Decls) {
  TargetCollector All(*this);
  for (Decl *D : Decls)
    All.TraverseDecl(D);
}

/// Only this file can put something into it: of a parameter, nobody else can call the function.
static bool isOfThisFile(const ValueDecl &D) {
  const auto *Of = isa<ParmVarDecl>(D) ? dyn_cast<FunctionDecl>(D.getDeclContext()) : nullptr;
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Of);
  bool IsVirtual = Method && (Method->isVirtual() || Method->getParent()->isLambda());
  return !IsVirtual && isInMainFile(Of ? cast<Decl>(*Of->getFirstDecl()) : cast<Decl>(D));
}

bool CallTargets::collectPutInto(const ValueDecl &D, Callables &Found, Variables &Seen) const {
  if (!Seen.insert(&D).second)
    return true;
  auto It = Sources.find(&D);
  bool AreAll = It != Sources.end() && isOfThisFile(D);
  if (It != Sources.end())
    AreAll &= collectAll(It->second, Found, Seen);
  return AreAll;
}

bool CallTargets::collectAll(llvm::ArrayRef<const Expr *> From, Callables &Found,
                             Variables &Seen) const {
  bool AreAll = true;
  for (const Expr *E : From)
    AreAll &= collect(E, Found, Seen);
  return AreAll;
}

/// False where \p E may be something to call that is not followed.
bool CallTargets::collect(const Expr *E, Callables &Found, Variables &Seen) const {
  E = strip(E);
  if (const auto *List = dyn_cast<InitListExpr>(E))
    return collectAll(List->inits(), Found, Seen);
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return C->getNumArgs() == 0 || collect(C->getArg(0), Found, Seen);
  if (const auto *Call = dyn_cast<CallExpr>(E); Call && yieldsItsArgument(*Call))
    return collect(Call->getArg(0), Found, Seen);
  if (const auto *Address = dyn_cast<UnaryOperator>(E);
      Address && Address->getOpcode() == UO_AddrOf)
    return collect(Address->getSubExpr(), Found, Seen);
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  if (isa<LambdaExpr>(E) || (Ref && isa<FunctionDecl>(Ref->getDecl())))
    return Found.insert(E) || true;
  if (isa<CXXNullPtrLiteralExpr>(E))
    return true;
  const ValueDecl *D = namedBy(E);
  return D && collectPutInto(*D, Found, Seen);
}

CallTargets::Several<Expr> CallTargets::putInto(const ValueDecl &D) const {
  Callables Found;
  Variables Seen;
  Several<Expr> Out;
  Out.AreAll = collectPutInto(D, Found, Seen);
  Out.Known.assign(Found.begin(), Found.end());
  return Out;
}

//===-- Virtual methods ---------------------------------------------------===//

void CallTargets::addOverriders(const CXXMethodDecl &Method, Methods &Found) const {
  if (!Method.isPureVirtual())
    Found.insert(Method.getCanonicalDecl());
  if (auto It = Overriders.find(Method.getCanonicalDecl()); It != Overriders.end())
    for (const CXXMethodDecl *Overrider : It->second)
      addOverriders(*Overrider, Found);
}

/// `net(x)` of a holder of a module of the user's: the forward() of the module, where it has one.
static const CXXMethodDecl *forwardBehind(const CXXMethodDecl &Call) {
  const auto *Holder = dyn_cast<ClassTemplateSpecializationDecl>(Call.getParent());
  bool IsHolder = Holder && Call.getOverloadedOperator() == OO_Call &&
                  Holder->getQualifiedNameAsString() == "torch::nn::ModuleHolder" &&
                  Holder->getTemplateArgs().size() == 1;
  const CXXRecordDecl *Module =
      IsHolder ? Holder->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl() : nullptr;
  Module = Module ? Module->getDefinition() : nullptr;
  if (!Module || isInLibraryHeader(*Module))
    return nullptr;
  const CXXMethodDecl *Only = nullptr;
  for (const CXXMethodDecl *M : Module->methods())
    if (M->getIdentifier() && M->getName() == "forward" && std::exchange(Only, M))
      return nullptr;
  return Only;
}

CallTargets::Several<FunctionDecl> CallTargets::bodiesOf(const FunctionDecl &F) const {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  if (const CXXMethodDecl *Forward = Method ? forwardBehind(*Method) : nullptr)
    return bodiesOf(*Forward);
  if (!Method || !Method->isVirtual())
    return {{&F}};
  Methods Found;
  addOverriders(*Method, Found);
  Several<FunctionDecl> Out;
  Out.AreAll = isInMainFile(*Method->getParent());
  Out.Known.assign(Found.begin(), Found.end());
  return Out;
}

} // namespace tensorleak
