// Objects that own device memory, and each other.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <memory>
#include <vector>

struct Node {
  std::shared_ptr<Node> parent;
  std::vector<std::shared_ptr<Node>> children;
  std::weak_ptr<Node> root;
  float *data = nullptr;
  explicit Node(int n) { cudaMalloc(&data, n); }
  Node(const Node &) = delete;
  ~Node() { cudaFree(data); }
};

std::shared_ptr<Node> pair(int n) {
  auto up = std::make_shared<Node>(n);
  auto down = std::make_shared<Node>(n);
  down->parent = up;
  up->children.push_back(down); // expected-warning {{the objects own each other through 'children': nothing frees them or their device memory; make 'parent' a 'std::weak_ptr'}} [tensor-unfreed-device-memory]
  return up;
}

// The way back is weak, or there is none.
std::shared_ptr<Node> tree(int n) {
  auto up = std::make_shared<Node>(n);
  auto down = std::make_shared<Node>(n);
  down->root = up;
  up->children.push_back(down);
  return up;
}

std::shared_ptr<Node> chain(int n) {
  auto up = std::make_shared<Node>(n);
  auto down = std::make_shared<Node>(n);
  down->parent = up;
  return down;
}

//===-- By what a function returns ------------------------------------------------===//

std::shared_ptr<Node> child(const std::shared_ptr<Node> &parent, int n) {
  auto made = std::make_shared<Node>(n);
  made->parent = parent;
  return made;
}

std::shared_ptr<Node> grown(int n) {
  auto up = std::make_shared<Node>(n);
  up->children.push_back(child(up, n)); // expected-warning {{the objects own each other through 'children'}} [tensor-unfreed-device-memory]
  return up;
}

std::shared_ptr<Node> grown_by_name(int n) {
  auto up = std::make_shared<Node>(n);
  auto down = child(up, n);
  up->children.push_back(down); // expected-warning {{the objects own each other through 'children'}} [tensor-unfreed-device-memory]
  return up;
}

std::shared_ptr<Node> child_of_none(const std::shared_ptr<Node> &parent, int n) {
  auto made = std::make_shared<Node>(n);
  made->root = parent;
  return made;
}

std::shared_ptr<Node> grown_weakly(int n) {
  auto up = std::make_shared<Node>(n);
  up->children.push_back(child_of_none(up, n));
  return up;
}

struct Half {
  std::shared_ptr<Half> parent;
  std::shared_ptr<Half> left;
  float *data = nullptr;
  ~Half() { cudaFree(data); }
};

static std::shared_ptr<Half> build(int n, const std::shared_ptr<Half> &parent) {
  auto half = std::make_shared<Half>();
  half->parent = parent;
  if (n < 8)
    cudaMalloc(&half->data, n);
  else
    half->left = build(n / 2, half); // expected-warning {{the objects own each other through 'left'}} [tensor-unfreed-device-memory]
  return half;
}

// What owns nothing of the device is other tools' business.
struct Plain {
  std::shared_ptr<Plain> other;
  int number = 0;
};

void plain() {
  auto a = std::make_shared<Plain>(), b = std::make_shared<Plain>();
  a->other = b;
  b->other = a;
}

//===-- Members that own it ---------------------------------------------------------===//

class Buffer {
public:
  explicit Buffer(int n) { cudaMalloc(&data, n); }
  Buffer(const Buffer &) = delete;
  ~Buffer() { cudaFree(data); }

private:
  float *data = nullptr;
};

struct Stage {
  explicit Stage(int n) : buffer(n) {}
  std::shared_ptr<Stage> next, previous;
  Buffer buffer;
};

void pipeline(int n) {
  auto first = std::make_shared<Stage>(n), second = std::make_shared<Stage>(n);
  first->next = second;
  second->previous = first; // expected-warning {{the objects own each other through 'previous'}} [tensor-unfreed-device-memory]
}

void pipeline_that_ends(int n) {
  auto first = std::make_shared<Stage>(n), second = std::make_shared<Stage>(n);
  first->next = second;
  second->previous = first;
  first->next.reset();
}

//===-- Members that own it by a unique_ptr -----------------------------------------===//

struct Part : std::enable_shared_from_this<Part> {
  void attach(const std::shared_ptr<Part> &child) {
    child->parent = shared_from_this();
    children.push_back(child); // expected-warning {{the objects own each other through 'children'}} [tensor-unfreed-device-memory]
  }
  std::unique_ptr<Buffer> buffer;
  std::shared_ptr<Part> parent;
  std::vector<std::shared_ptr<Part>> children;
};

struct WeakPart : std::enable_shared_from_this<WeakPart> {
  void attach(const std::shared_ptr<WeakPart> &child) {
    child->parent = shared_from_this();
    children.push_back(child);
  }
  std::unique_ptr<Buffer> buffer;
  std::weak_ptr<WeakPart> parent;
  std::vector<std::shared_ptr<WeakPart>> children;
};
