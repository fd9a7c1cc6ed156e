//===-- Devices.cpp - Devices of factories ------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/Rewritings.h"

using namespace clang;

namespace tensorleak::rewriter {
namespace {

bool isFactory(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->getIdentifier() || isa<CXXMethodDecl>(Callee) ||
      !isTensor(Callee->getReturnType()))
    return false;
  return llvm::is_contained({"zeros", "ones", "rand", "randn", "full", "empty", "arange", "eye"},
                            Callee->getName());
}

bool isOptions(const Expr *Argument) {
  const auto *Record = Argument->getType().getNonReferenceType()->getAsCXXRecordDecl();
  return Record && Record->getIdentifier() && Record->getName() == "TensorOptions";
}

/// Factories whose options are left to their defaults: a leaf that requires a gradient
/// would not be a leaf behind .to().
std::vector<const CallExpr *> plainFactories(const Unit &U, const FunctionDecl &F) {
  std::vector<const CallExpr *> Out;
  for (const auto *Call : U.all<CallExpr>(F.getBody()))
    if (isFactory(*Call) && llvm::none_of(Call->arguments(), [](const Expr *A) {
          return !isa<CXXDefaultArgExpr>(A) && isOptions(A);
        }))
      Out.push_back(Call);
  return Out;
}

void addBehindFactories(const Unit &U, Sites &Out, const char *Text) {
  for (const FunctionDecl *F : U.functions())
    for (const CallExpr *Call : plainFactories(U, *F))
      if (auto Where = U.span(Call->getSourceRange()))
        Out.push_back({U.line(Where->Begin), {{Where->End, 0, Text}}});
}

/// The options stand behind the sizes, before other arguments: only where none follow.
bool takesOptionsNext(const CallExpr &Call) {
  for (const Expr *Argument : Call.arguments())
    if (isa<CXXDefaultArgExpr>(Argument))
      return isOptions(Argument);
  return false;
}

void addVariable(const Unit &U, Sites &Out, const FunctionDecl &F) {
  auto Body = U.span(F.getBody()->getSourceRange());
  if (!Body)
    return;
  Site S{U.line(Body->Begin), {}};
  for (const CallExpr *Call : plainFactories(U, F))
    if (auto Where = U.span(Call->getSourceRange()); Where && takesOptionsNext(*Call))
      S.Edits.push_back({Where->End - 1, 0, ", chosen_device"});
  if (!S.Edits.empty())
    S.Edits.push_back({Body->Begin + 1, 0, " torch::Device chosen_device(torch::kCUDA);"});
  keep(Out, std::move(S));
}

} // namespace

void toDevice(const Unit &U, Sites &Out) {
  addBehindFactories(U, Out, ".to(torch::Device(torch::kCUDA))");
}

void cudaAfter(const Unit &U, Sites &Out) { addBehindFactories(U, Out, ".cuda()"); }

void deviceVariable(const Unit &U, Sites &Out) {
  for (const FunctionDecl *F : U.functions())
    addVariable(U, Out, *F);
}

} // namespace tensorleak::rewriter
