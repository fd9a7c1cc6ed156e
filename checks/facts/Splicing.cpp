//===-- Splicing.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/Splicing.h"

#include "checks/Budgets.h"
#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

/// Control does not go from \p From to its first successor.
static void cutFirstWay(CFGBlock &From) {
  CFGBlock *To = *From.succ_begin();
  if (!To)
    return;
  *From.succ_begin() = CFGBlock::AdjacentBlock(To, /*IsReachable=*/false);
  for (CFGBlock::AdjacentBlock &Before : To->preds())
    if (Before == &From)
      Before = CFGBlock::AdjacentBlock(&From, /*IsReachable=*/false);
  if (To->empty() && To->getLoopTarget() && To->succ_size() == 1)
    cutFirstWay(*To); // it only leads back
}

/// The end of `do { } while (0)` does not lead to its beginning.
static void cutBackEdge(CFGBlock &End) {
  const auto *Do = dyn_cast_or_null<DoStmt>(End.getTerminatorStmt());
  if (Do && !isLoop(*Do) && End.succ_size() == 2)
    cutFirstWay(End);
}

/// Clang asks the class of each member for its destructor, and one that is only declared has none.
static bool hasMembersWithoutDefinition(const FunctionDecl &F) {
  const auto *Dtor = dyn_cast<CXXDestructorDecl>(&F);
  return Dtor && llvm::any_of(Dtor->getParent()->fields(), [](const FieldDecl *Field) {
           const auto *Class = Field->getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
           return Class && !Class->hasDefinition();
         });
}

std::unique_ptr<CFG> graphOf(const FunctionDecl &F) {
  CFG::BuildOptions Options;
  Options.PruneTriviallyFalseEdges = false;
  Options.AddInitializers = true;
  Options.AddImplicitDtors = !hasMembersWithoutDefinition(F);
  Options.setAllAlwaysAdd();
  auto Graph = CFG::buildCFG(&F, F.getBody(), &F.getASTContext(), Options);
  if (Graph)
    for (CFGBlock *Block : *Graph)
      cutBackEdge(*Block);
  return Graph;
}

//===-- Which calls -------------------------------------------------------===//

/// A function whose body can stand in the place of the call.
bool Splicer::hasBodyToSplice(const FunctionDecl *F) const {
  const FunctionDecl *Body = nullptr;
  if (!F || !F->hasBody(Body) || Body->isVariadic() || Body->isMain() ||
      isa<CoroutineBodyStmt, CXXTryStmt>(Body->getBody()) ||
      isa<CXXConstructorDecl, CXXDestructorDecl, CXXConversionDecl>(Body))
    return false;
  auto Known = Summaries.find(F->getCanonicalDecl());
  return Known != Summaries.end() && F->getCanonicalDecl() != Facts.Function->getCanonicalDecl() &&
         !Used.count(F->getCanonicalDecl());
}

/// Nothing happens in it that the analyses look at.
bool Splicer::isIdle(const FunctionDecl &F) const {
  auto Known = Summaries.find(F.getCanonicalDecl());
  return Known != Summaries.end() && Known->second.IsIdle;
}

static bool isLambdaBody(const FunctionDecl *F) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(F);
  return Method && Method->getParent()->isLambda();
}

/// What the parameter of a spliced body is given, which stands in \p In from then on.
const Expr *Splicer::whatIsGiven(const ParmVarDecl &Param, SpliceId &In) const {
  for (; In != NoId; In = Facts.Splices[In].Around) {
    const Splice &S = Facts.Splices[In];
    const unsigned I = Param.getFunctionScopeIndex();
    if (S.Body != Param.getDeclContext() || I >= S.Operands.size())
      continue;
    In = S.Around;
    return S.Operands[I];
  }
  return nullptr;
}

/// What a lambda runs; of `[](auto x)`, which is a template, the only instance.
static const FunctionDecl *bodyOf(const LambdaExpr &L) {
  const FunctionTemplateDecl *Template = L.getDependentCallOperator();
  if (!Template)
    return L.getCallOperator();
  auto Instances = Template->specializations();
  bool IsOne =
      Instances.begin() != Instances.end() && std::next(Instances.begin()) == Instances.end();
  return IsOne ? *Instances.begin() : nullptr;
}

