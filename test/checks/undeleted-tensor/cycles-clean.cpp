// Near misses of cycles.cpp: weak pointers, chains, ties that are cut again.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <map>
#include <memory>
#include <functional>
using torch::Tensor;
struct Node : std::enable_shared_from_this<Node> {
  Tensor value = torch::zeros({256, 256});
  std::vector<std::shared_ptr<Node>> children;
  std::weak_ptr<Node> parent;
  void add(std::shared_ptr<Node> child) {
    children.push_back(child);
    child->parent = shared_from_this();
  }
};
struct Cell {
  Tensor value;
  std::shared_ptr<Cell> next, prev;
};
static void list() { // singly linked
  std::shared_ptr<Cell> head;
  for (int i = 0; i < 10; ++i) {
    auto cell = std::make_shared<Cell>();
    cell->next = head;
    head = cell;
  }
}
static void untied() {
  auto a = std::make_shared<Cell>(), b = std::make_shared<Cell>();
  a->next = b;
  b->prev = a;
  a->next.reset();
}
static void untied_null() {
  auto a = std::make_shared<Cell>(), b = std::make_shared<Cell>();
  a->next = b;
  b->prev = a;
  b->prev = nullptr;
}
static void replaced(std::shared_ptr<Cell> other) {
  auto a = std::make_shared<Cell>(), b = std::make_shared<Cell>();
  a->next = b;
  a = std::make_shared<Cell>();
  b->prev = a;
}
static void replaced_link(std::shared_ptr<Cell> other) {
  auto a = std::make_shared<Cell>(), b = std::make_shared<Cell>();
  a->next = b;
  a->next = other;
  b->prev = a;
}
struct Plain { std::shared_ptr<Plain> next, prev; int n; };
static void plain() {
  auto a = std::make_shared<Plain>(), b = std::make_shared<Plain>();
  a->next = b;
  b->prev = a;
}
struct Worker {
  Tensor state = torch::zeros({1000, 1000});
  std::function<void()> on_done;
};
static void callback() {
  auto w = std::make_shared<Worker>();
  std::weak_ptr<Worker> weak = w;
  w->on_done = [weak] { if (auto p = weak.lock()) p->state.zero_(); };
  auto v = std::make_shared<Worker>();
  v->on_done = [&v] { v->state.zero_(); };
  auto u = std::make_shared<Worker>();
  u->on_done = [v] { v->state.zero_(); };
}
struct Tree {
  struct Item { Tensor t; std::shared_ptr<Item> up; std::vector<std::shared_ptr<Item>> down; };
  std::shared_ptr<Item> root = std::make_shared<Item>();
  void grow() {
    auto item = std::make_shared<Item>();
    root->down.push_back(item);
    item->up = root;
  }
  ~Tree() {
    for (auto &i : root->down)
      i->up.reset();
  }
};
// One element keeps another; the whole keeps both.
struct Chain : torch::nn::Module {
  std::vector<std::shared_ptr<Chain>> parts;
  std::shared_ptr<Chain> next;
  torch::nn::Linear mix = register_module("mix", torch::nn::Linear(128, 128));
};
static void byIndex(std::vector<std::shared_ptr<Chain>> &all) {
  for (size_t i = 0; i + 1 < all.size(); ++i)
    all[i]->next = all[i + 1];
}
static void byRound(const std::shared_ptr<Chain> &whole) {
  std::shared_ptr<Chain> last = whole;
  for (auto &each : whole->parts) {
    last->next = each;
    last = each;
  }
}
static void byTwoLoops(const std::shared_ptr<Chain> &whole) {
  for (auto &each : whole->parts)
    for (auto &other : whole->parts)
      if (each != other)
        each->next = other;
}
static void toAnother(const std::shared_ptr<Chain> &whole, const std::shared_ptr<Chain> &end) {
  for (auto &each : whole->parts)
    each->next = end;
}
// The first cell, after which the method returns, is another one than the next.
struct Row {
  struct Item { Tensor value; std::shared_ptr<Item> next; std::weak_ptr<Item> prev; };
  std::shared_ptr<Item> head, tail;
  void add() {
    auto item = std::make_shared<Item>();
    if (!head) {
      head = item;
      tail = item;
      return;
    }
    tail->next = item;
    item->prev = tail;
    tail = item;
  }
};
static void branches(bool b) {
  auto x = std::make_shared<Cell>(), y = std::make_shared<Cell>();
  if (b)
    x->next = y;
  else
    y->prev = x;
}
int main() {
  auto n = std::make_shared<Node>();
  n->add(std::make_shared<Node>());
  list();
  untied();
  untied_null();
  replaced(nullptr);
  replaced_link(nullptr);
  plain();
  callback();
  branches(true);
  Row().add();
  Tree t;
  t.grow();
}
