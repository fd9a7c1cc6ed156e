// A service keeps a state per session; who logs out should be forgotten.
#include <map>
#include <string>
#include <torch/torch.h>

struct Session {
  torch::Tensor State;
  int Requests = 0;
};

class Service {
public:
  torch::Tensor answer(const std::string &User, const torch::Tensor &X) {
    torch::NoGradGuard Guard;
    Session &S = Sessions[User];
    S.State = torch::tanh(Net->forward(X)); // LEAK bytes=16384|5461 holder=Sessions
    ++S.Requests;
    return S.State.mean();
  }
  void logout(const std::string &User) {
#if !LEAK
    Sessions.erase(User);
#else
    (void)User;
#endif
  }

private:
  torch::nn::Linear Net{64, 128};
  std::map<std::string, Session> Sessions;
};

int main() {
  Service TheService;
  for (int I = 0; I < 150; ++I) {
    std::string User = "user" + std::to_string(I);
    for (int J = 0; J < 3; ++J)
      TheService.answer(User, torch::randn({32, 64})).item<float>();
    TheService.logout(User);
  }
}
