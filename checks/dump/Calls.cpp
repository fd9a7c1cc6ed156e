//===-- Calls.cpp - What the API model says of each call -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/dump/EnumNames.h"
#include "checks/dump/Sections.h"
#include "checks/dump/Words.h"
#include "checks/model/OptimizerModel.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

std::string familiesText(FamilySet Families) {
  std::string Out;
  for (unsigned I = 0; I < unsigned(Family::Count); ++I)
    if (Families & only(Family(I)))
      Out += " " + enumName(Family(I)).str();
  return Out;
}

/// "Device (device memory, cudaFree, memory)"
std::string familyText(Family F) {
  const FamilyInfo &Info = infoOf(F);
  return " " + enumName(F).str() + " (" + Info.What.str() + ", " + Info.Release.str() +
         (Info.IsMemory ? ", memory" : "") + (Info.IsHost ? ", on the host)" : ")");
}

/// "Out Device (device memory, cudaFree, memory), argument 0, size 1"
std::string resourceText(const ResourceEffect &E) {
  std::string Out = enumName(E.What).str();
  if (E.What == ResourceEffect::FreeAll)
    return Out;
  Out += E.Kind_ == Family::Count ? familiesText(E.Accepts) : familyText(E.Kind_);
  bool OfArgument = E.What != ResourceEffect::Result && E.What != ResourceEffect::FreeSelf &&
                    (E.Accepts || E.Kind_ != Family::Count);
  if (OfArgument)
    Out += ", argument " + std::to_string(E.Argument);
  return E.Sizes.empty() ? Out : Out + ", size " + E.Sizes.str();
}

class CallDumper {
public:
  CallDumper(Unit &U, const ResourceModel &Resources, llvm::raw_ostream &Out)
      : U(U), Resources(Resources), Out(Out) {}

  void visitFunction(const FunctionDecl &F) {
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(&F))
      for (const CXXCtorInitializer *Init : Constructor->inits())
        visit(Init->getInit());
    visit(F.getBody());
  }

private:
  /// The body of a lambda is a function of its own.
  void visit(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return;
    if (const auto *Call = dyn_cast<CallExpr>(S))
      visitCall(*Call);
    if (const auto *Made = dyn_cast<CXXConstructExpr>(S))
      visitConstruct(*Made);
    for (const Stmt *Child : S->children())
      visit(Child);
  }

  void visitCall(const CallExpr &Call) {
    const FunctionDecl *Callee = Call.getDirectCallee();
    if (!Callee)
      return;
    begin(Call) << "call " << Callee->getNameAsString() << ": ";
    std::string Known = describe(Call, *Callee);
    Out << (Known.empty() ? "not in the model" : Known) << '\n';
  }

  std::string describe(const CallExpr &Call, const FunctionDecl &Callee) {
    std::string Text;
    auto Add = [&](const std::string &More) { Text += (Text.empty() ? "" : "; ") + More; };
    auto E = U.model().effectOf(Callee);
    if (E)
      Add(effectText(*E));
    if (E && E->What == Does::Forward && isOnParameterlessModule(Call))
      Add("without parameters");
    for (const ResourceEffect &R : Resources.effectsOf(Callee))
      Add(resourceText(R));
    if (isDeviceStatus(Call.getType()))
      Add("returns a status");
    return Text;
  }

  bool isOnParameterlessModule(const CallExpr &Call) {
    const Expr *Object = nullptr;
    if (const auto *M = dyn_cast<CXXMemberCallExpr>(&Call))
      Object = M->getImplicitObjectArgument();
    else if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&Call))
      Object = Op->getArg(0);
    return Object && U.model().isParameterless(Object->getType());
  }

  void visitConstruct(const CXXConstructExpr &Made) {
    if (unsigned Times = stateOfOptimizer(Made.getType()))
      begin(Made) << "optimizer: state of " << Times << " times its parameters\n";
  }

  llvm::raw_ostream &begin(const Expr &E) {
    return Out << placeInSource(E.getExprLoc(), U.context().getSourceManager()) << ": ";
  }

  Unit &U;
  const ResourceModel &Resources;
  llvm::raw_ostream &Out;
};

} // namespace

void dumpCalls(Unit &U, const ResourceModel &Resources, const FunctionUnit &F,
               llvm::raw_ostream &Out) {
  CallDumper(U, Resources, Out).visitFunction(*F.Facts->Function);
}

} // namespace tensorleak
