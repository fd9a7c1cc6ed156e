//===-- ResourceTest.cpp - What the ownership analysis infers -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asserts what was inferred; what the rule says of it is tested in test/checks.
//
//===----------------------------------------------------------------------===//
#include "checks/resources/FileAnalyses.h"
#include "checks/resources/losses/LostTogether.h"
#include "checks/resources/records/LostMembers.h"

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
      : Ast(tooling::buildASTFromCodeWithArgs(
            "#include <cuda_runtime.h>\n#include <stdlib.h>\n" + Code,
            {"-std=c++17", "-isystem" TENSORLEAK_CUDA_HEADERS, "-I" TENSORLEAK_MOCK_HEADERS})) {
    const SourceManager &SM = Ast->getSourceManager();
    std::vector<Decl *> Decls;
    for (auto It = Ast->top_level_begin(); It != Ast->top_level_end(); ++It)
      if (SM.isInMainFile((*It)->getLocation()))
        Decls.push_back(*It);
    File = std::make_unique<FileAnalyses>(Ast->getASTContext(), Decls,
                                          tensorleak::AnalyzerOptions(), Stats);
  }

  const FunctionResources &function(llvm::StringRef Name) const {
    for (const auto &F : File->resources().functions())
      if (F->Facts.Function->getNameAsString() == Name)
        return *F;
    ADD_FAILURE() << "no function " << Name.str();
    return *File->resources().functions().front();
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
    for (const LostTogether &Each : lostTogether(F, All)) {
      Text += Text.empty() ? "(" : " (";
      for (const LostResource *L : Each.Lost)
        Text += (L == Each.Lost.front() ? "" : " ") + F.Facts.Paths.text(L->Holder);
      Text += ")";
    }
    return Text;
  }

  std::vector<ForgottenResource> forgotten() const { return File->forgotten(); }

  /// "never:Class again:Class"
  std::string lostMembers() const {
    std::string Text;
    for (const LostMember &L : findLostMembers(*File))
      Text += (Text.empty() ? "" : " ") +
              std::string(L.Why == LostMember::NeverDeleted ? "never:" : "again:") +
              L.Member->getParent()->getNameAsString();
    return Text;
  }

  /// The classes whose assignment forgets what the object holds.
  std::string assignedOver() const {
    std::string Text;
    for (const AssignedOver &Lost : findAssignedOver(*File))
      Text += (Text.empty() ? "" : " ") + Lost.Member->getParent()->getNameAsString();
    return Text;
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
    case LostResource::Dropped:
      return "dropped";
    case LostResource::Refused:
      return "refused";
    case LostResource::OneByOne:
      return "one by one";
    }
    return "";
  }

  std::unique_ptr<ASTUnit> Ast;
  AnalyzerStats Stats;
  std::unique_ptr<FileAnalyses> File;
};

TEST(Resources, AreOwnedUntilTheyAreFreed) {
  Analyzed A(R"(
    void freed() { float *p; cudaMalloc(&p, 4); cudaFree(p); }
    void never() { float *p; cudaMalloc(&p, 4); }
    void some(bool b) { float *p; cudaMalloc(&p, 4); if (b) return; cudaFree(p); }
    void maybe(bool b) { float *p; cudaMalloc(&p, 4); if (b) cudaFree(p); }
    bool ask();
    void unclear() { float *p; cudaMalloc(&p, 4); if (ask()) cudaFree(p); }
    void ends(bool b) { float *p; cudaMalloc(&p, 4); if (b) exit(1); cudaFree(p); }
    float *given() { float *p; cudaMalloc(&p, 4); return p; })");
  EXPECT_EQ(A.lost("freed"), "");
  EXPECT_EQ(A.lost("never"), "never:p");
  EXPECT_EQ(A.lost("some"), "exits:p");
  EXPECT_EQ(A.lost("maybe"), "exits:p");
  EXPECT_EQ(A.lost("unclear"), ""); // what a function says may go together with anything
  EXPECT_EQ(A.lost("ends"), "");
  EXPECT_EQ(A.lost("given"), "");
}

