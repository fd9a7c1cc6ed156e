//===-- Parts.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/parts/Parts.h"

#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

//===-- Loops -------------------------------------------------------------===//

bool holdsParameters(const FunctionFacts &Facts, PlaceId P) {
  return llvm::any_of(Facts.Events, [&](const Event &E) {
    return E.Kind == EventKind::Store && E.Place == P && E.Val != NoId &&
           Facts.Values[E.Val].From == Source::Api &&
           Facts.Values[E.Val].Api.What == Does::Parameters;
  });
}

/// Whether something that \p Is accepts reads what holds parameters.
static bool readsParameters(const FunctionFacts &Facts, llvm::function_ref<bool(const Expr &)> Is) {
  return llvm::any_of(Facts.Values, [&](const Value &V) {
    return V.From == Source::Load && V.E && Is(*V.E) && holdsParameters(Facts, V.Loaded);
  });
}

/// `net->parameters()`.
static bool yieldsParameters(ApiModel &Model, const Expr *E) {
  const auto *Call = dyn_cast_or_null<CallExpr>(strip(E));
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  auto Known = Callee ? Model.effectOf(*Callee) : std::nullopt;
  return Known && Known->What == Does::Parameters;
}

static bool isModule(ApiModel &Model, QualType T) {
  return Model.classify(T.getNonReferenceType()) == TypeClass::Module;
}

static bool names(const Expr *E, const ValueDecl &D) {
  const auto *Ref = dyn_cast_or_null<DeclRefExpr>(strip(E));
  return Ref && Ref->getDecl() == &D;
}

/// \p Part is, in each round, the next module or the next parameter.
static bool isPart(const FunctionFacts &Facts, ApiModel &Model, const ValueDecl &Part) {
  return isModule(Model, Part.getType()) ||
         readsParameters(Facts, [&](const Expr &E) { return names(&E, Part); });
}

/// What \p E reads, by itself or as a second name.
static const Expr *referent(const Expr &E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(&E);
  const Expr *Bound = Ref ? boundTo(*Ref->getDecl()) : nullptr;
  return Bound ? strip(Bound) : &E;
}

/// Whether \p Name is \p D, or a parameter that stands for it in a body that runs here.
static bool means(const FunctionFacts &Facts, const ValueDecl &Name, const ValueDecl &D) {
  if (&Name == &D)
    return true;
  const auto *Param = dyn_cast<ParmVarDecl>(&Name);
  return Param && llvm::any_of(Facts.Splices, [&](const Splice &S) {
           const Expr *Operand = S.given(*Param);
           const ValueDecl *Given = Operand ? variableOrMember(Operand) : nullptr;
           return Given && Given != &Name && means(Facts, *Given, D);
         });
}

/// `for (auto &stage : stages) x = stage->run(x);`: what runs in \p L is a network that belongs to
/// the object at hand.
static bool runsNetworkOf(const FunctionFacts &Facts, LoopId L, const ValueDecl *Owner) {
  return Owner && llvm::any_of(Facts.Events, [&](const Event &E) {
           if (E.Kind != EventKind::Forward || E.Place == NoId || !Facts.isInside(E.InLoop, L))
             return false;
           PlaceId P = Facts.Places[E.Place].Parent; // the network itself is a part already
           while (P != NoId &&
                  !(Facts.Places[P].Decl && means(Facts, *Owner, *Facts.Places[P].Decl)))
             P = Facts.Places[P].Parent;
           return P != NoId;
         });
}

/// `stages[i]`, `stages.at(i)`: the list.
static const Expr *listOf(const CallExpr &Call) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call.getDirectCallee());
  if (!Method || !Method->getParent()->isInStdNamespace())
    return nullptr;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call))
    return Member->getImplicitObjectArgument();
  return isa<CXXOperatorCallExpr>(Call) ? Call.getArg(0) : nullptr;
}

/// `parameters_[i].register_hook(...)`: what gets hooks is a part of a model.
static const Expr *hookedBy(ApiModel &Model, const Expr &E) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  const auto Effect = Callee ? Model.effectOf(*Callee) : std::nullopt;
  return Effect && Effect->What == Does::Hook ? strip(Call->getImplicitObjectArgument()) : nullptr;
}

/// `layers[i]`, `layers->at<Linear>(i)`, `parameters[i]`, `stages[i]->run(x)`: the variable of the
/// loop \p L chooses the part.
static bool choosesPart(const FunctionFacts &Facts, ApiModel &Model, LoopId L, const Expr &E,
                        const ValueDecl &Index) {
  const auto *Hooked = dyn_cast_or_null<CallExpr>(hookedBy(Model, E));
  if (Hooked && llvm::any_of(Hooked->arguments(), [&](auto *Arg) { return names(Arg, Index); }))
    return true;
  const auto *Call = dyn_cast<CallExpr>(&E);
  if (!Call || llvm::none_of(Call->arguments(), [&](const Expr *Arg) { return names(Arg, Index); }))
    return false;
  return isModule(Model, Call->getType()) ||
         runsNetworkOf(Facts, L, variableOrMember(listOf(*Call))) ||
         readsParameters(Facts, [&](const Expr &Read) { return referent(Read) == Call; });
}