/// What the variable or member is given, or the one thing that is ever put into it.
const Expr *Splicer::whatIsIn(const ValueDecl &D, SpliceId &In) const {
  const auto *V = dyn_cast<VarDecl>(&D);
  const auto *Param = dyn_cast<ParmVarDecl>(&D);
  if (const Expr *Given = Param ? whatIsGiven(*Param, In) : nullptr)
    return Given;
  if (const Expr *Only = Targets.putInto(D))
    return Only;
  return V && !Param && !V->isCXXForRangeDecl() ? V->getInit() : nullptr;
}

/// The function or lambda that \p E names, by itself or through variables and parameters.
const FunctionDecl *Splicer::callableIn(const Expr *E, SpliceId In) const {
  for (unsigned Names = 0; E && !isOver(Budget::LambdaNames, Names); ++Names) {
    E = strip(E);
    if (const auto *L = dyn_cast<LambdaExpr>(E))
      return bodyOf(*L);
    const Expr *Next = nullptr;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      if (const auto *F = dyn_cast<FunctionDecl>(Ref->getDecl()))
        return Targets.bodyOf(*F);
      Next = whatIsIn(*Ref->getDecl(), In);
    } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
      Next = whatIsIn(*M->getMemberDecl(), In);
    } else if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(E)) {
      Next = Op->getOperator() == OO_Subscript ? Op->getArg(0) : nullptr;
    } else if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
      Next = C->getNumArgs() >= 1 ? C->getArg(0) : nullptr; // std::function
    } else if (const auto *U = dyn_cast<UnaryOperator>(E)) {
      Next = U->getOpcode() == UO_AddrOf || U->getOpcode() == UO_Deref ? U->getSubExpr() : nullptr;
    }
    E = Next;
  }
  return nullptr;
}

const FunctionDecl *Splicer::callee(const CallExpr &Call, SpliceId In) const {
  const FunctionDecl *Direct = Call.getDirectCallee();
  if (!Direct)
    return callableIn(Call.getCallee(), In);
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(&Call);
  const auto *Method = dyn_cast<CXXMethodDecl>(Direct);
  bool IsFunctionObject = Op && Op->getOperator() == OO_Call && Method &&
                          Method->getParent()->isInStdNamespace(); // std::function
  return IsFunctionObject ? callableIn(Op->getArg(0), In) : Targets.bodyOf(*Direct);
}

bool Splicer::takesCallable(const CallExpr &Call, SpliceId In) const {
  return llvm::any_of(Call.arguments(),
                      [&](const Expr *Arg) { return hasBodyToSplice(callableIn(Arg, In)); });
}

/// In a loop, or in a body that is here because of one.
bool Splicer::isPartOfStep(const Stmt &S, SpliceId In) const {
  if (In != NoId)
    return true;
  for (const Stmt *P = Parents.getParent(&S); P; P = Parents.getParent(P))
    if (isLoop(*P))
      return true;
  return false;
}

std::optional<Splice> Splicer::userCall(const CallExpr &Call, SpliceId In) const {
  const FunctionDecl *Callee = callee(Call, In);
  if (!hasBodyToSplice(Callee) || (!isLambdaBody(Callee) && Model.effectOf(*Callee)))
    return std::nullopt;
  if ((isIdle(*Callee) || !isPartOfStep(Call, In)) && !takesCallable(Call, In))
    return std::nullopt;
  Splice S;
  S.Call = &Call;
  S.Around = In;
  S.Body = Callee->getDefinition();
  llvm::ArrayRef<const Expr *> Arguments(Call.getArgs(), Call.getNumArgs());
  const auto *Direct = dyn_cast_or_null<CXXMethodDecl>(Call.getDirectCallee());
  if (isa<CXXOperatorCallExpr>(Call) && Direct && !Direct->isStatic()) {
    S.Object = Arguments.front();
    Arguments = Arguments.drop_front();
  } else if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call)) {
    S.Object = Member->getImplicitObjectArgument();
  }
  S.Operands.assign(Arguments.begin(), Arguments.end());
  return S;
}