TEST(Resources, AreNotTakenWhereTheCallFailed) {
  Analyzed A(R"(
    int direct() {
      float *p; if (cudaMalloc(&p, 4) != cudaSuccess) return 1; cudaFree(p); return 0; }
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
      for (int i = 0; i < 4; ++i) { float *q; cudaMalloc(&q, 4); cudaFree(p); p = q; }
      cudaFree(p); }
    void forgets() { float *p; cudaMalloc(&p, 4);
      for (int i = 0; i < 4; ++i) { float *q; cudaMalloc(&q, 4); p = q; } cudaFree(p); }
    void once() { float *p; do { cudaMalloc(&p, 4); } while (0); cudaFree(p); }
    float *make() { float *p; cudaMalloc(&p, 4); return p; }
    void made(int n) { for (int i = 0; i < n; ++i) { float *p = make(); cudaFree(p); } })");
  EXPECT_EQ(A.lost("made"), "");
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
    float *part(Box *box) { return box->a; }
    float *moved(Box *box) { float *a = box->a; box->a = nullptr; return a; }
    float **place(Box *box) { return &box->b; }
    void keep(Box *box, float *p) { box->a = p; })");
  const ResourceSummary &Take = A.function("take").Summary;
  ASSERT_EQ(Take.Takes.size(), 2u);
  EXPECT_NE(Take.Takes[0].Maybe, Take.Takes[1].Maybe);
  ASSERT_EQ(A.function("give").Summary.Releases.size(), 1u);
  EXPECT_EQ(A.function("give").Summary.Releases[0].Where.Steps.size(), 1u);
  ASSERT_EQ(A.function("out").Summary.Takes.size(), 1u);
  EXPECT_EQ(A.function("out").Summary.Takes[0].Where[0].Root, RelativeResourcePath::Param);
  EXPECT_EQ(A.function("same").Summary.ReturnsParams.size(), 1u);
  EXPECT_EQ(A.function("part").Summary.Returns.size(), 1u);
  EXPECT_EQ(A.function("moved").Summary.Returns.size(), 0u);
  EXPECT_EQ(A.function("moved").Summary.MovesOut.size(), 1u);
  EXPECT_EQ(A.function("place").Summary.ReturnsAddresses.size(), 1u);
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

//===-- Tensors behind plain pointers ----------------------------------------===//

const std::string Torch = "#include <torch/torch.h>\nusing torch::Tensor;\n";

TEST(Tensors, AreOwnedUntilTheyAreDeleted) {
  Analyzed A(Torch + R"(
    void keep(const char *name, Tensor *t);
    void never() { auto *t = new Tensor; t->add_(1); }
    void deleted() { auto *t = new Tensor; delete t; }
    void some(bool b) { auto *t = new Tensor; if (b) return; delete t; }
    void lost() { Tensor *t = nullptr; for (int i = 0; i < 4; ++i) t = new Tensor; delete t; }
    void nulled() { auto *t = new Tensor; t = nullptr; }
    void null(bool b) { Tensor *t = b ? new Tensor : nullptr; if (t) delete t; }
    void owned() { std::unique_ptr<Tensor> t(new Tensor); }
    void given() { auto *t = new Tensor; keep("t", t); }
    Tensor *returned() { return new Tensor; })");
  EXPECT_EQ(A.lost("never"), "never:t");
  EXPECT_EQ(A.lost("deleted"), "");
  EXPECT_EQ(A.lost("some"), "exits:t");
  EXPECT_EQ(A.lost("lost"), "overwritten:t");
  EXPECT_EQ(A.lost("nulled"), "overwritten:t");
  EXPECT_EQ(A.lost("null"), "");
  EXPECT_EQ(A.lost("owned"), "");
  EXPECT_EQ(A.lost("given"), "never:t"); // in doubt
  EXPECT_TRUE(A.function("given").Lost.front().Doubtful);
  EXPECT_EQ(A.lost("returned"), "");
}

TEST(Tensors, AreOwnedThroughHelpers) {
  Analyzed A(Torch + R"(
    Tensor *make() { return new Tensor; }
    void close(Tensor *t) { delete t; }
    struct Box { Tensor scene; Tensor *current() { return &scene; } };
    void never() { Tensor *t = make(); t->add_(1); }
    void closed() { Tensor *t = make(); close(t); }
    void dropped() { make(); }
    void borrowed(Box &box) { Tensor *t = box.current(); t->add_(1); })");
  EXPECT_EQ(A.lost("never"), "never:t");
  EXPECT_EQ(A.lost("closed"), "");
  EXPECT_EQ(A.lost("dropped"), "dropped:?");
  EXPECT_EQ(A.lost("borrowed"), "");
}

// Not through the variable alone: a node of a list has the one before it.
TEST(Tensors, AreReachedThroughOthers) {
  Analyzed A(Torch + R"(
    struct Node { Tensor value; Node *next = nullptr; };
    Node *list(int n) {
      Node *head = new Node, *last = head;
      for (int i = 0; i < n; ++i) { last->next = new Node; last = last->next; }
      return head; }
    struct Listed { Listed(); Tensor value; };
    Listed *all[4]; int count;
    Listed::Listed() { all[count++] = this; }
    void listed() { auto *one = new Listed; one->value.add_(1); }
    struct Worker { Tensor value; void run() { value.add_(1); delete this; } };
    void runs() { auto *worker = new Worker; worker->run(); })");
  EXPECT_EQ(A.lost("list"), "");
  EXPECT_EQ(A.lost("listed"), "");
  EXPECT_EQ(A.lost("runs"), "");
}

