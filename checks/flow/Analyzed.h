//===-- Analyzed.h - For tests: a piece of code with all that is inferred --===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_ANALYZED_H
#define TENSORLEAK_CHECKS_FLOW_ANALYZED_H

#include "checks/flow/Unit.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include <gtest/gtest.h>

namespace tensorleak {

/// One analysed file on the stand-in headers.
class Analyzed {
public:
  explicit Analyzed(const std::string &Code, BudgetLimits Limits = {})
      : Ast(clang::tooling::buildASTFromCodeWithArgs(
            "#include <torch/script.h>\n#include <torch/torch.h>\nusing torch::Tensor;\n" + Code,
            {"-std=c++17", "-I" TENSORLEAK_MOCK_HEADERS})) {
    const clang::SourceManager &SM = Ast->getSourceManager();
    for (auto It = Ast->top_level_begin(); It != Ast->top_level_end(); ++It)
      if (SM.isInMainFile((*It)->getLocation()))
        Decls.push_back(*It);
    tensorleak::AnalyzerOptions Options;
    Options.Limits = std::move(Limits);
    Result = std::make_unique<Unit>(Ast->getASTContext(), Decls, Options, Stats);
  }

  const FunctionUnit &function(llvm::StringRef Name) const {
    for (const FunctionUnit &F : Result->functions())
      if (F.Facts->Function->getNameAsString() == Name)
        return F;
    ADD_FAILURE() << "no function " << Name.str();
    return Result->functions().front();
  }

  /// The state when the variable is initialized or assigned last.
  EventState stored(llvm::StringRef Function, llvm::StringRef Variable) const {
    const FunctionUnit &F = function(Function);
    EventState Last;
    for (unsigned I = 0; I < F.Facts->Events.size(); ++I)
      if (F.Facts->Events[I].Kind == EventKind::Store && name(F, F.Facts->Events[I]) == Variable)
        Last = F.State.AtEvent[I];
    EXPECT_TRUE(Last.Reached) << "nothing is stored in " << Variable.str();
    return Last;
  }

  unsigned count(llvm::StringRef Function, EventKind Kind) const {
    const FunctionUnit &F = function(Function);
    return llvm::count_if(F.Facts->Events, [&](const Event &E) { return E.Kind == Kind; });
  }

  /// The variable or member of that name that the function mentions.
  const clang::ValueDecl *variable(llvm::StringRef Function, llvm::StringRef Variable) const {
    const FunctionUnit &F = function(Function);
    for (PlaceId P = 0; P < F.Facts->Places.size(); ++P)
      if (const clang::ValueDecl *D = F.Facts->Places[P].Decl; D && D->getName() == Variable)
        return D;
    ADD_FAILURE() << "no variable " << Variable.str();
    return nullptr;
  }

  /// The member of that name of a class in the code.
  const clang::FieldDecl *field(llvm::StringRef Name) const {
    for (const clang::Decl *D : Decls)
      if (const auto *Class = clang::dyn_cast<clang::CXXRecordDecl>(D))
        for (const clang::FieldDecl *Field : Class->fields())
          if (Field->getName() == Name)
            return Field;
    ADD_FAILURE() << "no member " << Name.str();
    return nullptr;
  }

  uint8_t fate(llvm::StringRef Function, llvm::StringRef Variable) const {
    const clang::ValueDecl *D = variable(Function, Variable);
    return D ? Result->flow().fateOf(*D) : 0;
  }

  /// Where what each store of the variable puts there ends up, in the order of the source.
  std::vector<uint8_t> fatesOfStores(llvm::StringRef Function, llvm::StringRef Variable) const {
    const FunctionUnit &F = function(Function);
    std::vector<std::pair<unsigned, uint8_t>> Found; // by line
    for (const Event &E : F.Facts->Events)
      if (E.Kind == EventKind::Store && E.Val != NoId && name(F, E) == Variable)
        Found.push_back({Ast->getSourceManager().getSpellingLineNumber(E.At->getBeginLoc()),
                         Result->flow().fateOfValue(*F.Facts, E.Val)});
    llvm::sort(Found);
    std::vector<uint8_t> Out;
    for (const auto &[Line, Fate] : Found)
      Out.push_back(Fate);
    return Out;
  }

  const Unit &unit() const { return *Result; }
  Unit &unit() { return *Result; }
  const AnalyzerStats &stats() const { return Stats; }

private:
  static llvm::StringRef name(const FunctionUnit &F, const Event &E) {
    const clang::ValueDecl *D = F.Facts->Places[E.Place].Decl;
    return D ? D->getName() : "";
  }

  std::unique_ptr<clang::ASTUnit> Ast;
  std::vector<clang::Decl *> Decls;
  AnalyzerStats Stats;
  std::unique_ptr<Unit> Result;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FLOW_ANALYZED_H
