// The rows of docs/patterns.md that modes.cpp has not: a mode each, and its clean twin where
// one is named. A comment `finding: NAME ...` marks the line that a finding speaks of;
// findings.py makes the SARIF file from them.
#include "TwoLayers.h"

#include <cstdlib>
#include <deque>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

using torch::Tensor;

struct Net : TwoLayers {
  Tensor forward(Tensor X) { return Out(torch::relu(In(X))); } // producer: activations bufadd
};

/// Eight layers of 256 x 256.
struct Deep : torch::nn::Module {
  torch::nn::ModuleList Layers;
  Deep() {
    register_module("layers", Layers);
    for (int I = 0; I < 8; ++I)
      Layers->push_back(torch::nn::Linear(256, 256));
  }
  Tensor forward(Tensor X) {
    for (const auto &Layer : *Layers)
      X = torch::tanh(Layer->as<torch::nn::Linear>()->forward(X));
    return X;
  }
};

static Tensor batch() { return torch::randn({128, 256}); }

/// Operators of a C API: what one returns, the caller has to delete.
extern "C" {
static void *multiply(void *A, void *B) {
  return new Tensor(*static_cast<Tensor *>(A) * *static_cast<Tensor *>(B)); // finding: handles ownership plain
}
static void destroy(void *A) { delete static_cast<Tensor *>(A); }
}

/// Saves an output by its own hand, which ties it to the node that made it.
struct SaveData : torch::autograd::Function<SaveData> {
  static Tensor forward(torch::autograd::AutogradContext *Context, Tensor X) {
    Tensor Y = X.clone(); // producer: saveddata
    Context->saved_data["y"] = Y; // finding: saveddata retention graph saveddata
    return Y;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *,
                                                 torch::autograd::variable_list Gradients) {
    return {Gradients[0]};
  }
};
struct SaveForBackward : torch::autograd::Function<SaveForBackward> {
  static Tensor forward(torch::autograd::AutogradContext *Context, Tensor X) {
    Tensor Y = X.clone();
    Context->save_for_backward({Y});
    return Y;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *,
                                                 torch::autograd::variable_list Gradients) {
    return {Gradients[0]};
  }
};

using Modes = std::map<std::string, std::function<void(int)>>;

static Modes graphModes() {
  Modes M;
  M["create"] = [](int Steps) { // row 10
    torch::nn::Linear Lin(512, 512);
    for (int I = 0; I < Steps; ++I) { // loop: create
      Tensor Y = Lin(torch::randn({128, 512})).pow(2).sum(); // producer: create
      Y.backward({}, {}, /*create_graph=*/true); // finding: create retention graph create
    } // end: create
  };
  M["gradop"] = [](int Steps) { // row 11
    Tensor P = torch::randn({128, 1024}, torch::requires_grad());
    for (int I = 0; I < Steps; ++I) { // loop: gradop
      (P * 2).sum().backward();
      P.mutable_grad() = P.grad() + 0.1 * P; // finding: gradop retention graph gradop
    } // end: gradop
  };
  M["saveddata"] = [](int Steps) { // row 12
    Tensor X = torch::randn({128, 1024}, torch::requires_grad());
    for (int I = 0; I < Steps; ++I) { // loop: saveddata
      SaveData::apply(X).sum().backward();
    } // end: saveddata
  };
  M["savedforbackward"] = [](int Steps) {
    Tensor X = torch::randn({128, 1024}, torch::requires_grad());
    for (int I = 0; I < Steps; ++I)
      SaveForBackward::apply(X).sum().backward();
  };
  M["hook"] = [](int Steps) { // row 13
    Tensor X = torch::randn({128, 1024}, torch::requires_grad());
    for (int I = 0; I < Steps; ++I) { // loop: hook
      Tensor Y = X * 2; // producer: hook
      Y.register_hook([Y](Tensor G) { return G + 0 * Y; }); // finding: hook retention graph hook
      Y.sum().backward();
    } // end: hook
  };
  M["leafhook"] = [](int Steps) { // row 14
    Tensor P = torch::randn({128, 128}, torch::requires_grad());
    for (int I = 0; I < Steps; ++I) { // loop: leafhook
      Tensor Scale = torch::ones({128, 128}); // producer: leafhook
      P.register_hook([Scale](Tensor G) { return G * Scale; }); // finding: leafhook retention plain leafhook
      (P * 2).sum().backward();
    } // end: leafhook
  };
  M["keepgrads"] = [](int Steps) { // allocated by the backward of another line
    Tensor P = torch::randn({128, 128}, torch::requires_grad());
    std::vector<Tensor> Kept;
    for (int I = 0; I < Steps; ++I) {
      Tensor Y = torch::tanh(P); // the backward of this line allocates
      Tensor Loss = Y.sum();
      Kept.push_back(torch::autograd::grad({Loss}, {P})[0]);
    }
  };
  M["residual"] = [](int Steps) { // row 15
    torch::nn::Linear Lin(256, 256);
    for (int I = 0; I < Steps; ++I) { // loop: residual
      Tensor H = torch::randn({128, 256}) * 1.0;
      H += torch::relu(Lin(H)); // finding: residual retention graph residual
    } // end: residual
  };
  M["outofplaceresidual"] = [](int Steps) {
    torch::nn::Linear Lin(256, 256);
    for (int I = 0; I < Steps; ++I) {
      Tensor H = torch::randn({128, 256}) * 1.0;
      H = H + torch::relu(Lin(H));
    }
  };
  return M;
}

