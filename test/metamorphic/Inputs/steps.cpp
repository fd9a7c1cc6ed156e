// A program that has each of the shapes that the rewritings look for.
#include <torch/torch.h>

#include <map>
#include <vector>

torch::Tensor load(int step);

class Recorder {
public:
  void add(torch::nn::Linear net, int step) {
    auto loss = net(load(step)).sum();
    if (step > 1)
      count_ += 1;
    losses_.push_back(loss); // what is kept
  }

private:
  std::vector<torch::Tensor> losses_;
  int count_ = 0;
};

void train(torch::nn::Linear net, int steps) {
  std::vector<torch::Tensor> kept; // the holder
  for (int i = 0; i < steps; ++i) {
    torch::Tensor loss = net(torch::ones({2, 4})).sum();
    kept.push_back(loss * 2); // the store
  }
  for (auto &loss : kept)
    loss = loss.detach();
  int left = steps;
  while (left > 0)
    --left;
}

bool total(torch::nn::Linear net, int steps) {
  torch::Tensor sum = torch::zeros({1});
  if (steps == 0)
    return false; // nothing
  sum += net(load(steps)).sum();
  return sum.item<float>() > 0;
}

void report(int step) {
  if (step > 1)
    load(step); // in some steps
}
