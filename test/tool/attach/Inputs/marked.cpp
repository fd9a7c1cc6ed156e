// Marks its rounds, and prints something in the end. Each keeps 1 KiB.
#include <tensorleak/tensorleak.h>
#include <torch/torch.h>

#include <chrono>
#include <iostream>
#include <thread>
#include <vector>

int main() {
  std::vector<torch::Tensor> Kept;
  for (int I = 0; I < 500; ++I) {
    Kept.push_back(torch::zeros({256}));
    tensorleak_step();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  std::cout << "done" << std::endl;
  return 5;
}
