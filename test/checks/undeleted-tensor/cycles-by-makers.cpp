// Objects that a helper makes, ties to what it is given, and returns: who keeps the result in what
// it has handed over, owns its owner.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <memory>
#include <vector>
using torch::Tensor;

struct Node {
  Tensor latent;
  std::vector<std::shared_ptr<Node>> children;
  std::shared_ptr<Node> parent;
};

static std::shared_ptr<Node> child_of(const Tensor &latent, const std::shared_ptr<Node> &parent) {
  auto n = std::make_shared<Node>();
  n->latent = latent;
  n->children.resize(4); // of a new node, to which nobody has tied anything
  n->parent = parent;
  return n;
}

static void expand(std::shared_ptr<Node> node, const Tensor &latent) {
  node->children[0] = child_of(latent, node); // expected-warning {{the objects own each other through 'children': nothing frees them or their tensors; make 'parent' a 'std::weak_ptr'}} [tensor-undeleted-tensor]
}

static void expand_by_name(std::shared_ptr<Node> node, const Tensor &latent) {
  auto child = child_of(latent, node);
  node->children.push_back(child); // expected-warning {{own each other}} [tensor-undeleted-tensor]
}

class Planner {
public:
  void simulate(std::shared_ptr<Node> node, const Tensor &latent) {
    while (node->children[0])
      node = node->children[0];
    node->children[0] = made(latent, node); // expected-warning {{make 'parent' a 'std::weak_ptr'}} [tensor-undeleted-tensor]
    node = node->children[0];
  }
  void grow(std::shared_ptr<Node> node, const Tensor &latent) {
    auto child = made(latent, node);
    node->children.push_back(child); // expected-warning {{own each other}} [tensor-undeleted-tensor]
  }

private:
  std::shared_ptr<Node> made(const Tensor &latent, const std::shared_ptr<Node> &parent) {
    auto n = std::make_shared<Node>();
    n->latent = latent;
    n->children.resize(4);
    n->parent = parent;
    return n;
  }
};

// What a constructor empties is new, too.
struct Leaf {
  explicit Leaf(std::shared_ptr<Leaf> above) : owner(above) { parts.clear(); } // expected-warning {{make 'owner' a 'std::weak_ptr'}} [tensor-undeleted-tensor]
  Tensor value = torch::zeros({256, 256});
  std::vector<std::shared_ptr<Leaf>> parts;
  std::shared_ptr<Leaf> owner;
};

static void grow(std::shared_ptr<Leaf> leaf) {
  leaf->parts.push_back(std::make_shared<Leaf>(leaf));
}

//===-- Near misses -------------------------------------------------------===//

struct Weak {
  Tensor latent;
  std::vector<std::shared_ptr<Weak>> children;
  std::weak_ptr<Weak> parent;
};

static std::shared_ptr<Weak> weak_child(const Tensor &latent, const std::shared_ptr<Weak> &parent) {
  auto n = std::make_shared<Weak>();
  n->latent = latent;
  n->children.resize(4);
  n->parent = parent;
  return n;
}

static void expand_weakly(std::shared_ptr<Weak> node, const Tensor &latent) {
  node->children[0] = weak_child(latent, node);
}

struct Item {
  Tensor value;
  std::vector<std::shared_ptr<Item>> items;
  std::shared_ptr<Item> source;
};

static std::shared_ptr<Item> item_of(const std::shared_ptr<Item> &source) {
  auto n = std::make_shared<Item>();
  n->items.clear();
  n->source = source;
  return n;
}

static void of_another(std::shared_ptr<Item> to, const std::shared_ptr<Item> &source) {
  to->items.push_back(item_of(source));
}

static std::shared_ptr<Item> copy_of(const std::shared_ptr<Item> &source) {
  auto n = std::make_shared<Item>();
  n->value = source->value.clone();
  n->items = source->items;
  return n;
}

static void of_copies(std::shared_ptr<Item> to) { to->items.push_back(copy_of(to)); }

// A search that unties its tree when it is done with it.
struct Step {
  Tensor latent;
  std::vector<std::shared_ptr<Step>> next;
  std::shared_ptr<Step> last;
};

static std::shared_ptr<Step> step_of(const Tensor &latent, const std::shared_ptr<Step> &last) {
  auto n = std::make_shared<Step>();
  n->next.resize(2);
  n->latent = latent;
  n->last = last;
  return n;
}

static void untie(const std::shared_ptr<Step> &step) {
  for (auto &each : step->next)
    if (each)
      untie(each);
  step->next.clear();
}

static void search(const Tensor &latent) {
  auto first = step_of(latent, nullptr);
  first->next[0] = step_of(latent, first);
  untie(first);
}

struct Link {
  Tensor value;
  std::vector<std::shared_ptr<Link>> next;
  std::shared_ptr<Link> last;
};

static std::shared_ptr<Link> link_of(const std::shared_ptr<Link> &last) {
  auto n = std::make_shared<Link>();
  n->next.resize(2);
  n->last = last;
  return n;
}

static void untied_by_pointer(const std::shared_ptr<Link> &first) {
  first->next[0] = link_of(first);
  first->next[0]->last.reset();
}

// One that is taken from others and emptied is none that was made here.
struct Cell {
  Tensor value;
  std::vector<std::shared_ptr<Cell>> parts;
  std::shared_ptr<Cell> whole;
};

struct Cells {
  std::vector<std::shared_ptr<Cell>> unused;
  std::shared_ptr<Cell> taken(const std::shared_ptr<Cell> &whole) {
    auto n = unused.back();
    unused.pop_back();
    n->parts.clear();
    n->whole = whole;
    return n;
  }
  void add(const std::shared_ptr<Cell> &whole) { whole->parts.push_back(taken(whole)); }
};

int main() {
  auto latent = torch::zeros({64, 64});
  auto root = child_of(latent, nullptr);
  expand(root, latent);
  expand_by_name(root, latent);
  Planner planner;
  planner.simulate(root, latent);
  planner.grow(root, latent);
  grow(std::make_shared<Leaf>(nullptr));
  expand_weakly(weak_child(latent, nullptr), latent);
  of_another(item_of(nullptr), item_of(nullptr));
  of_copies(item_of(nullptr));
  search(latent);
  untied_by_pointer(link_of(nullptr));
  Cells cells;
  cells.add(cells.taken(nullptr));
}
