//===-- Rule.cpp - Words that the rules share -----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/Rule.h"

#include "checks/facts/Ways.h"
#include "clang/AST/ASTLambda.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace tensorleak {

LoopId FunctionChecker::outermostLoop(LoopId L) const {
  while (L != NoId && Facts.Loops[L].Parent != NoId)
    L = Facts.Loops[L].Parent;
  return L;
}

const Stmt *FunctionChecker::whereToSay(const Stmt *At, SpliceId In) const {
  const Stmt *Where = At;
  for (; In != NoId; In = Facts.Splices[In].Around) {
    if (isLambdaCallOperator(Facts.Splices[In].Body)) // is written where it is handed on
      continue;
    const FunctionUnit *Callee = U.find(*Facts.Splices[In].Body);
    if (!Callee || Callee->CallSites != 1)
      Where = Facts.Splices[In].Call;
  }
  return Where;
}

/// The event of \p F by itself that stands at \p At.
static unsigned eventAt(const FunctionUnit &F, EventKind Kind, const Stmt *At) {
  for (unsigned I = 0; I < F.Facts->Events.size(); ++I)
    if (const Event &E = F.Facts->Events[I]; E.Kind == Kind && E.At == At && E.In == NoId)
      return I;
  return NoId;
}

bool FunctionChecker::isAlwaysDone(const Event &E) const {
  const Stmt *At = E.At;
  EventKind Kind = E.Kind;
  const bool InTraining = Kind == EventKind::Hook;
  for (SpliceId In = E.In; In != NoId; In = Facts.Splices[In].Around) {
    const FunctionUnit *Callee = U.find(*Facts.Splices[In].Body);
    unsigned Index = Callee ? eventAt(*Callee, Kind, At) : NoId;
    if (Index == NoId || !isUnconditional(*Callee->Facts, Index, InTraining))
      return false;
    At = Facts.Splices[In].Call;
    Kind = EventKind::UserCall;
  }
  return true;
}

void FunctionChecker::addCalls(Diagnosis &D, const Event &E, llvm::StringRef Says) const {
  for (SpliceId In = E.In; In != NoId; In = Facts.Splices[In].Around)
    D.Notes.push_back({Facts.Splices[In].Call->getBeginLoc(), Says.str()});
}

std::string quoted(const ValueDecl &D) { return "'" + D.getNameAsString() + "'"; }

const ValueDecl *holderDecl(const FunctionFacts &Facts, PlaceId P) {
  return P == NoId ? nullptr : Facts.Places[P].Decl;
}

std::string describeHolder(const FunctionFacts &Facts, PlaceId P) {
  const Place &Holder = Facts.Places[P];
  if (Holder.isEntry())
    return describeHolder(Facts, Holder.Parent);
  if (Holder.isField())
    return "a member";
  switch (Holder.Root) {
  case Place::Static: {
    const auto *V = dyn_cast<VarDecl>(Holder.Decl);
    return V && V->isStaticLocal() ? "a static variable" : "a global";
  }
  case Place::Param:
    return "the caller's";
  case Place::Captured:
    return "captured by reference";
  default:
    return "declared outside the loop";
  }
}

std::string sourceText(const Expr &E, const ASTContext &Context) {
  auto Range = CharSourceRange::getTokenRange(E.getSourceRange());
  std::string Text =
      Lexer::getSourceText(Range, Context.getSourceManager(), Context.getLangOpts()).str();
  for (size_t At; (At = Text.find_first_of("\n\t")) != std::string::npos;)
    Text[At] = ' ';
  return Text.size() > 60 ? Text.substr(0, 57) + "..." : Text;
}

std::string indentationIn(const CompoundStmt &Block, const SourceManager &Sources) {
  const SourceLocation Brace = Block.getLBracLoc();
  for (const Stmt *Each : Block.body()) {
    SourceLocation At = Sources.getExpansionLoc(Each->getBeginLoc());
    if (Sources.getSpellingLineNumber(At) != Sources.getSpellingLineNumber(Brace))
      return Lexer::getIndentationForLine(At, Sources).str();
  }
  return Lexer::getIndentationForLine(Brace, Sources).str() + "  ";
}

std::string describeSize(const TensorType &T) {
  if (auto Bytes = T.bytes())
    return formatBytes(*Bytes);
  std::string Formula = T.bytesFormula();
  return Formula.empty() ? Formula : Formula + " bytes";
}

std::string sizeSuffix(const TensorType &T, llvm::StringRef Per, llvm::StringRef About) {
  std::string Size = describeSize(T);
  return Size.empty() ? Size : (": " + About + " " + Size + Per).str();
}

void setSize(Diagnosis &D, const TensorType &T) {
  D.Bytes = T.bytes();
  D.BytesFormula = T.bytesFormula();
}

const Expr *producer(const FunctionFacts &Facts, ValueId V) {
  using Next = ValueWalk::Next;
  const Expr *Found = nullptr;
  ValueWalk Walk(Facts, ValueWalk::Variables::Earlier);
  Walk.before(Facts.Events.size()).any(V, [&](ValueId Part, unsigned) {
    const Value &Val = Facts.Values[Part];
    if (Val.From == Source::Load || (Val.From == Source::Group && Val.Inputs.size() == 1))
      return Next::Into;
    Found = Val.E;
    return Next::Found;
  });
  return Found;
}

SourceLocation placeOfEvent(const Event &E) {
  if (E.Inner.isValid())
    return E.Inner;
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E.At))
    return Call->getBeginLoc();
  return E.At->getBeginLoc();
}

SourceRange rangeOfLoop(const FunctionFacts &Facts, LoopId L) {
  return L == NoId ? SourceRange() : Facts.Loops[L].S->getSourceRange();
}

} // namespace tensorleak
