//===-- Forms.cpp - Other forms of one statement or expression -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/Rewritings.h"
#include "test/metamorphic/rewriter/rewritings/Holders.h"

#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace tensorleak::rewriter {
namespace {

template <typename Node>
void forEachNode(const Unit &U, Sites &Out, void (*Add)(const Unit &, Sites &, const Node &)) {
  for (const FunctionDecl *F : U.functions())
    for (const auto *N : U.all<Node>(F->getBody()))
      Add(U, Out, *N);
}

bool hasComparison(const Unit &U, const Expr *E) {
  return llvm::any_of(U.all<BinaryOperator>(E),
                      [](const BinaryOperator *Op) { return Op->isComparisonOp(); });
}

void addSwappedSides(const Unit &U, Sites &Out, const BinaryOperator &Op) {
  if (!Op.isComparisonOp() || hasComparison(U, Op.getLHS()) || hasComparison(U, Op.getRHS()))
    return;
  auto Left = U.span(Op.getLHS()->getSourceRange()), Right = U.span(Op.getRHS()->getSourceRange());
  if (!Left || !Right || Op.getOperatorLoc().isMacroID())
    return;
  const auto Swapped =
      Op.isRelationalOp() ? BinaryOperator::reverseComparisonOp(Op.getOpcode()) : Op.getOpcode();
  const std::string Text =
      U.text(*Right) + " " + BinaryOperator::getOpcodeStr(Swapped).str() + " " + U.text(*Left);
  Out.push_back({U.line(Left->Begin), {{Left->Begin, Right->End - Left->Begin, Text}}});
}

/// A statement that is a call, with nothing that would end with a block around it.
void addOnce(const Unit &U, Sites &Out, const CallExpr &Call) {
  const Stmt *Whole = U.enclosingStatement(&Call);
  const auto *E = dyn_cast_or_null<Expr>(Whole);
  auto Where = E && E->IgnoreImplicit() == &Call ? U.statement(Whole) : std::nullopt;
  if (Where)
    Out.push_back(
        {U.line(Where->Begin), {{Where->Begin, 0, "do { "}, {Where->End, 0, " } while (0);"}}});
}

/// `x = f(y);` where x is a tensor with a name: the spans of both sides.
struct Assignment {
  Span Whole, Left, Right;
};

std::optional<Assignment> assignmentOf(const Unit &U, const CXXOperatorCallExpr &Call) {
  const Stmt *S = U.enclosingStatement(&Call);
  const auto *E = dyn_cast_or_null<Expr>(S);
  bool IsWhole = E && E->IgnoreImplicit() == &Call && Call.getOperator() == OO_Equal;
  const Expr *To = IsWhole ? Call.getArg(0) : nullptr;
  if (!To || !isTensor(To->getType()) || !isPlace(To) || !isTensor(Call.getArg(1)->getType()))
    return std::nullopt;
  auto Whole = U.statement(S), Left = U.span(To->getSourceRange()),
       Right = U.span(Call.getArg(1)->getSourceRange());
  return Whole && Left && Right ? std::optional(Assignment{*Whole, *Left, *Right}) : std::nullopt;
}

void addAssignment(const Unit &U, Sites &Out, const CXXOperatorCallExpr &Call,
                   llvm::StringRef Before, llvm::StringRef Between, bool ValueFirst) {
  auto Found = assignmentOf(U, Call);
  if (!Found)
    return;
  const std::string To = U.text(Found->Left), Value = U.text(Found->Right);
  const std::string Text = Before.str() + (ValueFirst ? Value : To) + Between.str() +
                           (ValueFirst ? To + ", fresh); }" : Value + ");");
  Out.push_back({U.line(Found->Whole.Begin),
                 {{Found->Whole.Begin, Found->Whole.End - Found->Whole.Begin, Text}},
                 {"utility"}});
}

class ClassFinder : public RecursiveASTVisitor<ClassFinder> {
public:
  bool VisitCXXRecordDecl(CXXRecordDecl *R) {
    Found.push_back(R);
    return true;
  }
  std::vector<const CXXRecordDecl *> Found;
};

/// A class that no list in braces fills field by field.
bool canHaveEmptyBase(const CXXRecordDecl &R) {
  return R.isThisDeclarationADefinition() && R.getIdentifier() && !R.isLambda() && !R.isUnion() &&
         !R.getNumBases() && !R.isAggregate() && R.getLocation().isFileID() &&
         !isa<ClassTemplateSpecializationDecl>(R) && !R.hasAttr<FinalAttr>();
}

} // namespace

void swappedSides(const Unit &U, Sites &Out) {
  forEachNode<BinaryOperator>(U, Out, addSwappedSides);
}

void inDoWhile(const Unit &U, Sites &Out) { forEachNode<CallExpr>(U, Out, addOnce); }

void bySwap(const Unit &U, Sites &Out) {
  forEachNode<CXXOperatorCallExpr>(
      U, Out, [](const Unit &U, Sites &Out, const CXXOperatorCallExpr &Call) {
        addAssignment(U, Out, Call, "{ auto fresh = ", "; std::swap(", /*ValueFirst=*/true);
      });
}

void byExchange(const Unit &U, Sites &Out) {
  forEachNode<CXXOperatorCallExpr>(
      U, Out, [](const Unit &U, Sites &Out, const CXXOperatorCallExpr &Call) {
        addAssignment(U, Out, Call, "(void)std::exchange(", ", ", /*ValueFirst=*/false);
      });
}

void emptyBase(const Unit &U, Sites &Out) {
  ClassFinder Finder;
  for (Decl *D : U.decls())
    Finder.TraverseDecl(D);
  for (const CXXRecordDecl *R : Finder.Found)
    if (auto Name =
            canHaveEmptyBase(*R) ? U.span({R->getLocation(), R->getLocation()}) : std::nullopt)
      Out.push_back({U.line(Name->Begin),
                     {{Name->End, 0, " : public NothingInIt"}},
                     {},
                     "struct NothingInIt {};\n"});
}

} // namespace tensorleak::rewriter
