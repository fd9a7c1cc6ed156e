// The stand-in headers and LibTorch's own accept the same program: every call a
// test makes on the former is one that real programs can make.
//
// RUN: %clangxx %mock_flags -Wall -Werror -fsyntax-only %s
// RUN: %if torch %{ %clangxx %torch_flags -fsyntax-only %s %}
#include <torch/script.h>
#include <torch/torch.h>

#include <iostream>

struct NetImpl : torch::nn::Module {
  NetImpl() : Fc(register_module("fc", torch::nn::Linear(10, 5))) {
    Conv = register_module("conv",
                           torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 2, 3).stride(2)));
    Weight = register_parameter("w", torch::zeros({3}));
  }
  torch::Tensor forward(torch::Tensor X) { return torch::relu(Fc(Conv->forward(X))); }
  torch::nn::Linear Fc;
  torch::nn::Conv2d Conv{nullptr};
  torch::Tensor Weight;
};
TORCH_MODULE(Net);

template <typename DataLoader>
void train(Net &Model, DataLoader &Loader, torch::optim::Optimizer &Optimizer,
           torch::Device Device) {
  for (auto &Batch : Loader) {
    auto Data = Batch.data.to(Device), Target = Batch.target.to(Device);
    Optimizer.zero_grad();
    auto Loss = torch::nll_loss(Model->forward(Data), Target);
    Loss.backward();
    Optimizer.step();
    std::cout << Loss.template item<float>() << Data << "\n";
  }
}

void optimizers(Net Model, torch::Tensor X) {
  torch::optim::SGD Sgd(Model->parameters(), torch::optim::SGDOptions(0.01).momentum(0.5));
  torch::optim::Adam Adam(Model->parameters(), 1e-3);
  torch::optim::LBFGS Lbfgs(Model->parameters());
  std::unique_ptr<torch::optim::Optimizer> Owned =
      std::make_unique<torch::optim::AdamW>(Model->parameters());
  Owned->add_param_group({Model->parameters()});
  Lbfgs.step([&] {
    Lbfgs.zero_grad();
    auto Loss = Model(X).sum();
    Loss.backward();
    return Loss;
  });
  for (auto &P : Model->parameters()) {
    P.grad().zero_();
    P.mutable_grad() = torch::Tensor();
    P.mutable_grad().reset();
  }
  for (auto &P : Model->named_parameters())
    P.value().set_requires_grad(false);
  Model->zero_grad();
  Model->eval();
  torch::nn::utils::clip_grad_norm_(Model->parameters(), 1.0);
}

void data(Net &Model, torch::optim::Optimizer &Optimizer, torch::Device Device) {
  auto Dataset = torch::data::datasets::MNIST("./mnist")
                     .map(torch::data::transforms::Normalize<>(0.1, 0.3))
                     .map(torch::data::transforms::Stack<>());
  auto Loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
      std::move(Dataset), 64);
  train(Model, *Loader, Optimizer, Device);
}

torch::Tensor recurrent(torch::Tensor X) {
  torch::nn::GRU Gru(torch::nn::GRUOptions(3, 4).num_layers(2));
  torch::nn::LSTM Lstm(3, 4);
  torch::Tensor Y, H, C;
  std::tie(Y, H) = Gru(X, H);
  auto Both = Gru->forward(X, H);
  H = std::get<1>(Both);
  auto State = Lstm->forward(X, std::make_tuple(H, H));
  std::tie(H, C) = std::get<1>(State);
  return H.detach_() + C.detach();
}

torch::Tensor operators(torch::Tensor Y) {
  torch::nn::Sequential Stack(torch::nn::Linear(1, 2), torch::nn::ReLU());
  Y = Stack->forward(torch::randn({3, 1}, torch::kFloat)) * 2 + 1.5f;
  Y += Y;
  Y -= 1;
  Y = 1 - Y;
  Y = -Y;
  Y[0] = 1;
  Y[0][1] = Y.index({torch::indexing::Slice(), 0});
  std::vector<torch::Tensor> All;
  All.push_back(torch::cat({Y, Y}, 1));
  All.emplace_back(torch::max(Y, std::get<0>(Y.max(1))));
  Y.add_(Y, 2.0).mul_(0.5).relu_().copy_(Y);
  torch::add_out(Y, Y, Y);
  torch::nn::functional::mse_loss(Y, torch::mse_loss(Y, Y));
  return torch::stack(All);
}

void creation(torch::Device Device, float *Memory) {
  auto Options = torch::TensorOptions().dtype(torch::kFloat32).device(Device).requires_grad(true);
  auto A = torch::zeros({2, 3}, Options), B = torch::tensor({1.0, 2.0}), C = torch::tensor(1.0f);
  auto D = torch::full({3}, 2.0), E = torch::arange(0, 10, 2), F = torch::eye(3);
  auto G = torch::from_blob(Memory, {2, 2}, torch::kFloat);
  auto H = torch::from_blob(
      Memory, {2, 2}, [](void *P) { ::operator delete(P); }, torch::kFloat);
  auto *Raw = new torch::Tensor(A);
  delete Raw;
  auto *Released = B.unsafeReleaseTensorImpl();
  (void)Released;
}

void modes(torch::Tensor Y) {
  torch::NoGradGuard NoGrad;
  c10::InferenceMode Inference;
  torch::InferenceMode SameInference;
  at::AutoGradMode Mode(false);
  torch::autograd::GradMode::set_enabled(false);
  Y.backward({}, c10::nullopt, /*create_graph=*/true);
  torch::autograd::grad({Y}, {Y});
  Y.register_hook([Y](torch::Tensor G) { return G * Y; });
}

struct Cube : torch::autograd::Function<Cube> {
  static torch::Tensor forward(torch::autograd::AutogradContext *Context, torch::Tensor X) {
    Context->save_for_backward({X});
    Context->saved_data["x"] = X;
    return X.pow(3);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *Context,
                                                 torch::autograd::variable_list Grads) {
    auto X = Context->get_saved_variables()[0];
    return {Grads[0] * 3 * X * X};
  }
};

int main() {
  torch::manual_seed(1);
  torch::Device Device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Net Model;
  Model->to(Device);
  auto Y = Cube::apply(torch::ones({1}));
  auto Script = torch::jit::load("m.pt");
  auto Out = Script.forward({Y}).toTensor();
  std::vector<torch::jit::IValue> Inputs;
  Inputs.push_back(torch::ones({1}));
  Script.forward(Inputs);
  torch::save(Model, "n.pt");
  torch::load(Model, "n.pt");
}
