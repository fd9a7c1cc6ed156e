// Latency and confidence of each request; as tensors they keep what they are views of.
#include <torch/torch.h>
#include <vector>

class Metrics {
public:
  void observe(const torch::Tensor &Probabilities) {
#if LEAK
    Confidence.push_back(Probabilities[0][0]);
#else
    Values.push_back(Probabilities[0][0].item<float>());
#endif
  }
  size_t count() const { return Confidence.size() + Values.size(); }

private:
  std::vector<torch::Tensor> Confidence;
  std::vector<float> Values;
};

Metrics TheMetrics;

int main() {
  torch::NoGradGuard Guard;
  torch::nn::Linear Net(20, 100);
  for (int I = 0; I < 180; ++I) {
    auto P = torch::softmax(Net(torch::randn({10, 20})), -1); // LEAK bytes=4000 holder=TheMetrics
    TheMetrics.observe(P);
  }
  return TheMetrics.count() == 0;
}
