//===-- ResourceAlgorithms.cpp - What an algorithm does with each element ---===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `std::for_each(all.begin(), all.end(), [](T *p) { free(p); });` is a loop over the elements, of
// which each is handed to a function in view.
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"

#include "checks/model/ClassNames.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace tensorleak {

/// No handle: those are integers at most by another name.
static bool isPlainNumber(llvm::ArrayRef<Step> Steps) {
  return !Steps.empty() && Steps.back().Decl && isa<BuiltinType>(Steps.back().Decl->getType());
}

/// What the lambda \p Known is given stays where it is, and gets nothing.
static bool leavesArguments(const ResourceSummary &Known) {
  auto IsArgument = [](const RelativeResourcePath &P) {
    return P.Root == RelativeResourcePath::Param && !isPlainNumber(P.Steps);
  };
  return Known.ReturnsParams.empty() && llvm::none_of(Known.Escapes, IsArgument) &&
         llvm::none_of(Known.Doubts, IsArgument) && llvm::none_of(Known.TreesEscape, IsArgument) &&
         llvm::none_of(Known.Views, IsArgument) &&
         llvm::none_of(Known.Releases, [&](const auto &G) { return IsArgument(G.Where); }) &&
         llvm::none_of(Known.Returns, [&](const auto &S) { return IsArgument(S.From); }) &&
         llvm::none_of(Known.Stores, [&](const auto &S) { return IsArgument(S.From); }) &&
         llvm::none_of(Known.Takes,
                       [&](const auto &T) { return llvm::any_of(T.Where, IsArgument); });
}

/// Of a lambda with parameters of any type, the only instance.
static const FunctionDecl *bodyOf(const CXXMethodDecl *Operator) {
  const FunctionTemplateDecl *Template =
      Operator ? Operator->getDescribedFunctionTemplate() : nullptr;
  if (!Template)
    return Operator;
  const auto All = Template->specializations();
  return std::distance(All.begin(), All.end()) == 1 ? *All.begin() : nullptr;
}

/// The function that \p Arg names, or the body of the lambda that it is.
static const FunctionDecl *functionGiven(const Expr &Arg) {
  const Expr *Given = bare(&Arg);
  const auto *Class = Given->getType().isNull() // what was not understood
                          ? nullptr
                          : Given->getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (Class)
    return Class->isLambda() ? bodyOf(Class->getLambdaCallOperator()) : nullptr;
  const auto *Ref = dyn_cast<DeclRefExpr>(Given);
  return Ref ? dyn_cast<FunctionDecl>(Ref->getDecl()) : nullptr;
}

/// A lambda in view that neither frees nor keeps what it is given.
bool ResourceGenerator::leavesElements(const Expr &Predicate) const {
  const FunctionDecl *Body = functionGiven(Predicate);
  const ResourceSummary *Known = Body ? summaryOf(*Body) : nullptr;
  return Known && leavesArguments(*Known);
}

/// The elements of the range that \p First begins, or into which an inserter puts what it gets.
PathId ResourceGenerator::rangeGiven(const Expr &First) {
  const Expr *Given = bare(&First);
  if (Given->getType().isNull())
    return NoPath;
  if (Given->getType()->isPointerType()) { // that of an array
    const Operand At = operand(&First);
    const bool IsElement = At.size() == 1 && At[0].What == Atom::Address &&
                           Out->Paths.last(At[0].Id).What == Step::Elem;
    return IsElement ? At[0].Id : NoPath;
  }
  const auto *Call = dyn_cast<CallExpr>(Given);
  const bool Inserts = isInserter(Given->getType());
  if (!Inserts && !isContainer(Given->getType()))
    return elementOf(First);
  const Expr *Container = !Inserts ? Given : Call && Call->getNumArgs() ? Call->getArg(0) : nullptr;
  const PathId P = Container ? pathOf(Container) : NoPath;
  return P == NoPath ? NoPath : Out->Paths.extend(P, Step::elem());
}

/// What the function returned that \p Call runs is in \p Element, and not dropped.
void ResourceGenerator::storeResults(const CallExpr &Call, PathId Element) {
  auto Returned = Results.find(&Call);
  if (Returned == Results.end())
    return;
  for (const Atom &A : Returned->second)
    if (A.What == Atom::Fresh) {
      Unnamed.erase(A.Id);
      Out->Sites[A.Id].Dropped = false;
    }
  ResourceEvent &Store = emit(ResourceEventKind::Assign, Call);
  Store.Path = Element;
  Store.Value = std::move(Returned->second);
  Results.erase(&Call); // the algorithm returns an iterator
}

namespace {
/// The places of an algorithm's arguments, of which the last is the function.
struct AlgorithmForm {
  llvm::StringRef Name;
  unsigned Arguments;
  int Out;    ///< gets what the function returns; -1 for nothing
  bool Reads; ///< the function is given elements of the first range
};
} // namespace

static const AlgorithmForm *formOf(const FunctionDecl &Callee, size_t Arguments) {
  static constexpr AlgorithmForm Forms[] = {
      {"for_each", 3, -1, true},  {"for_each_n", 3, -1, true},       {"remove_if", 3, -1, true},
      {"partition", 3, -1, true}, {"stable_partition", 3, -1, true}, {"count_if", 3, -1, true},
      {"find_if", 3, -1, true},   {"any_of", 3, -1, true},           {"all_of", 3, -1, true},
      {"none_of", 3, -1, true},   {"erase_if", 2, -1, true},         {"transform", 4, 2, true},
      {"generate", 3, 0, false},  {"generate_n", 3, 0, false},
  };
  for (const AlgorithmForm &Form : Forms)
    if (Callee.getIdentifier() && Callee.getName() == Form.Name && Arguments == Form.Arguments)
      return &Form;
  return nullptr;
}

/// Whether \p Call is an algorithm that gives each element to a function in view, or gets each
/// from one, and what that does is written down. Where the function only looks, the algorithm
/// does nothing but put the elements into another order; see onlyRearranges().
bool ResourceGenerator::visitAlgorithm(const CallExpr &Call, Args Arguments) {
  const FunctionDecl &Callee = *Call.getDirectCallee();
  const AlgorithmForm *Form = isa<CXXMethodDecl>(Callee) || !Callee.isInStdNamespace()
                                  ? nullptr
                                  : formOf(Callee, Arguments.size());
  const FunctionDecl *Run = Form ? functionGiven(*Arguments.back()) : nullptr;
  const ResourceSummary *Known = Run ? summaryOf(*Run) : nullptr;
  const bool Fits = Run && Run->getNumParams() == (Form->Reads ? 1 : 0);
  if (!Known || !Fits || (Form->Out < 0 && leavesArguments(*Known)) ||
      (Form->Out >= 0 && Run->getReturnType()->isRecordType()))
    return false;
  const PathId From = rangeGiven(*Arguments.front());
  const PathId To = Form->Out < 0 ? NoPath : rangeGiven(*Arguments[Form->Out]);
  if (From == NoPath || (Form->Out >= 0 && To == NoPath))
    return false;
  const Expr *Each = Arguments.front();
  if (Form->Reads)
    EachElement[Each] = From;
  applySummary({Call, &Call, *Run, Form->Reads ? Args(Each) : Args(), NoPath}, *Known);
  EachElement.erase(Each);
  if (To != NoPath)
    storeResults(Call, To);
  return true;
}

} // namespace tensorleak
