//===-- ResourceTest.cpp - What the ownership analysis infers -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asserts what was inferred; what the rule says of it is tested in test/checks.
//
//===----------------------------------------------------------------------===//
#include "checks/analysis/resources/LostTogether.h"
#include "checks/analysis/resources/RecordOwnership.h"

#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include <gtest/gtest.h>

using namespace clang;
using namespace tensorleak;

namespace {

/// One analysed file on our declarations of CUDA.
class Analyzed {
public:
  explicit Analyzed(const std::string &Code)
      : Ast(tooling::buildASTFromCodeWithArgs("#include <cuda_runtime.h>\n#include <stdlib.h>\n" + Code,
                                              {"-std=c++17", "-isystem" TENSORLEAK_CUDA_HEADERS})) {
    const SourceManager &SM = Ast->getSourceManager();
    std::vector<Decl *> Decls;
    for (auto It = Ast->top_level_begin(); It != Ast->top_level_end(); ++It)
      if (SM.isInMainFile((*It)->getLocation()))
        Decls.push_back(*It);
    TheUnit = std::make_unique<Unit>(Ast->getASTContext(), Decls, tensorleak::AnalyzerOptions(), Stats);
    Result = std::make_unique<ResourceUnit>(*TheUnit);
  }

  const FunctionResources &function(llvm::StringRef Name) const {
    for (const auto &F : Result->functions())
      if (F->Facts.Function->getNameAsString() == Name)
        return *F;
    ADD_FAILURE() << "no function " << Name.str();
    return *Result->functions().front();
  }

  /// "never:p exits:q" for what is lost; what a member held before is left out.
  std::string lost(llvm::StringRef Name) const {
    const FunctionResources &F = function(Name);
    std::string Text;
    for (const LostResource &L : F.Lost)
      if (L.How != LostResource::Regrown)
        Text += (Text.empty() ? "" : " ") + how(L.How) + ":" +
                (L.Holder == NoPath ? "?" : F.Facts.Paths.text(L.Holder));
    return Text;
  }

  /// "(a b) (c)": one way out loses a and b, another c.
  std::string together(llvm::StringRef Name) const {
    const FunctionResources &F = function(Name);
    std::vector<const LostResource *> All;
    for (const LostResource &L : F.Lost)
      All.push_back(&L);
    std::string Text;
    for (const LostTogether &Each : lostTogether(F, ResourceConditions(F.Facts), All)) {
      Text += Text.empty() ? "(" : " (";
      for (const LostResource *L : Each.Lost)
        Text += (L == Each.Lost.front() ? "" : " ") + F.Facts.Paths.text(L->Holder);
      Text += ")";
    }
    return Text;
  }

  std::vector<ForgottenResource> forgotten() const {
    return findForgotten(*Result, TheUnit->others());
  }

private:
  static std::string how(LostResource::HowKind How) {
    switch (How) {
    case LostResource::NeverFreed:
      return "never";
    case LostResource::SomeExit:
      return "exits";
    case LostResource::Thrown:
      return "thrown";
    case LostResource::Overwritten:
      return "overwritten";
    case LostResource::WrongCall:
      return "wrong";
    case LostResource::Regrown:
      return "regrown";
    }
    return "";
  }