/// `std::for_each(x.begin(), x.end(), [&](...) { ... })`: an algorithm of the library that is
/// given a range, or where one begins and how long it is, runs the lambda for each element.
std::optional<Splice> Splicer::algorithm(const CallExpr &Call, SpliceId In) const {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->isInStdNamespace() || isa<CXXMethodDecl>(Callee) || Call.getNumArgs() < 3)
    return std::nullopt;
  QualType First = strip(Call.getArg(0))->getType(), Last = strip(Call.getArg(1))->getType();
  const FunctionDecl *Body = callableIn(Call.getArg(Call.getNumArgs() - 1), In);
  bool IsRange = First.getCanonicalType().getUnqualifiedType() ==
                     Last.getCanonicalType().getUnqualifiedType() ||
                 Last->isIntegerType();
  if (!IsRange || !hasBodyToSplice(Body) || isIdle(*Body))
    return std::nullopt;
  Splice S;
  S.Call = &Call;
  S.Around = In;
  S.Body = Body->getDefinition();
  S.Repeats = true;
  for (const ParmVarDecl *Param : Body->parameters()) {
    const auto It = llvm::find_if(Call.arguments(), [&](const Expr *Arg) {
      return Model.holdsTensors(Param->getType()) && Model.isTensorIterator(strip(Arg)->getType());
    });
    S.Operands.push_back(It == Call.arg_end() ? nullptr : *It);
  }
  return S;
}

std::optional<Splice> Splicer::spliceFor(const Stmt &S, SpliceId In) const {
  const auto *Call = dyn_cast<CallExpr>(&S);
  if (!Call)
    return std::nullopt;
  auto Found = userCall(*Call, In);
  return Found ? Found : algorithm(*Call, In);
}

bool isAlgorithm(const FunctionFacts &Facts, const Stmt &S, const Stmt &Body) {
  return llvm::any_of(Facts.Splices, [&](const Splice &Each) {
    return Each.Call == &S && Each.Repeats && Each.Body->getBody() == &Body;
  });
}

//===-- The graph ---------------------------------------------------------===//

CFGBlock *Splicer::newBlock(SpliceId In) {
  BodyOfBlock.push_back(In);
  return Out->createBlock();
}

void Splicer::join(CFGBlock &From, CFGBlock &To) {
  From.addSuccessor(CFGBlock::AdjacentBlock(&To, /*IsReachable=*/true),
                    Out->getBumpVectorContext());
}

/// Of an element, what FactsGenerator looks at.
static void appendTo(CFGBlock &To, const CFGElement &Element, BumpVectorContext &Memory) {
  if (auto S = Element.getAs<CFGStmt>())
    To.appendStmt(const_cast<Stmt *>(S->getStmt()), Memory);
  else if (auto Init = Element.getAs<CFGInitializer>())
    To.appendInitializer(const_cast<CXXCtorInitializer *>(Init->getInitializer()), Memory);
  else if (auto Dtor = Element.getAs<CFGAutomaticObjDtor>())
    To.appendAutomaticObjDtor(const_cast<VarDecl *>(Dtor->getVarDecl()),
                              const_cast<Stmt *>(Dtor->getTriggerStmt()), Memory);
}

/// A block takes its last element first.
void Splicer::fillBlocks() {
  for (auto &[Block, Elements] : ElementsOf)
    for (const CFGElement &Element : llvm::reverse(Elements))
      appendTo(*Block, Element, Out->getBumpVectorContext());
}

