// Records that point to each other through many members have more ways to each other
// than anybody can walk: what each holds is found out once.
//
// RUN: not %tensorleak check %s -q -- %mock_flags | FileCheck %s --implicit-check-not=warning:
#include <torch/torch.h>

#define FOUR(X) X##0, *X##1, *X##2, *X##3
#define SIXTEEN(X) FOUR(X##0), *FOUR(X##1), *FOUR(X##2), *FOUR(X##3)
#define SIXTY_FOUR(X) SIXTEEN(X##0), *SIXTEEN(X##1), *SIXTEEN(X##2), *SIXTEEN(X##3)

struct Network;
struct Layer {
  Layer *SIXTY_FOUR(Near);
  Network *SIXTY_FOUR(Of);
};
struct Network {
  Layer *SIXTY_FOUR(Of);
  Network *SIXTY_FOUR(Near);
  float *Weights;
};

Layer *first(Network *N) { return N->Of000; }
Layer *next(Layer *L) { return L->Near000 ? L->Near000 : L->Of000->Of000; }

std::vector<torch::Tensor> Kept;

void train(torch::nn::Linear Net, torch::Tensor X, Network *N) {
  for (Layer *L = first(N); L; L = next(L))
    // CHECK: records-of-each-other.cpp:[[#@LINE+1]]:{{.*}}warning:
    Kept.push_back(Net->forward(X));
}
