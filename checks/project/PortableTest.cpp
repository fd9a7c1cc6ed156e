//===-- PortableTest.cpp - Summaries survive the way to another file -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/project/Portable.h"

#include "checks/Analyzer.h"
#include "checks/Exports.h"
#include "checks/project/Imports.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include <gtest/gtest.h>

using namespace clang;
using namespace tensorleak;

namespace {

constexpr const char *Header = R"(
#include <torch/torch.h>
extern "C" int cudaMalloc(void **, unsigned long);
extern "C" int cudaFree(void *);
struct Agent {
  std::vector<torch::Tensor> Kept, Cleared;
  void *Buffer;
  void keep(torch::Tensor T);
  void clear();
};
extern std::vector<torch::Tensor> Global;
torch::Tensor passOn(torch::Tensor A, torch::Tensor B);
void fill(Agent &A, torch::Tensor T);
void take(void **Out);
void give(void *P);
void openHelper(torch::Tensor T);
)";

/// One file of a project of two.
class File {
public:
  explicit File(const std::string &Code, ProjectView *View = nullptr)
      : Ast(tooling::buildASTFromCodeWithArgs(Header + Code,
                                              {"-std=c++17", "-I" TENSORLEAK_MOCK_HEADERS})) {
    const SourceManager &SM = Ast->getSourceManager();
    for (auto It = Ast->top_level_begin(); It != Ast->top_level_end(); ++It)
      if (SM.isInMainFile((*It)->getLocation()))
        Decls.push_back(*It);
    tensorleak::AnalyzerOptions Options;
    Options.Project = View;
    Options.Exports = &Facts;
    analyze(Ast->getASTContext(), Decls, Options);
  }

  const FunctionDecl *function(llvm::StringRef Name) const {
    for (Decl *D : Decls)
      if (const FunctionDecl *F = D->getAsFunction(); F && F->getName() == Name)
        return F;
    ADD_FAILURE() << "no function " << Name.str();
    return nullptr;
  }

  FileFacts Facts;
  std::vector<Decl *> Decls;

private:
  std::unique_ptr<ASTUnit> Ast;
};

/// Tells what one file said.
class OneFileView : public ProjectView {
public:
  explicit OneFileView(const FileFacts &Facts) : Facts(Facts) {}
  nlohmann::json ask(const std::string &Key) override {
    auto It = Facts.find(Key);
    return It == Facts.end() ? nlohmann::json() : It->second;
  }

private:
  const FileFacts &Facts;
};

constexpr const char *Bodies = R"(
std::vector<torch::Tensor> Global;
static std::vector<torch::Tensor> Hidden;
void Agent::keep(torch::Tensor T) { Kept.push_back(T); cudaMalloc(&Buffer, 8); }
void Agent::clear() { Cleared.clear(); cudaFree(Buffer); }
torch::Tensor passOn(torch::Tensor A, torch::Tensor B) { Global.push_back(A); return B + 1; }
void fill(Agent &A, torch::Tensor T) { A.Kept.push_back(T); Hidden.push_back(T); }
void take(void **Out) { cudaMalloc(Out, 8); }
void give(void *P) { cudaFree(P); }
void unseen(torch::Tensor T);
void openHelper(torch::Tensor T) { unseen(T); }
)";

TEST(Portable, EveryFieldComesBack) {
  File Source(Bodies);
  File Target("");
  DeclIndex Index(Target.Decls);
  unsigned Functions = 0, Resources = 0;
  for (const auto &[Key, Value] : Source.Facts) {
    if (Key.rfind(FunctionFact, 0) == 0 && Value.dump().find("Hidden") == std::string::npos) {
      EXPECT_EQ(toJson(summaryFrom(Value["summary"], Index)), Value["summary"]) << Key;
      ++Functions;
    }
    if (Key.rfind(ResourcesFact, 0) == 0) {
      EXPECT_EQ(toJson(resourceSummaryFrom(Value, Index)), Value) << Key;
      ++Resources;
    }
  }
  EXPECT_GE(Functions, 6u);
  EXPECT_GE(Resources, 6u);
}

TEST(Portable, WhatCannotBeSeenEscapes) {
  File Source(Bodies);
  File Target("void fill(Agent &A, torch::Tensor T);");
  OneFileView View(Source.Facts);
  Imports In(&View, Target.Decls);
  const ImportedFunction *Fill = In.function(*Target.function("fill"));
  ASSERT_TRUE(Fill);
  unsigned Escapes = 0, Grows = 0;
  for (const SummaryEffect &E : Fill->Effects.Effects) {
    Escapes += E.Kind == EventKind::Escape;
    Grows += E.Kind == EventKind::Grow;
  }
  EXPECT_EQ(Escapes, 1u) << "Hidden is static in the other file";
  EXPECT_EQ(Grows, 1u) << "A.Kept is not";
}

