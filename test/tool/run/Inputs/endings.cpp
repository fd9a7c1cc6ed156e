// Keeps a tensor in each round, and ends in one of many ways.
#include <csignal>
#include <stdexcept>
#include <string>
#include <torch/torch.h>
#include <unistd.h>
#include <vector>

static std::vector<torch::Tensor> Kept;

static void work() {
  torch::NoGradGuard Guard;
  torch::nn::Linear Net(32, 32);
  for (int I = 0; I < 150; ++I) {
    auto Answer = Net(torch::randn({32, 32})); // keeps: all
    Kept.push_back(Answer);
  }
}

static volatile int *nowhere() { return nullptr; }

int main(int, char **Arguments) {
  std::string How = Arguments[1];
  if (How == "again")
    execl(Arguments[0], Arguments[0], "return", nullptr);
  if (How == "early" && torch::ones({4}).defined())
    kill(getpid(), SIGKILL);
  work();
  if (How == "kill")
    kill(getpid(), SIGKILL);
  if (How == "fault")
    *nowhere() = 1;
  if (How == "term")
    kill(getpid(), SIGTERM);
  if (How == "throw")
    throw std::runtime_error("on purpose");
  if (How == "wait") {
    std::cout << "waiting " << getpid() << std::endl;
    pause();
  }
  if (How == "exec")
    execl("/bin/true", "true", nullptr);
  if (How == "fast")
    _exit(0);
  return 0;
}
