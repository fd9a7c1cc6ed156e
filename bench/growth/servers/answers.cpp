// A cache of answers by request: the key is new in each, so nothing is ever found in it. Its twin
// has a bound.
#include <deque>
#include <torch/torch.h>
#include <unordered_map>

namespace {
class AnswerCache {
public:
  torch::Tensor get(int64_t Key, const torch::Tensor &X) {
    auto Found = Answers.find(Key);
    if (Found != Answers.end())
      return Found->second;
    torch::Tensor Y =
        torch::softmax(torch::matmul(X, Weights), 1); // LEAK bytes=8192 holder=Answers
    Answers.emplace(Key, Y);
    Order.push_back(Key);
#if !LEAK
    if (Order.size() > 32) {
      Answers.erase(Order.front());
      Order.pop_front();
    }
#endif
    return Y;
  }

private:
  torch::Tensor Weights = torch::randn({32, 64});
  std::unordered_map<int64_t, torch::Tensor> Answers;
  std::deque<int64_t> Order;
};
} // namespace

int main() {
  static AnswerCache Cache;
  torch::NoGradGuard Guard;
  double Sum = 0;
  for (int64_t I = 0; I < 200; ++I)
    Sum += Cache.get(I * 7919, torch::rand({32, 32})).sum().item<double>();
  return Sum < 0;
}
