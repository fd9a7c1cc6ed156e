// A recurrent network over an endless stream: the state should be cut from its past.
#include <torch/torch.h>

class Denoiser {
public:
  float feed(const torch::Tensor &Frame) {
    Hidden = Cell->forward(Frame, Hidden); // LEAK holder=Hidden
#if !LEAK
    Hidden = Hidden.detach();
#endif
    return Hidden.abs().max().item<float>();
  }

private:
  torch::nn::GRUCell Cell{16, 32};
  torch::Tensor Hidden = torch::zeros({4, 32});
};

int main() {
  Denoiser D;
  for (int I = 0; I < 160; ++I)
    D.feed(torch::randn({4, 16}));
}
