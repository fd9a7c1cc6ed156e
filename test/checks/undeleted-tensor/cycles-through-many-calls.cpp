// Each function calls the one before it twice: what callers see of such a chain has a bound.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <memory>
#include <torch/torch.h>

struct Node {
  std::shared_ptr<Node> next;
  torch::Tensor data;
};
using Pointer = std::shared_ptr<Node>;

static void link0(Pointer a, Pointer b) { a->next = b; } // expected-warning {{the objects own each other through 'next'}} [tensor-undeleted-tensor]
#define LEVEL(n, m)                                                                                \
  static void link##n(Pointer a, Pointer b) {                                                      \
    link##m(a, b);                                                                                 \
    link##m(a, b);                                                                                 \
  }
LEVEL(1, 0)
LEVEL(2, 1)
LEVEL(3, 2)
LEVEL(4, 3)
LEVEL(5, 4)
LEVEL(6, 5)
LEVEL(7, 6)
LEVEL(8, 7)
LEVEL(9, 8)
LEVEL(10, 9)
LEVEL(11, 10)
LEVEL(12, 11)
LEVEL(13, 12)
LEVEL(14, 13)
LEVEL(15, 14)
LEVEL(16, 15)
LEVEL(17, 16)
LEVEL(18, 17)
LEVEL(19, 18)
LEVEL(20, 19)
LEVEL(21, 20)
LEVEL(22, 21)
LEVEL(23, 22)
LEVEL(24, 23)
LEVEL(25, 24)
LEVEL(26, 25)
LEVEL(27, 26)
LEVEL(28, 27)
LEVEL(29, 28)
LEVEL(30, 29)
LEVEL(31, 30)
LEVEL(32, 31)

void linked_once() {
  auto a = std::make_shared<Node>(), b = std::make_shared<Node>();
  link3(a, b);
}
void linked_both_ways() {
  auto a = std::make_shared<Node>(), b = std::make_shared<Node>();
  link3(a, b);
  link3(b, a);
}
void linked_by_all() {
  auto a = std::make_shared<Node>(), b = std::make_shared<Node>();
  link32(a, b);
}
