// A compiled function answers, and its results are kept as values of the interpreter.
#include <torch/script.h>
#include <torch/torch.h>

static const char *Source = R"(
def score(x, w):
    return torch.relu(torch.mm(x, w))
)";

int main() {
  torch::NoGradGuard Guard;
  auto Unit = torch::jit::compile(Source);
  torch::Tensor W = torch::randn({32, 32});
  c10::List<torch::Tensor> Log;
  for (int I = 0; I < 150; ++I) {
    auto Y = Unit->run_method("score", torch::randn({16, 32}), W); // LEAK bytes=2048 holder=Log
    Log.push_back(Y.toTensor());
#if !LEAK
    Log.clear();
#endif
  }
}
