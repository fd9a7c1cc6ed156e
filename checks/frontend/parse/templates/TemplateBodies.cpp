//===-- TemplateBodies.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/parse/templates/TemplateBodies.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace tensorleak {
namespace {

/// Each round of a body marks what the last one has failed at.
constexpr unsigned MaxRounds = 24;

/// Where the errors are.
class ErrorPlaces : public DiagnosticConsumer {
public:
  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    if (Level >= DiagnosticsEngine::Error && Info.getLocation().isValid())
      Places.push_back(Info.getLocation());
  }
  std::vector<SourceLocation> Places;
};

/// Errors go to \p Consumer instead of the user, and the engine does not remember them.
class Redirected {
public:
  Redirected(DiagnosticsEngine &Engine, DiagnosticConsumer &Consumer)
      : Engine(Engine), Before(Engine.getClient()), Owned(Engine.takeClient()),
        WasSuppressed(Engine.getSuppressAllDiagnostics()),
        HadErrors(Engine.hasUncompilableErrorOccurred()), HadFatal(Engine.hasFatalErrorOccurred()) {
    Engine.setClient(&Consumer, /*ShouldOwnClient=*/false);
    Engine.setSuppressAllDiagnostics(false);
  }
  ~Redirected() {
    Engine.Reset(/*soft=*/true);
    if (HadErrors)
      Engine.Report(diag::err_undeclared_var_use);
    if (HadFatal)
      Engine.Report(diag::fatal_too_many_errors);
    Engine.setClient(Before, /*ShouldOwnClient=*/Owned != nullptr);
    Owned.release(); // the engine owns it again
    Engine.setSuppressAllDiagnostics(WasSuppressed);
  }

private:
  DiagnosticsEngine &Engine;
  DiagnosticConsumer *Before;
  std::unique_ptr<DiagnosticConsumer> Owned;
  bool WasSuppressed, HadErrors, HadFatal;
};

/// Marks what lies at an error in the body of a template.
class PatternMarker {
public:
  PatternMarker(ASTContext &Context, Stmt &Body) : Context(Context), Body(&Body) {}
  /// The smallest expression at \p Error that is not marked yet, or the type of a variable.
  bool mark(SourceLocation Error) { return markIn(Body, Error); }

private:
  bool isAt(const Stmt &S, SourceLocation Error) const;
  bool markIn(Stmt *&Slot, SourceLocation Error);
  bool markExpr(Stmt *&Slot);
  bool markVariables(const DeclStmt &S);
  bool markRange(Stmt *&Slot);
  Expr *unknown(QualType Type, const Expr &E, llvm::ArrayRef<Expr *> Parts);

  ASTContext &Context;
  Stmt *Body;
  llvm::DenseSet<const void *> Marked;
};

} // namespace

bool PatternMarker::isAt(const Stmt &S, SourceLocation Error) const {
  const SourceManager &Sources = Context.getSourceManager();
  return S.getBeginLoc().isValid() && S.getEndLoc().isValid() &&
         !Sources.isBeforeInTranslationUnit(Error, S.getBeginLoc()) &&
         !Sources.isBeforeInTranslationUnit(S.getEndLoc(), Error);
}

/// Not the name of a function, and no list in braces: the expression around those has one.
static bool hasValue(const Expr &E) {
  const QualType Type = E.getType();
  return !Type.isNull() && !Type->isPlaceholderType() && !Type->isFunctionType() &&
         !isa<InitListExpr, OverloadExpr, LambdaExpr>(E);
}

bool PatternMarker::markIn(Stmt *&Slot, SourceLocation Error) {
  if (!Slot || !isAt(*Slot, Error))
    return false;
  if (const auto *For = dyn_cast<CXXForRangeStmt>(Slot); For && For->getColonLoc() == Error)
    return markRange(Slot);
  const auto *Call = dyn_cast<CallExpr>(Slot);
  for (Stmt *&Child : Slot->children())
    if ((!Call || Child != Call->getCallee()) && markIn(Child, Error))
      return true;
  if (const auto *Declares = dyn_cast<DeclStmt>(Slot))
    return markVariables(*Declares);
  return isa<Expr>(Slot) && hasValue(*cast<Expr>(Slot)) && markExpr(Slot);
}

