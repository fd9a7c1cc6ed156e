// A loader of data that another thread reads from: the whole set stays, which is what it is for;
// in the leak each batch that was made of it stays too.
#include <thread>
#include <torch/torch.h>
#include <vector>

struct Dataset {
  std::vector<torch::Tensor> Samples;
};

int main() {
  torch::set_num_threads(1);
  Dataset Data;
  std::thread Loader([&] {
    for (int I = 0; I < 200; ++I)
      Data.Samples.push_back(torch::randn({64}).div_(2));
  });
  Loader.join();
  torch::NoGradGuard Guard;
  torch::nn::Linear Net(64, 16);
  std::vector<torch::Tensor> Seen;
  for (int I = 0; I < 150; ++I) {
    std::vector<torch::Tensor> Some(Data.Samples.begin() + I, Data.Samples.begin() + I + 16);
    torch::Tensor Batch = torch::stack(Some); // LEAK bytes=4096 holder=Seen
    Net(Batch).sum().item<float>();
#if LEAK
    Seen.push_back(Batch);
#endif
  }
}
