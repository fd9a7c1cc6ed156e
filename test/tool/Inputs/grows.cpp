// A list of outputs that grows without graphs; only its owner knows the bound.
#include <torch/torch.h>
class Log {
public:
  void add(torch::Tensor X) { Kept.push_back(Net->forward(X).detach()); }
  double mean() { return Kept.back().mean().item<double>(); }

private:
  torch::nn::Linear Net{8, 8};
  std::vector<torch::Tensor> Kept;
};