TEST(Tensors, AreReleasedByTheirOwners) {
  Analyzed A(Torch + R"(
    using Owner = c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
    void never(Tensor t) { auto *raw = t.unsafeReleaseTensorImpl(); }
    void dropped(Tensor t) { t.unsafeReleaseTensorImpl(); }
    void reclaimed(Tensor t) { auto *raw = t.unsafeReleaseTensorImpl();
                               auto o = Owner::reclaim(raw); }
    void handed(Owner o) { auto *raw = o.release(); }
    void object(std::unique_ptr<Tensor> p) { auto *raw = p.release(); }
    void number(std::unique_ptr<int> p) { auto *raw = p.release(); }
    Tensor nested(Tensor t) { return Tensor(Owner::reclaim(t.unsafeReleaseTensorImpl())); })");
  EXPECT_EQ(A.lost("never"), "never:raw");
  EXPECT_EQ(A.lost("dropped"), "dropped:?");
  EXPECT_EQ(A.lost("handed"), "never:raw");
  EXPECT_EQ(A.lost("object"), "never:raw");
  EXPECT_EQ(A.lost("number"), "");
  EXPECT_EQ(A.lost("reclaimed"), "");
  EXPECT_EQ(A.lost("nested"), "");
}

TEST(Tensors, AreMadeOverMemoryOfOthers) {
  Analyzed A(Torch + R"(
    Tensor lost() { auto *p = (float *)malloc(64); return torch::from_blob(p, {16}); }
    Tensor freed() { auto *p = (float *)malloc(64); auto t = torch::from_blob(p, {16}).clone();
                     free(p); return t; }
    Tensor owns() { auto *p = (float *)malloc(64);
                    return torch::from_blob(p, {16}, [](void *q) { free(q); }); })");
  EXPECT_EQ(A.lost("lost"), "never:p");
  EXPECT_EQ(A.function("lost").Views.size(), 1u);
  EXPECT_EQ(A.lost("freed"), "");
  EXPECT_EQ(A.lost("owns"), "");
}

TEST(Members, AreLostWhereNothingDeletesThem) {
  Analyzed A(Torch + R"(
    class Never { public: Never() : t(new Tensor) {} void use() { t->add_(1); }
                  private: Tensor *t; };
    class Deletes { public: Deletes() : t(new Tensor) {} ~Deletes() { delete t; }
                    private: Tensor *t; };
    class Gives { public: Gives() : t(new Tensor) {} Tensor *get() { return t; }
                  private: Tensor *t; };
    class Again { public: Again() { make(); } ~Again() { delete t; } void load() { make(); }
                  private: void make() { t = new Tensor; } Tensor *t; };
    class Once { public: ~Once() { delete t; } void load() { make(); }
                 private: void make() { t = new Tensor; } Tensor *t = nullptr; };)");
  EXPECT_EQ(A.lostMembers(), "never:Never again:Again");
}

TEST(Members, BelongToLiveObjects) {
  Analyzed A(R"(
    struct Assigned { explicit Assigned(int n) { cudaMalloc(&p, n); } ~Assigned() { cudaFree(p); }
      Assigned &operator=(Assigned &&o) { p = o.p; o.p = nullptr; return *this; } void *p; };
    struct Freed { explicit Freed(int n) { cudaMalloc(&p, n); } ~Freed() { cudaFree(p); }
      Freed &operator=(Freed &&o) { cudaFree(p); p = o.p; o.p = nullptr; return *this; } void *p; };
    struct Swapped { explicit Swapped(int n) { cudaMalloc(&p, n); } ~Swapped() { cudaFree(p); }
      Swapped &operator=(Swapped &&o) { void *q = p; p = o.p; o.p = q; return *this; } void *p; };
    struct Shared { explicit Shared(int n) { cudaMalloc(&p, n); }
      ~Shared() { if (owns) cudaFree(p); }
      Shared &operator=(const Shared &o) { p = o.p; owns = false; return *this; }
      void *p; bool owns = true; };
    struct View { View &operator=(const Freed &o) { p = o.p; return *this; } void *p; };)");
  EXPECT_EQ(A.assignedOver(), "Assigned");
}

} // namespace
