//===-- Facts.cpp --------------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What other files say, to a file that uses it. The input edits what a real file said: bytes
// alone would hardly ever get past the names of declarations.
//
//===----------------------------------------------------------------------===//
#include "checks/Analyzer.h"
#include "checks/Exports.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"

#include <fuzzer/FuzzedDataProvider.h>

using namespace clang;
using namespace tensorleak;
using json = nlohmann::json;

namespace {

constexpr const char *Declarations = R"(
#include <torch/torch.h>
extern "C" int cudaMalloc(void **, unsigned long);
extern "C" int cudaFree(void *);
struct Agent {
  std::vector<torch::Tensor> Kept;
  void *Buffer, *Scratch;
  void keep(torch::Tensor T);
  void clear();
  void open();
  void close();
};
extern std::vector<torch::Tensor> Global;
torch::Tensor passOn(torch::Tensor A, torch::Tensor B);
void fill(Agent &A, torch::Tensor T);
void take(void **Out, unsigned long Bytes);
void give(void *P);
void trade(void *&A, void *&B);
torch::Tensor loss(torch::nn::Linear Net, torch::Tensor X);
)";

constexpr const char *Bodies = R"(
std::vector<torch::Tensor> Global;
void Agent::keep(torch::Tensor T) { Kept.push_back(T); cudaMalloc(&Buffer, 8); }
void Agent::clear() { Kept.clear(); cudaFree(Buffer); }
void Agent::open() { cudaMalloc(&Scratch, 64); }
void Agent::close() { cudaFree(Scratch); Scratch = nullptr; }
torch::Tensor passOn(torch::Tensor A, torch::Tensor B) { Global.push_back(A); return B + 1; }
void fill(Agent &A, torch::Tensor T) { A.Kept.push_back(T); Global[3] = T; }
void take(void **Out, unsigned long Bytes) { if (Bytes) cudaMalloc(Out, Bytes); }
void give(void *P) { if (P) cudaFree(P); }
void trade(void *&A, void *&B) { void *T = A; A = B; B = T; }
torch::Tensor loss(torch::nn::Linear Net, torch::Tensor X) {
  torch::NoGradGuard Guard;
  return Net->forward(X).sum();
}
)";

constexpr const char *Uses = R"(
void train(Agent &A, torch::nn::Linear Net, int Steps) {
  torch::optim::SGD Optimizer(Net->parameters(), 0.1);
  std::vector<torch::Tensor> All;
  for (int I = 0; I < Steps; ++I) {
    torch::Tensor L = passOn(torch::ones({8}), loss(Net, torch::ones({8, 8})));
    L.backward();
    Optimizer.step();
    A.keep(L);
    fill(A, L);
    All.push_back(L);
  }
  A.clear();
}
void pools() {
  void *First, *Second;
  take(&First, 64);
  take(&Second, 32);
  trade(First, Second);
  give(First);
  Agent Own;
  Own.open();
  Own.close();
}
)";

class File {
public:
  explicit File(const char *Code)
      : Ast(tooling::buildASTFromCodeWithArgs(std::string(Declarations) + Code,
                                              {"-std=c++17", "-I" MOCK_HEADERS})) {
    const SourceManager &Sources = Ast->getSourceManager();
    for (auto It = Ast->top_level_begin(); It != Ast->top_level_end(); ++It)
      if (Sources.isInMainFile((*It)->getLocation()))
        Decls.push_back(*It);
  }

  void analyse(ProjectView *View, FileFacts *Exports = nullptr) {
    tensorleak::AnalyzerOptions Options;
    Options.Project = View;
    Options.Exports = Exports;
    analyze(Ast->getASTContext(), Decls, Options);
  }

private:
  std::unique_ptr<ASTUnit> Ast;
  std::vector<Decl *> Decls;
};

class EditedView : public ProjectView {
public:
  explicit EditedView(FileFacts Facts) : Facts(std::move(Facts)) {}
  json ask(const std::string &Key) override {
    auto It = Facts.find(Key);
    return It == Facts.end() ? json() : It->second;
  }

private:
  FileFacts Facts;
};

FileFacts factsOfBodies() {
  FileFacts Facts;
  File(Bodies).analyse(/*View=*/nullptr, &Facts);
  return Facts;
}

json anyValue(FuzzedDataProvider &Input) {
  switch (Input.ConsumeIntegralInRange(0, 6)) {
  case 0:
    return Input.ConsumeBool();
  case 1:
    return Input.ConsumeRandomLengthString(16);
  case 2:
    return json::array();
  case 3:
    return json::object();
  case 4:
    return json();
  case 5:
    return Input.ConsumeIntegral<int64_t>();
  default:
    return Input.ConsumeIntegral<uint8_t>();
  }
}

/// A part of \p Value, at some depth.
json *somePart(json &Value, FuzzedDataProvider &Input) {
  json *Part = &Value;
  while (Part->is_structured() && !Part->empty() && Input.ConsumeIntegralInRange(0, 7)) {
    auto It = Part->begin();
    std::advance(It, Input.ConsumeIntegralInRange<size_t>(0, Part->size() - 1));
    Part = &*It;
  }
  return Part;
}

void edit(json &Value, FuzzedDataProvider &Input) {
  json *Part = somePart(Value, Input);
  if (Part->is_array() && Input.ConsumeBool())
    Part->push_back(Part->empty() || Input.ConsumeBool() ? anyValue(Input) : Part->front());
  else
    *Part = anyValue(Input);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static const FileFacts Said = factsOfBodies();
  static File Using(Uses);
  FuzzedDataProvider Input(Data, Size);
  FileFacts Facts = Said;
  for (int Edits = 0; Input.remaining_bytes() && Edits < 16; ++Edits) {
    auto It = Facts.begin();
    std::advance(It, Input.ConsumeIntegralInRange<size_t>(0, Facts.size() - 1));
    edit(It->second, Input);
  }
  EditedView View(std::move(Facts));
  Using.analyse(&View);
  return 0;
}