static Modes keepModes() {
  Modes M;
  M["unguarded"] = [](int Steps) { // rows 2 and 3
    Deep Model;
    Model.eval();
    for (int I = 0; I < Steps; ++I) { // loop: unguarded
      Tensor Y = Model.forward(batch()); // finding: unguarded peak graph unguarded
      if (Y.numel() == 0)
        return;
    } // end: unguarded
  };
  M["guarded"] = [](int Steps) {
    Net Model;
    torch::NoGradGuard Guard;
    for (int I = 0; I < Steps; ++I) { // loop: guarded
      Tensor Y = Model.forward(batch()); // finding: guarded peak graph guarded
      if (Y.numel() == 0)
        return;
    } // end: guarded
  };
  M["keepgraph"] = [](int Steps) { // row 7
    Net Model;
    std::vector<Tensor> Losses;
    for (int I = 0; I < Steps; ++I) { // loop: keepgraph
      Tensor Loss = Model.forward(batch()).pow(2).mean(); // producer: keepgraph
      Loss.backward({}, /*keep_graph=*/true);
      Losses.push_back(Loss); // finding: keepgraph retention graph keepgraph
    } // end: keepgraph
  };
  M["hidden"] = [](int Steps) { // row 8
    torch::nn::GRU Cell(torch::nn::GRUOptions(64, 64));
    Tensor H = torch::zeros({1, 128, 64});
    for (int I = 0; I < Steps; ++I) { // loop: hidden
      Tensor X = torch::randn({1, 128, 64});
      H = std::get<1>(Cell(X, H)); // finding: hidden retention graph hidden
    } // end: hidden
  };
  M["detachedhidden"] = [](int Steps) {
    torch::nn::GRU Cell(torch::nn::GRUOptions(64, 64));
    Tensor H = torch::zeros({1, 128, 64});
    for (int I = 0; I < Steps; ++I) // loop: detachedhidden
      H = std::get<1>(Cell(torch::randn({1, 128, 64}), H)).detach(); // finding: detachedhidden retention graph
  };
  M["bufadd"] = [](int Steps) { // row 16
    Net Model;
    Tensor Buffer = torch::zeros({128, 64});
    for (int I = 0; I < Steps; ++I) // loop: bufadd
      Buffer.add_(Model.forward(batch())); // finding: bufadd retention graph bufadd
    // end: bufadd
  };
  M["ema"] = [](int Steps) { // row 17
    Tensor P = torch::randn({64}, torch::requires_grad());
    Tensor E = torch::zeros({64});
    for (int I = 0; I < Steps; ++I) // loop: ema
      E = .9 * E + .1 * P; // finding: ema retention graph ema
    // end: ema
  };
  M["view"] = [](int Steps) { // row 18
    std::vector<Tensor> Cache;
    for (int I = 0; I < Steps; ++I) {
      Tensor Big = torch::randn({128, 64}); // producer: view
      Cache.push_back(Big[0]); // finding: view retention plain
    }
  };
  M["clone"] = [](int Steps) {
    std::vector<Tensor> Cache;
    for (int I = 0; I < Steps; ++I) {
      Tensor Big = torch::randn({128, 64});
      Cache.push_back(Big[0].clone()); // finding: clone retention plain
    }
  };
  M["static"] = [](int Steps) { // row 19
    static std::map<int, Tensor> ByStep;
    for (int I = 0; I < Steps; ++I) {
      Tensor T = torch::randn({128, 64}); // producer: static
      ByStep[I] = T.detach(); // finding: static retention plain
    }
  };
  M["bounded"] = [](int Steps) {
    std::deque<Tensor> Last;
    for (int I = 0; I < Steps; ++I) {
      Last.push_back(torch::randn({128, 64})); // finding: bounded retention plain
      if (Last.size() > 4)
        Last.pop_front();
    }
  };
  M["cat"] = [](int Steps) { // row 20
    Tensor Buffer = torch::zeros({1, 256});
    for (int I = 0; I < Steps; ++I)
      Buffer = torch::cat({Buffer, torch::randn({1, 256})}); // finding: cat retention plain
  };
  M["kibibyte"] = [](int Steps) { // 1 KiB among temporaries of the same line
    static std::vector<Tensor> Kept;
    for (int I = 0; I < Steps; ++I) { // loop: kibibyte
      Tensor Y = torch::randn({256, 256}); // producer: kibibyte
      Kept.push_back(Y.narrow(0, I % 256, 1).clone()); // finding: kibibyte retention plain kibibyte
    } // end: kibibyte
  };
  M["group"] = [](int Steps) { // row 21
    torch::optim::SGD Optimizer(std::vector<Tensor>{torch::zeros({1}, torch::requires_grad())}, .1);
    for (int I = 0; I < Steps; ++I) {
      Tensor P = torch::zeros({64, 64}, torch::requires_grad()); // producer: group
      Optimizer.add_param_group(torch::optim::OptimizerParamGroup({P})); // finding: group retention plain
    }
  };
  M["modules"] = [](int Steps) { // row 21
    torch::nn::Module Holder;
    for (int I = 0; I < Steps; ++I) {
      torch::nn::Linear L(64, 64); // producer: modules
      Holder.register_module("l" + std::to_string(I), L); // finding: modules retention plain
    }
  };
  return M;
}

