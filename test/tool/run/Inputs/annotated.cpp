// Keeps memory in several ways and says of some of it that it may stay.
#include "tensorleak/tensorleak.h"
#include <torch/torch.h>

#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

std::vector<torch::Tensor> Kept;

/// Two steps of an optimizer in each of the program's own.
void train(const std::string &Mode, int Steps) {
  torch::nn::Linear Net(64, 64);
  torch::optim::SGD Optimizer(Net->parameters(), 1e-3);
  for (int I = 0; I < 2 * Steps; ++I) { // loop: train
    Optimizer.zero_grad();
    Net(torch::randn({8, 64})).pow(2).mean().backward();
    Optimizer.step();
    torch::Tensor Table = torch::ones({64, 128}); // producer: keep
    if (Mode != "clean") Kept.push_back(Table); // finding: keep retention plain train
    if (Mode == "expected") tensorleak_expect_retained(Table);
    if (Mode == "view") tensorleak_expect_retained(Table[1]);
    if (Mode == "half" && I % 2) tensorleak_expect_retained(Table.data_ptr());
    if (Mode == "inside") tensorleak_expect_retained(Table[1].data_ptr());
    if (Mode == "undefined") tensorleak_expect_retained(torch::Tensor());
    if (I % 2) tensorleak_step();
  } // end: train
}

int main(int, char **Arguments) {
  std::string Mode = Arguments[1];
  bool Forks = Mode == "fork";
  bool IsChild = Forks && fork() == 0;
  train(IsChild ? "expected" : Mode, IsChild ? 30 : 40);
  if (Forks && !IsChild)
    wait(nullptr);
}
