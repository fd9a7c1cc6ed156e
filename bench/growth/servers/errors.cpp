// A context per request; requests that fail are forgotten on the way out.
#include <stdexcept>
#include <torch/torch.h>

struct Context {
  torch::Tensor Input, Output;
};

static void check(int Id) {
  if (Id % 3 == 2)
    throw std::runtime_error("rejected");
}

static float handle(int Id, torch::nn::Linear &Net) {
  torch::NoGradGuard Guard;
#if LEAK
  Context *C = new Context;
#else
  auto C = std::make_unique<Context>();
#endif
  C->Input = torch::randn({48, 32}); // LEAK bytes=2048 holder=LOST
  C->Output = Net(C->Input);         // LEAK bytes=1024 holder=LOST
  check(Id);
  float Out = C->Output.sum().item<float>();
#if LEAK
  delete C;
#endif
  return Out;
}

int main() {
  torch::nn::Linear Net(32, 16);
  int Failed = 0;
  for (int I = 0; I < 240; ++I) {
    try {
      handle(I, Net);
    } catch (const std::exception &) {
      ++Failed;
    }
  }
  return Failed == 0;
}
