//===-- Splicing.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/splicing/Splicing.h"

#include "checks/Budgets.h"
#include "checks/source/Statements.h"
#include "clang/AST/ASTContext.h"
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

/// All ways of the body, which follows \p Before, lead to \p Behind.
void Splicer::insertBody(Splice What, const CFG &Graph, CFGBlock &Before, CFGBlock &Behind) {
  const SpliceId Id = Facts.Splices.size();
  Stmt *Call = const_cast<Expr *>(What.Call);
  Parents.add(What.Body->getBody(), What.Call);
  Facts.Splices.push_back(std::move(What));
  const Splice Placed = Facts.Splices.back();
  CFGBlock *Round = Placed.Repeats ? newBlock(Placed.Around) : nullptr;
  CFGBlock *Entry = copy(Graph, Id, Round ? *Round : Behind);
  join(Before, Round ? *Round : *Entry);
  if (Round) {
    Round->setTerminator(CFGTerminator(Call));
    join(*Round, *Entry);
    join(*Round, Behind);
  }
}

/// A block that is the call itself, on one of its ways.
CFGBlock *Splicer::newWay(WayOfCall Way, SpliceId In) {
  CFGBlock *Block = newBlock(In);
  ElementsOf[Block].push_back(CFGStmt(const_cast<Stmt *>(Way.Call)));
  Ways[Block->getBlockID()] = Way;
  return Block;
}

void Splicer::insertWays(Bodies What, llvm::ArrayRef<std::unique_ptr<CFG>> Graphs, CFGBlock &Before,
                         CFGBlock &Behind) {
  const Expr *Call = What.Each.front().Call;
  const SpliceId In = What.Each.front().Around;
  for (unsigned I = 0; I < Graphs.size(); ++I) {
    const WayOfCall Way{WayOfCall::Body, Call, SpliceId(Facts.Splices.size())};
    CFGBlock *Enter = newWay(Way, In), *Leave = newWay(Way, In);
    join(Before, *Enter);
    insertBody(std::move(What.Each[I]), *Graphs[I], *Enter, *Leave);
    join(*Leave, Behind);
  }
  if (!What.AreAll) {
    CFGBlock *Elsewhere = newWay({WayOfCall::Elsewhere, Call}, In);
    join(Before, *Elsewhere);
    join(*Elsewhere, Behind);
  }
  if (What.MayBeNone)
    join(Before, Behind);
}

/// The block that goes on behind what the call runs, which follows \p Before; null where that
/// would make the graph too large.
CFGBlock *Splicer::insert(Bodies What, CFGBlock &Before) {
  llvm::SmallVector<std::unique_ptr<CFG>, 2> Graphs;
  unsigned Blocks = Out->getNumBlockIDs();
  for (const Splice &Each : What.Each) {
    Graphs.push_back(graphOf(*Each.Body));
    if (!Graphs.back() || isOver(Budget::SplicedBlocks, Blocks += Graphs.back()->getNumBlockIDs()))
      return nullptr;
  }
  for (const Splice &Each : What.Each)
    Used.insert(Each.Body->getCanonicalDecl());
  const Expr *Call = What.Each.front().Call;
  const SpliceId In = What.Each.front().Around;
  const bool IsOne = Graphs.size() == 1 && What.AreAll && !What.MayBeNone;
  CFGBlock *Behind = IsOne ? newBlock(In) : newWay({WayOfCall::Meeting, Call}, In);
  if (!IsOne) {
    insertWays(std::move(What), Graphs, Before, *Behind);
    return Behind;
  }
  for (CFGBlock *Block : {&Before, Behind})
    ElementsOf[Block].push_back(CFGStmt(const_cast<Expr *>(Call)));
  insertBody(std::move(What.Each.front()), *Graphs.front(), Before, *Behind);
  return Behind;
}

/// The block that the last element went to.
CFGBlock *Splicer::copyElements(const CFGBlock &From, CFGBlock &To, SpliceId In) {
  CFGBlock *Now = &To;
  for (const CFGElement &Element : From) {
    auto S = Element.getAs<CFGStmt>();
    Bodies What = S ? bodiesFor(*S->getStmt(), In) : Bodies();
    CFGBlock *Behind = What.Each.empty() ? nullptr : insert(std::move(What), *Now);
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
      return S && !bodiesFor(*S->getStmt(), NoId).Each.empty();
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
