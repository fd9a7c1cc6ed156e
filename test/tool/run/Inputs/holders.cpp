// Keeps the loss of every step in one of many ways, named by the first argument.
#include <torch/torch.h>

#include <deque>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

using Tensor = torch::Tensor;

struct Trainer {
  int Unused = 0;
  std::map<std::string, std::vector<Tensor>> Log;
  std::vector<Tensor> Losses;
};

struct NetImpl : torch::nn::Module {
  torch::nn::Linear Layer{nullptr};
  std::vector<Tensor> Cache;
  bool Save = false;
  NetImpl() { Layer = register_module("layer", torch::nn::Linear(16, 16)); }
  Tensor forward(Tensor X) {
    Tensor Y = Layer(X);
    if (Save)
      Cache.push_back(Y);
    return Y;
  }
};
TORCH_MODULE(Net);

struct Sink {
  virtual ~Sink() = default;
  virtual void keep(Tensor T) = 0;
};
struct Queue : Sink {
  long Unused = 1;
  std::deque<Tensor> Waiting;
  void keep(Tensor T) override { Waiting.push_back(T); }
};

std::vector<Tensor> Global;

int main(int, char **Arguments) {
  std::string Mode = Arguments[1];
  Net Model;
  torch::optim::SGD Optimizer(Model->parameters(), 0.01);
  Trainer Local;
  auto Unique = std::make_unique<Trainer>();
  auto Shared = std::make_shared<Trainer>();
  std::unique_ptr<Sink> Virtual = std::make_unique<Queue>();
  static std::vector<Tensor> Static;
  Tensor Hidden = torch::zeros({4, 16});
  std::vector<Tensor> History;
  Model->Save = Mode == "module";
  for (int I = 0; I < 60; ++I) {
    Optimizer.zero_grad();
    Tensor Loss = Model(torch::randn({4, 16})).pow(2).mean();
    if (Mode == "hidden") {
      Hidden = torch::tanh(Model(torch::randn({4, 16}) + Hidden));
      Loss = Loss + Hidden.sum();
    }
    Loss.backward({}, Mode == "hidden");
    Optimizer.step();
    if (Mode == "member") Local.Losses.push_back(Loss);
    if (Mode == "map") Local.Log[std::to_string(I % 3)].push_back(Loss.detach());
    if (Mode == "unique") Unique->Losses.push_back(Loss);
    if (Mode == "shared") Shared->Losses.push_back(Loss);
    if (Mode == "virtual") Virtual->keep(Loss);
    if (Mode == "static") Static.push_back(Loss);
    if (Mode == "global") Global.push_back(Loss);
    if (Mode == "local") History.push_back(Loss);
    if (Mode == "nobody") new Tensor(Loss.detach());
  }
  std::cout << Hidden.numel() << Global.size() << Local.Losses.size() << History.size() << "\n";
  return 0;
}
