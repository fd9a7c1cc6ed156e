// Objects that own each other through shared pointers, of any class that holds tensors:
// through members, containers, registrations, parameters and lambdas.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <map>
#include <memory>
#include <functional>
#include <list>
using torch::Tensor;
struct Node : std::enable_shared_from_this<Node> {
  Tensor value = torch::zeros({256, 256});
  std::vector<std::shared_ptr<Node>> children;
  std::shared_ptr<Node> parent;
  void add(std::shared_ptr<Node> child) {
    children.push_back(child);
    child->parent = shared_from_this(); // expected-warning {{own}} [tensor-undeleted-tensor]
  }
};
static void tree() {
  auto root = std::make_shared<Node>();
  root->add(std::make_shared<Node>());
}
struct Cell {
  Tensor value;
  std::shared_ptr<Cell> next, prev;
};
static void ring() {
  auto a = std::make_shared<Cell>(), b = std::make_shared<Cell>();
  a->next = b;
  b->prev = a; // expected-warning {{own}} [tensor-undeleted-tensor]
}
struct Layer;
struct Model {
  torch::nn::Linear mix{64, 64};
  std::map<int, std::shared_ptr<Layer>> layers;
};
struct Layer {
  explicit Layer(std::shared_ptr<Model> m) : model(m) {}
  std::shared_ptr<Model> model;
  Tensor weight = torch::rand({64, 64});
};
static void build() {
  auto model = std::make_shared<Model>();
  auto layer = std::make_shared<Layer>(model);
  model->layers.emplace(0, layer); // expected-warning {{own}} [tensor-undeleted-tensor]
}
struct Worker {
  Tensor state = torch::zeros({1000, 1000});
  std::function<void()> on_done;
};
static void callback() {
  auto w = std::make_shared<Worker>();
  w->on_done = [w] { w->state.zero_(); }; // expected-warning {{own}} [tensor-undeleted-tensor]
}
static void join(const std::shared_ptr<Cell> &l, const std::shared_ptr<Cell> &r) {
  l->next = r;
  r->prev = l; // expected-warning {{own}} [tensor-undeleted-tensor]
}
struct Enc : torch::nn::Module {
  std::vector<std::shared_ptr<Enc>> peers;
  torch::nn::Linear l = register_module("l", torch::nn::Linear(64, 64));
};
static void peers() {
  auto a = std::make_shared<Enc>();
  auto b = std::make_shared<Enc>();
  a->peers.emplace_back(b);
  b->peers.emplace_back(a); // expected-warning {{own}} [tensor-undeleted-tensor]
}
static void self() {
  auto a = std::make_shared<Enc>();
  a->peers.push_back(a); // expected-warning {{own}} [tensor-undeleted-tensor]
}
static void moved() {
  auto a = std::make_shared<Cell>();
  auto b = std::make_shared<Cell>();
  b->prev = a;
  a->next = std::move(b); // expected-warning {{own}} [tensor-undeleted-tensor]
}

struct Stage : torch::nn::Module {
  explicit Stage(int64_t width) : mix(torch::nn::Linear(width, width)) {
    register_module("mix", mix);
  }
  torch::nn::Linear mix;
  std::map<std::string, std::shared_ptr<Stage>> outputs;
  std::shared_ptr<Stage> input;
};

static std::shared_ptr<Stage> pipeline(int length) {
  auto first = std::make_shared<Stage>(128), last = first;
  for (int i = 1; i < length; ++i) {
    auto next = std::make_shared<Stage>(128);
    last->outputs["main"] = next;
    next->input = last; // expected-warning {{own}} [tensor-undeleted-tensor]
    last = next;
  }
  return first;
}

struct Tower : torch::nn::Module {
  void stack_on(std::shared_ptr<Tower> upper, const std::shared_ptr<Tower> &self) {
    register_module("upper", upper);
    upper->below = self; // expected-warning {{own}} [tensor-undeleted-tensor]
  }
  torch::nn::Linear floor = register_module("floor", torch::nn::Linear(128, 128));
  std::shared_ptr<Tower> below;
};

// Each of the elements is kept by what the loop goes through.
struct Encoder;
struct Section : torch::nn::Module {
  torch::nn::Linear mix = register_module("mix", torch::nn::Linear(128, 128));
  std::shared_ptr<Encoder> owner;
};
struct Encoder : torch::nn::Module {
  std::vector<std::shared_ptr<Section>> layers;
  std::map<std::string, std::shared_ptr<Section>> named;
};

std::shared_ptr<Encoder> encoder(int depth) {
  auto whole = std::make_shared<Encoder>();
  for (int i = 0; i < depth; ++i)
    whole->layers.push_back(std::make_shared<Section>());
  for (auto &each : whole->layers)
    each->owner = whole; // expected-warning {{own each other through 'owner'}} [tensor-undeleted-tensor]
  return whole;
}

void adopt(std::shared_ptr<Encoder> whole) {
  for (auto &[name, each] : whole->named)
    each->owner = whole; // expected-warning {{own each other through 'owner'}} [tensor-undeleted-tensor]
}

void stages() {
  for (int i = 0; i < 100; ++i) {
    pipeline(4);
    adopt(encoder(4));
    auto tower = std::make_shared<Tower>();
    tower->stack_on(std::make_shared<Tower>(), tower);
  }
}

int main() {
  stages();
  for (int i = 0; i < 10; ++i) {
    tree(); ring(); build(); callback(); peers(); self(); moved();
    auto l = std::make_shared<Cell>(), r = std::make_shared<Cell>();
    join(l, r);
  }
}