TEST(Imports, OpenFunctionsAreSaidToBe) {
  File Source(Bodies);
  File Target("void give(void *P); void openHelper(torch::Tensor T);");
  OneFileView View(Source.Facts);
  Imports In(&View, Target.Decls);
  EXPECT_TRUE(In.function(*Target.function("openHelper"))->IsOpen);
  EXPECT_FALSE(In.function(*Target.function("give"))->IsOpen);
}

TEST(Imports, FunctionsThatDoWhatNoSummaryTellsAreOpen) {
  const char *Bodies[] = {"torch::GradMode::set_enabled(false);",
                          "T.set_requires_grad(true);",
                          "T.mutable_grad() = T;",
                          "for (auto &P : Net->parameters()) P.set_requires_grad(false);",
                          "Net->eval();",
                          "Owner.Next = Other;",
                          "unseen(T);"};
  const std::string Declared = R"(
    struct Chain : torch::nn::Module { std::shared_ptr<Chain> Next; };
    void unseen(torch::Tensor T);
    void f(torch::nn::Linear Net, torch::Tensor &T, Chain &Owner, std::shared_ptr<Chain> Other))";
  auto IsOpen = [&](const std::string &Body) {
    File Source(Declared + "{" + Body + "}"), Target(Declared + ";");
    OneFileView View(Source.Facts);
    return Imports(&View, Target.Decls).function(*Target.function("f"))->IsOpen;
  };
  for (const char *Body : Bodies)
    EXPECT_TRUE(IsOpen(Body)) << Body;
  EXPECT_FALSE(IsOpen("T.add_(1); T.detach_(); Net->forward(T).sum().backward();"));
}

/// Replaces each number in what other files say.
void setNumbers(nlohmann::json &Value, int64_t To) {
  if (Value.is_number())
    Value = To;
  if (Value.is_structured())
    for (nlohmann::json &Part : Value)
      setNumbers(Part, To);
}

TEST(Imports, WhatIsNoFactIsAsGoodAsNone) {
  File Source(Bodies);
  File Target("void give(void *P); void fill(Agent &A, torch::Tensor T);");
  for (int64_t Number : {-1, 200, 1 << 30}) {
    FileFacts Facts = Source.Facts;
    for (auto &[Key, Value] : Facts)
      setNumbers(Value, Number);
    OneFileView View(Facts);
    Imports In(&View, Target.Decls);
    EXPECT_FALSE(In.function(*Target.function("fill"))) << Number;
    EXPECT_FALSE(In.resources(*Target.function("give"))) << Number;
  }
  FileFacts Facts = Source.Facts;
  for (auto &[Key, Value] : Facts)
    Value = "text";
  OneFileView View(Facts);
  Imports In(&View, Target.Decls);
  EXPECT_FALSE(In.function(*Target.function("fill")));
  EXPECT_EQ(In.callsOf(*Target.function("fill")).Calls, 0u);
}

TEST(Imports, BodiesOfThisFileGoFirst) {
  File Source(Bodies);
  File Target("void give(void *P) {}");
  OneFileView View(Source.Facts);
  Imports In(&View, Target.Decls);
  EXPECT_FALSE(In.function(*Target.function("give")->getDefinition()));
}

TEST(Exports, TwoProgramsWithOneNameSayNothing) {
  EXPECT_EQ(mergeFacts("function f", {{"a", 1}}, {{"a", 1}}), (nlohmann::json{{"a", 1}}));
  EXPECT_TRUE(mergeFacts("function f", {{"a", 1}}, {{"a", 2}}).is_null());
  EXPECT_EQ(mergeFacts("variable v", 1, 4), 5);
}

TEST(Exports, CallsUnderOneGuardStayUnderIt) {
  auto Calls = [](int Count, Mode M, unsigned Fate = 0) {
    return nlohmann::json{{"calls", Count}, {"inStepLoop", 1}, {"mode", int(M)}, {"fate", Fate}};
  };
  EXPECT_EQ(
      mergeFacts("calls f", Calls(1, Mode::Off), Calls(2, Mode::Off)),
      (nlohmann::json{{"calls", 3}, {"inStepLoop", 2}, {"mode", int(Mode::Off)}, {"fate", 0u}}));
  EXPECT_EQ(mergeFacts("calls f", Calls(1, Mode::Off), Calls(1, Mode::On))["mode"], int(Mode::On));
  EXPECT_EQ(mergeFacts("calls f", Calls(1, Mode::On, 1), Calls(1, Mode::On, 4))["fate"], 5u);
}

} // namespace