/// Something in \p Where chooses the part, or in a body that stands there in the place of a call.
static bool choosesIn(const FunctionFacts &Facts, ApiModel &Model, LoopId L, const Stmt &Where,
                      const ValueDecl &Index) {
  if (mentions(&Where, [&](const Expr &E) { return choosesPart(Facts, Model, L, E, Index); }))
    return true;
  return llvm::any_of(Facts.Splices, [&](const Splice &S) {
    if (!mentions(&Where, [&](const Expr &E) { return &E == S.Call; }))
      return false;
    for (const ParmVarDecl *Param : S.Body->parameters())
      if (const Expr *Given = S.given(*Param);
          Given && names(Given, Index) && choosesIn(Facts, Model, L, *S.Body->getBody(), *Param))
        return true;
    return false;
  });
}

/// `++i`, `i += 2`.
static bool counts(const Expr &E, const ValueDecl &Index) {
  if (const auto *U = dyn_cast<UnaryOperator>(&E))
    return U->isIncrementDecrementOp() && names(U->getSubExpr(), Index);
  const auto *Assign = dyn_cast<CompoundAssignOperator>(&E);
  return Assign && names(Assign->getLHS(), Index);
}

const ValueDecl *counterOf(const Stmt &Loop) {
  const auto *For = dyn_cast<ForStmt>(&Loop);
  const auto *While = dyn_cast<WhileStmt>(&Loop);
  const ValueDecl *Counter = nullptr;
  auto IsCounter = [&](const Expr &E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&E);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (Var && mentions(&Loop, [&](const Expr &Step) { return counts(Step, *Var); }))
      Counter = Var;
    return Counter != nullptr;
  };
  mentions(For ? For->getCond() : While ? While->getCond() : nullptr, IsCounter);
  return Counter;
}

/// What an algorithm, or the lambda that it runs, calls the part at hand.
static const ValueDecl *elementOfAlgorithm(const FunctionFacts &Facts, const Stmt &Loop) {
  auto It =
      llvm::find_if(Facts.Splices, [&](const Splice &S) { return S.Repeats && S.Call == &Loop; });
  bool TakesOne = It != Facts.Splices.end() && It->Body->getNumParams() == 1;
  return TakesOne ? It->Body->getParamDecl(0) : nullptr;
}

bool goesOverParts(const FunctionFacts &Facts, ApiModel &Model, LoopId L) {
  const Stmt &Loop = *Facts.Loops[L].S;
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop))
    return isPart(Facts, Model, *Range->getLoopVariable()) ||
           yieldsParameters(Model, Range->getRangeInit()) ||
           runsNetworkOf(Facts, L, variableOrMember(Range->getRangeInit()));
  if (const ValueDecl *Element = elementOfAlgorithm(Facts, Loop))
    return isPart(Facts, Model, *Element) || runsNetworkOf(Facts, L, Element);
  const ValueDecl *Index = counterOf(Loop);
  return Index && choosesIn(Facts, Model, L, Loop, *Index);
}

LoopId stepsAround(const FunctionFacts &Facts, ApiModel &Model, LoopId L) {
  while (L != NoId && goesOverParts(Facts, Model, L))
    L = Facts.Loops[L].Parent;
  return L;
}

//===-- Keys --------------------------------------------------------------===//

/// The variable by which each round of \p Loop knows its part: the part itself, or a counter.
static const ValueDecl *variableOf(const FunctionFacts &Facts, const Stmt &Loop) {
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop))
    return Range->getLoopVariable();
  const ValueDecl *Element = elementOfAlgorithm(Facts, Loop);
  return Element ? Element : counterOf(Loop);
}

bool isOfRound(const FunctionFacts &Facts, const VarDecl &Var, LoopId L) {
  return Var.isLocalVarDeclOrParm() && (L == NoId || Facts.isInside(Facts.loopOfDecl(&Var), L));
}

/// \p V depends on nothing but which part of \p Parts is at hand: it is the loop's own variable,
/// or one of the round of \p Steps that begins with a number or with what is such.
static bool isOfPart(const FunctionFacts &Facts, const VarDecl &V, const Stmt &Parts,
                     LoopId Steps) {
  if (variableOf(Facts, Parts) == &V)
    return true;
  bool BeginsAnew = !isa<ParmVarDecl>(V) && !V.isStaticLocal() && V.getInit();
  return BeginsAnew && isOfRound(Facts, V, Steps) && !mentions(V.getInit(), [&](const Expr &E) {
           const VarDecl *Named = variableRead(E);
           return isa<CXXThisExpr>(E) || (Named && variableOf(Facts, Parts) != Named);
         });
}

bool isNameOfPart(const FunctionFacts &Facts, ApiModel &Model, const Expr *Key, LoopId L) {
  if (!Key || L == NoId || !goesOverParts(Facts, Model, L))
    return false;
  const Stmt &Parts = *Facts.Loops[L].S;
  const LoopId Steps = stepsAround(Facts, Model, L);
  return !mentions(Key, [&](const Expr &Part) {
    const VarDecl *V = variableRead(Part);
    return isa<CXXThisExpr>(Part) || (V && !isOfPart(Facts, *V, Parts, Steps));
  });
}

bool isKeyOfPart(const FunctionFacts &Facts, ApiModel &Model, const Event &E) {
  return isNameOfPart(Facts, Model, E.Key, E.InLoop);
}

const ParmVarDecl *parameterBehind(const FunctionFacts &Facts, const Expr *Key) {
  const auto *Param = dyn_cast_or_null<ParmVarDecl>(Key ? onlyVariable(*Key) : nullptr);
  return Param && Param->getDeclContext() == Facts.Function ? Param : nullptr;
}

} // namespace tensorleak