struct Node : torch::nn::Module {
  std::shared_ptr<Node> Other;
  Tensor Weight = torch::zeros({256, 256});
};

static Modes ownerModes() {
  Modes M;
  M["cycle"] = [](int Steps) { // row 22
    for (int I = 0; I < Steps; ++I) {
      auto A = std::make_shared<Node>(); // producer: cycle
      A->Other = A; // finding: cycle ownership plain
    }
  };
  M["handles"] = [](int Steps) {
    Tensor X = batch();
    for (int I = 0; I < Steps; ++I)
      destroy(multiply(multiply(&X, &X), &X)); // the inner product has no owner
  };
  M["deletedhandles"] = [](int Steps) {
    Tensor X = batch();
    for (int I = 0; I < Steps; ++I) {
      void *Square = multiply(&X, &X);
      destroy(multiply(Square, &X));
      destroy(Square);
    }
  };
  M["release"] = [](int Steps) { // row 22
    for (int I = 0; I < Steps; ++I) {
      Tensor T = torch::zeros({128, 128}); // producer: release
      T.unsafeReleaseTensorImpl(); // finding: release ownership plain
    }
  };
  M["optimizer"] = [](int Steps) { // row 22
    for (int I = 0; I < Steps; ++I) {
      Tensor P = torch::zeros({128, 128}, torch::requires_grad()); // producer: optimizer
      new torch::optim::SGD(std::vector<Tensor>{P}, .1); // finding: optimizer ownership plain
    }
  };
  M["blob"] = [](int Steps) { // row 23
    for (int I = 0; I < Steps; ++I) {
      void *Data = std::malloc(65536);
      torch::ones({1});
      Tensor T = torch::from_blob(Data, {128, 128}); // finding: blob ownership plain 65536
      if (T.numel() == 0)
        return;
    }
  };
  M["freedblob"] = [](int Steps) {
    for (int I = 0; I < Steps; ++I) {
      void *Data = std::malloc(65536);
      torch::ones({1});
      Tensor T = torch::from_blob(Data, {128, 128}, [](void *P) { std::free(P); }); // finding: freedblob ownership plain 65536
      if (T.numel() == 0)
        return;
    }
  };
  M["orphan"] = [](int Steps) { // row 27
    Net Model;
    torch::nn::Linear Frozen(64, 64);
    torch::optim::SGD Optimizer(Model.parameters(), 1e-4);
    for (int I = 0; I < Steps; ++I) { // loop: orphan
      Optimizer.zero_grad();
      Tensor Loss = Frozen(Model.forward(batch())).pow(2).mean();
      Loss.backward(); // finding: orphan correctness plain orphan
      Optimizer.step();
    } // end: orphan
  };
  M["allreset"] = [](int Steps) {
    Net Model;
    torch::optim::SGD Optimizer(Model.parameters(), 1e-4);
    for (int I = 0; I < Steps; ++I) { // loop: allreset
      Optimizer.zero_grad();
      Model.forward(batch()).pow(2).mean().backward(); // finding: allreset correctness plain allreset
      Optimizer.step();
    } // end: allreset
  };
  return M;
}

int main(int Count, char **Arguments) {
  torch::manual_seed(1);
  std::string Mode = Count > 1 ? Arguments[1] : "";
  int Steps = Count > 2 ? std::atoi(Arguments[2]) : 60;
  for (const Modes &M : {graphModes(), keepModes(), ownerModes()})
    if (auto Act = M.find(Mode); Act != M.end())
      Act->second(Steps);
  std::cout << "done " << Mode << "\n";
  return 0;
}