/// Of what depends on the types that are made up it is a number, as those are; and where a number
/// does not fit either, nothing is known of it.
bool PatternMarker::markExpr(Stmt *&Slot) {
  auto *E = cast<Expr>(Slot);
  const bool Again = Marked.contains(E);
  if (Again && E->isTypeDependent())
    return false;
  llvm::SmallVector<Expr *, 4> Parts;
  for (Stmt *Child : E->children())
    if (auto *Part = dyn_cast_or_null<Expr>(Child))
      Parts.push_back(Part);
  const QualType Type = Again                  ? Context.DependentTy
                        : E->isTypeDependent() ? Context.getLValueReferenceType(Context.FloatTy)
                                               : E->getType();
  Slot = unknown(Type, *E, Parts);
  return true;
}

Expr *PatternMarker::unknown(QualType Type, const Expr &E, llvm::ArrayRef<Expr *> Parts) {
  Expr *Out = RecoveryExpr::Create(Context, Type, E.getBeginLoc(), E.getEndLoc(), Parts);
  Marked.insert(Out);
  return Out;
}

/// A loop of which nobody knows how often it runs takes the place of one over a range without a
/// begin and an end, for which the compiler has no other tree.
bool PatternMarker::markRange(Stmt *&Slot) {
  auto *For = cast<CXXForRangeStmt>(Slot);
  VarDecl *Variable = For->getLoopVariable();
  Expr *Range = For->getRangeInit();
  if (!Variable || !Range || isa<DecompositionDecl>(Variable))
    return false;
  Variable->setCXXForRangeDecl(false);
  markVariables(*cast<DeclStmt>(For->getLoopVarStmt()));
  Stmt *Parts[] = {For->getLoopVarStmt(), For->getBody()};
  Stmt *Body = CompoundStmt::Create(Context, Parts, FPOptionsOverride(), For->getColonLoc(),
                                    For->getEndLoc());
  Slot = new (Context) ForStmt(Context, For->getInit(), unknown(Context.BoolTy, *Range, {Range}),
                               /*condVar=*/nullptr, /*Inc=*/nullptr, Body, For->getForLoc(),
                               For->getColonLoc(), For->getRParenLoc());
  return true;
}

bool PatternMarker::markVariables(const DeclStmt &S) {
  bool Any = false;
  for (Decl *D : S.decls())
    if (auto *V = dyn_cast<VarDecl>(D); V && Marked.insert(V).second) {
      V->setType(Context.FloatTy);
      V->setTypeSourceInfo(Context.getTrivialTypeSourceInfo(Context.FloatTy, V->getLocation()));
      Any = true;
    }
  return Any;
}

bool makeBodyInPart(Sema &TheSema, FunctionDecl &Function) {
  const FunctionDecl *Pattern = Function.getTemplateInstantiationPattern();
  Stmt *Body = Pattern && Pattern->isDefined(Pattern) ? Pattern->getBody() : nullptr;
  if (!Body || Function.isDefined())
    return false;
  PatternMarker Marker(TheSema.Context, *Body);
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    ErrorPlaces Errors;
    Redirected Quiet(TheSema.getDiagnostics(), Errors);
    Function.setInvalidDecl(false);
    TheSema.InstantiateFunctionDefinition(Function.getLocation(), &Function, /*Recursive=*/false,
                                          /*DefinitionRequired=*/false, /*AtEndOfTU=*/true);
    if (Function.hasBody() && !Function.isInvalidDecl())
      return Round > 0;
    bool Any = false;
    for (SourceLocation Error : Errors.Places)
      Any |= Marker.mark(Error);
    if (!Any)
      break;
  }
  Function.setInvalidDecl();
  return false;
}

} // namespace tensorleak
