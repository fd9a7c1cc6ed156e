// A replay buffer, and one that never forgets.
#include <deque>
#include <torch/torch.h>

struct Transition {
  torch::Tensor State, Next;
  float Reward;
};

static torch::Tensor step(const torch::Tensor &S, float A) {
  return torch::clamp(S * 0.9f + A, -1.f, 1.f); // LEAK bytes=2048 holder=Buffer
}

int main() {
  torch::NoGradGuard Guard;
  torch::nn::Linear Policy(512, 4);
  std::deque<Transition> Buffer;
  torch::Tensor S = torch::zeros({512});
  for (int I = 0; I < 300; ++I) {
    float A = Policy(S).max().item<float>();
    torch::Tensor N = step(S, A);
    Buffer.push_back({S, N, A});
#if !LEAK
    if (Buffer.size() > 40)
      Buffer.pop_front();
#endif
    S = N;
  }
}
