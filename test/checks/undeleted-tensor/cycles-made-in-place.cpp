// An object that is made where it is kept, and whose constructor keeps its owner.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <memory>
#include <torch/torch.h>
#include <vector>

struct Tree;
struct Leaf {
  explicit Leaf(std::shared_ptr<Tree> tree) : tree_(std::move(tree)) {} // expected-warning {{the objects own each other through 'tree_'}} [tensor-undeleted-tensor]
  std::shared_ptr<Tree> tree_;
};
struct Tree {
  torch::Tensor weights = torch::rand({512, 512});
  std::shared_ptr<Leaf> leaf;
};

struct Graph;
struct Node {
  explicit Node(std::shared_ptr<Graph> graph) : graph_(graph) {} // expected-warning {{the objects own each other through 'graph_'}} [tensor-undeleted-tensor]
  std::shared_ptr<Graph> graph_;
};
struct Graph : std::enable_shared_from_this<Graph> {
  void build() { nodes.push_back(std::make_shared<Node>(shared_from_this())); }
  torch::Tensor weights = torch::rand({512, 512});
  std::vector<std::shared_ptr<Node>> nodes;
};

//===-- Near misses ----------------------------------------------------------===//

struct Owner;
struct Part {
  explicit Part(std::shared_ptr<Owner> owner) : owner_(owner) {}
  std::weak_ptr<Owner> owner_;
};
struct Owner : std::enable_shared_from_this<Owner> {
  void build() { part = std::make_shared<Part>(shared_from_this()); }
  torch::Tensor weights = torch::rand({512, 512});
  std::shared_ptr<Part> part;
};

// Its constructor only looks at its owner.
struct Box;
struct Label {
  explicit Label(const std::shared_ptr<Box> &box) : is_known_(box != nullptr) {}
  bool is_known_;
};
struct Box {
  torch::Tensor weights = torch::rand({512, 512});
  std::shared_ptr<Label> label;
};

// Of another one.
struct Next;
struct Link {
  explicit Link(std::shared_ptr<Next> next) : next_(next) {}
  std::shared_ptr<Next> next_;
};
struct Next {
  torch::Tensor weights = torch::rand({512, 512});
  std::shared_ptr<Link> link;
};

int main() {
  for (int i = 0; i < 1000; ++i) {
    auto tree = std::make_shared<Tree>();
    tree->leaf = std::make_shared<Leaf>(tree);
    auto graph = std::make_shared<Graph>();
    graph->build();
    auto owner = std::make_shared<Owner>();
    owner->build();
    auto box = std::make_shared<Box>();
    box->label = std::make_shared<Label>(box);
    auto first = std::make_shared<Next>(), second = std::make_shared<Next>();
    first->link = std::make_shared<Link>(second);
  }
}
