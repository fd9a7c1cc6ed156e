// What lies in a node of the heap goes where the node goes: to code that is not in view, or to an
// atomic. Where the node is deleted, it is lost.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

#include <atomic>

struct Node {
  void *memory;
  Node *next;
};

//===-- Kept ----------------------------------------------------------------===//

void keep(Node *node);
static void hand_over(void *p) {
  Node *node = new Node{p, nullptr};
  keep(node);
}
void hands_over() {
  for (int i = 0; i < 9; ++i) {
    void *p;
    cudaMalloc(&p, 2048);
    hand_over(p);
  }
}

static std::atomic<Node *> top;
static void push(void *p) {
  Node *node = new Node{p, top.load()};
  while (!top.compare_exchange_weak(node->next, node))
    ;
}
void pushes() {
  for (int i = 0; i < 9; ++i) {
    void *p;
    cudaMalloc(&p, 2048);
    push(p);
  }
}

static void fill_and_store(void *p) {
  Node *node = new Node;
  node->memory = p;
  node->next = nullptr;
  top.store(node);
}
void stores() {
  for (int i = 0; i < 9; ++i) {
    void *p;
    cudaMalloc(&p, 2048);
    fill_and_store(p);
  }
}

//===-- Lost ----------------------------------------------------------------===//

static int look_at(void *p) {
  Node *node = new Node{p, nullptr};
  const int is_last = node->next == nullptr;
  delete node;
  return is_last;
}
int looks() {
  int n = 0;
  for (int i = 0; i < 9; ++i) {
    void *p; // expected-path {{it is overwritten here}}
    cudaMalloc(&p, 2048); // expected-warning {{'p' is taken anew in each round}} [tensor-unfreed-device-memory]
    n += look_at(p);
  }
  return n;
}