  std::unique_ptr<ASTUnit> Ast;
  AnalyzerStats Stats;
  std::unique_ptr<Unit> TheUnit;
  std::unique_ptr<ResourceUnit> Result;
};

TEST(Resources, AreOwnedUntilTheyAreFreed) {
  Analyzed A(R"(
    void freed() { float *p; cudaMalloc(&p, 4); cudaFree(p); }
    void never() { float *p; cudaMalloc(&p, 4); }
    void some(bool b) { float *p; cudaMalloc(&p, 4); if (b) return; cudaFree(p); }
    void maybe(bool b) { float *p; cudaMalloc(&p, 4); if (b) cudaFree(p); }
    void ends(bool b) { float *p; cudaMalloc(&p, 4); if (b) exit(1); cudaFree(p); }
    float *given() { float *p; cudaMalloc(&p, 4); return p; })");
  EXPECT_EQ(A.lost("freed"), "");
  EXPECT_EQ(A.lost("never"), "never:p");
  EXPECT_EQ(A.lost("some"), "exits:p");
  EXPECT_EQ(A.lost("maybe"), ""); // conditions may go together
  EXPECT_EQ(A.lost("ends"), "");
  EXPECT_EQ(A.lost("given"), "");
}

TEST(Resources, AreNotTakenWhereTheCallFailed) {
  Analyzed A(R"(
    int direct() { float *p; if (cudaMalloc(&p, 4) != cudaSuccess) return 1; cudaFree(p); return 0; }
    int variable() { float *p; auto e = cudaMalloc(&p, 4); if (e) return 1; cudaFree(p); return 0; }
    int null() { float *p = (float *)malloc(4); if (!p) return 1; free(p); return 0; }
    int other() { float *p; auto e = cudaMalloc(&p, 4); e = cudaDeviceSynchronize();
                  if (e) return 1; cudaFree(p); return 0; })");
  EXPECT_EQ(A.lost("direct"), "");
  EXPECT_EQ(A.lost("variable"), "");
  EXPECT_EQ(A.lost("null"), "");
  EXPECT_EQ(A.lost("other"), "exits:p");
}

TEST(Resources, BelongToEachRoundOfALoop) {
  Analyzed A(R"(
    void lost() { float *p; for (int i = 0; i < 4; ++i) cudaMalloc(&p, 4); cudaFree(p); }
    void handed() { float *p; cudaMalloc(&p, 4);
      for (int i = 0; i < 4; ++i) { float *q; cudaMalloc(&q, 4); cudaFree(p); p = q; } cudaFree(p); }
    void forgets() { float *p; cudaMalloc(&p, 4);
      for (int i = 0; i < 4; ++i) { float *q; cudaMalloc(&q, 4); p = q; } cudaFree(p); }
    void once() { float *p; do { cudaMalloc(&p, 4); } while (0); cudaFree(p); })");
  EXPECT_EQ(A.lost("lost"), "overwritten:p");
  EXPECT_EQ(A.lost("handed"), "");
  EXPECT_NE(A.lost("forgets"), "");
  EXPECT_EQ(A.lost("once"), "");
}

TEST(Resources, TellElementsOfAnArrayApart) {
  Analyzed A(R"(
    void again() { float *a[2]; for (int i = 0; i < 4; ++i) cudaMalloc(a + 1, 4); cudaFree(a[1]); }
    void other() { float *a[2]; cudaMalloc(a + 1, 4); cudaFree(a[0]); }
    void both() { float *a[3]; float **b = a + 1; cudaMalloc(b, 4); cudaMalloc(b + 1, 4);
                  cudaFree(a[1]); cudaFree(a[2]); })");
  EXPECT_EQ(A.lost("again"), "overwritten:a[1]");
  EXPECT_EQ(A.lost("other"), "never:a[1]");
  EXPECT_EQ(A.lost("both"), "");
}

TEST(Resources, GoByFamily) {
  Analyzed A(R"(
    void wrong() { float *p; cudaMallocHost(&p, 4); cudaFree(p); }
    void right() { float *p; cudaMallocAsync(&p, 4, 0); cudaFree(p); }
    void both() { float *p = (float *)malloc(4); cudaHostRegister(p, 4, 0); free(p); })");
  EXPECT_EQ(A.lost("wrong"), "wrong:?");
  EXPECT_EQ(A.lost("right"), "");
  EXPECT_EQ(A.lost("both"), "never:p");
}

TEST(Resources, AreLostTogether) {
  Analyzed A(R"(
    int each() { float *a, *b, *c;
      if (cudaMalloc(&a, 4)) return 1;
      if (cudaMalloc(&b, 4)) return 1;
      if (cudaMalloc(&c, 4)) return 1;
      cudaFree(a); cudaFree(b); cudaFree(c); return 0; }
    int apart(bool x, bool y) { float *a, *b;
      cudaMalloc(&a, 4); if (x) return 1; cudaFree(a);
      cudaMalloc(&b, 4); if (y) return 1; cudaFree(b); return 0; }
    int ordinary(bool x) { float *a, *b;
      cudaMalloc(&a, 4); if (x) return 1;
      if (cudaMalloc(&b, 4)) return 1;
      if (cudaDeviceSynchronize()) return 1;
      cudaFree(a); cudaFree(b); return 0; })");
  EXPECT_EQ(A.together("each"), "(a b)"); // c is lost nowhere
  EXPECT_EQ(A.together("apart"), "(a) (b)");
  EXPECT_EQ(A.together("ordinary"), "(a) (b)"); // where each does most harm
}

TEST(Summaries, SayWhatIsTakenAndGiven) {
  Analyzed A(R"(
    struct Box { float *a, *b; };
    void take(Box *box) { cudaMalloc(&box->a, 4); if (!box->b) cudaMalloc(&box->b, 4); }
    void give(Box &box) { cudaFree(box.a); }
    void out(float **p) { cudaMalloc(p, 4); }
    float *same(float *p) { return p; }
    void keep(Box *box, float *p) { box->a = p; })");
  const ResourceSummary &Take = A.function("take").Summary;
  ASSERT_EQ(Take.Takes.size(), 2u);
  EXPECT_NE(Take.Takes[0].Maybe, Take.Takes[1].Maybe);
  ASSERT_EQ(A.function("give").Summary.Releases.size(), 1u);
  EXPECT_EQ(A.function("give").Summary.Releases[0].Where.Steps.size(), 1u);
  ASSERT_EQ(A.function("out").Summary.Takes.size(), 1u);
  EXPECT_EQ(A.function("out").Summary.Takes[0].Where[0].Root, RelativeResourcePath::Param);
  EXPECT_EQ(A.function("same").Summary.ReturnsParams.size(), 1u);
  EXPECT_EQ(A.function("keep").Summary.Stores.size(), 1u);
}

TEST(Summaries, LeaveOutWhatEndsTheProgram) {
  Analyzed A(R"(
    void check(cudaError_t e) { if (e) { cudaDeviceReset(); exit(1); } }
    void reset() { cudaDeviceReset(); }
    void uses() { float *p; check(cudaMalloc(&p, 4)); }
    void resets() { float *p; cudaMalloc(&p, 4); reset(); })");
  EXPECT_FALSE(A.function("check").Summary.ReleasesAll);
  EXPECT_TRUE(A.function("reset").Summary.ReleasesAll);
  EXPECT_EQ(A.lost("uses"), "never:p");
  EXPECT_EQ(A.lost("resets"), "");
}

TEST(Records, FindWhatTheFreeFunctionForgets) {
  Analyzed A(R"(
    struct Box { float *a, *b, *view; };
    void take(Box *box) { cudaMalloc(&box->a, 8); box->view = box->a + 1; cudaMalloc(&box->b, 4); }
    void give(Box *box) { cudaFree(box->a); })");
  auto Forgotten = A.forgotten();
  ASSERT_EQ(Forgotten.size(), 1u);
  EXPECT_EQ(Forgotten[0].Key.Chain.back()->getName(), "b");
  EXPECT_EQ(Forgotten[0].Where->getName(), "give");
  EXPECT_TRUE(Forgotten[0].Sure);
}

TEST(Records, AreLeftAloneWithoutAFreeFunction) {
  Analyzed A(R"(
    struct Box { float *a; };
    void take(Box *box) { cudaMalloc(&box->a, 8); }
    class Elsewhere { public: Elsewhere() { cudaMalloc(&a, 8); } ~Elsewhere(); float *a; };)");
  EXPECT_EQ(A.forgotten().size(), 0u);
}

} // namespace
