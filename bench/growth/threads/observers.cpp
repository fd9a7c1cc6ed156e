// Observers that own each other: the subject owns who watches, and is owned by them.
#include <memory>
#include <thread>
#include <torch/torch.h>
#include <vector>

struct Request;
struct Observer {
#if LEAK
  std::shared_ptr<Request> Watched;
#else
  std::weak_ptr<Request> Watched;
#endif
};
struct Request {
  torch::Tensor Data;
  std::vector<std::shared_ptr<Observer>> Observers;
};

static void serve(torch::nn::Linear Net) {
  torch::NoGradGuard Guard;
  for (int I = 0; I < 150; ++I) {
    auto R = std::make_shared<Request>();
    R->Data = Net(torch::randn({8, 16})).tanh(); // LEAK bytes=1024 holder=LOST
    auto O = std::make_shared<Observer>();
    O->Watched = R;
    R->Observers.push_back(O);
  }
}

int main() {
  torch::set_num_threads(1);
  torch::nn::Linear Net(16, 32);
  std::thread Server(serve, Net);
  Server.join();
}