/// The block that goes on behind the body, which follows \p Before; null where the body would
/// make the graph too large.
CFGBlock *Splicer::insert(Splice What, CFGBlock &Before) {
  auto Graph = graphOf(*What.Body);
  if (!Graph || isOver(Budget::SplicedBlocks, Out->getNumBlockIDs() + Graph->getNumBlockIDs()))
    return nullptr;
  Used.insert(What.Body->getCanonicalDecl());
  const SpliceId Id = Facts.Splices.size();
  Stmt *Call = const_cast<Expr *>(What.Call);
  Parents.add(What.Body->getBody(), What.Call);
  Facts.Splices.push_back(std::move(What));
  const Splice Placed = Facts.Splices.back();
  ElementsOf[&Before].push_back(CFGStmt(Call));
  CFGBlock *Behind = newBlock(Placed.Around);
  ElementsOf[Behind].push_back(CFGStmt(Call));
  CFGBlock *Round = Placed.Repeats ? newBlock(Placed.Around) : nullptr;
  CFGBlock *Entry = copy(*Graph, Id, Round ? *Round : *Behind);
  join(Before, Round ? *Round : *Entry);
  if (Round) {
    Round->setTerminator(CFGTerminator(Call));
    join(*Round, *Entry);
    join(*Round, *Behind);
  }
  return Behind;
}

/// The block that the last element went to.
CFGBlock *Splicer::copyElements(const CFGBlock &From, CFGBlock &To, SpliceId In) {
  CFGBlock *Now = &To;
  for (const CFGElement &Element : From) {
    auto S = Element.getAs<CFGStmt>();
    auto What = S ? spliceFor(*S->getStmt(), In) : std::nullopt;
    CFGBlock *Behind = What ? insert(std::move(*What), *Now) : nullptr;
    if (Behind)
      Now = Behind;
    else
      ElementsOf[Now].push_back(Element);
  }
  return Now;
}

void Splicer::copyBlock(const CFGBlock &From, SpliceId In) {
  CFGBlock *First = CopyOf.lookup(&From);
  First->setLabel(const_cast<Stmt *>(From.getLabel()));
  CFGBlock *Last = copyElements(From, *First, In);
  Last->setTerminator(From.getTerminator());
  Last->setLoopTarget(From.getLoopTarget());
  if (From.hasNoReturnElement())
    Last->setHasNoReturnElement();
  for (const CFGBlock::AdjacentBlock &To : From.succs()) {
    CFGBlock *Reached = To.getReachableBlock();
    CFGBlock *Next = CopyOf.lookup(Reached ? Reached : To.getPossiblyUnreachableBlock());
    Last->addSuccessor(CFGBlock::AdjacentBlock(Next, Reached != nullptr),
                       Out->getBumpVectorContext());
  }
}

/// The entry of the copy, of which all ways lead to \p Exit.
CFGBlock *Splicer::copy(const CFG &From, SpliceId In, CFGBlock &Exit) {
  for (const CFGBlock *Block : From)
    CopyOf[Block] = Block == &From.getExit() ? &Exit : newBlock(In);
  for (auto It = From.synthetic_stmt_begin(); It != From.synthetic_stmt_end(); ++It)
    Out->addSyntheticDeclStmt(It->first, It->second);
  for (const CFGBlock *Block : From)
    if (Block != &From.getExit())
      copyBlock(*Block, In);
  return CopyOf.lookup(&From.getEntry());
}

bool Splicer::isAnyIn(const CFG &Graph) {
  return llvm::any_of(Graph, [&](const CFGBlock *Block) {
    return llvm::any_of(*Block, [&](const CFGElement &Element) {
      auto S = Element.getAs<CFGStmt>();
      return S && spliceFor(*S->getStmt(), NoId);
    });
  });
}

void Splicer::run(std::unique_ptr<CFG> Own) {
  if (isAnyIn(*Own)) {
    Facts.Own = std::move(Own);
    Facts.Cfg = std::make_unique<CFG>();
    Out = Facts.Cfg.get();
    CFGBlock *Exit = newBlock(NoId); // the first one is the exit
    Out->setEntry(copy(*Facts.Own, NoId, *Exit));
    fillBlocks();
  } else {
    Facts.Cfg = std::move(Own);
    BodyOfBlock.assign(Facts.Cfg->getNumBlockIDs(), NoId);
  }
}

} // namespace tensorleak
