#include <map>
#include <torch/torch.h>

namespace {
struct Store {
  std::map<int, torch::Tensor> Rows;
  static Store &instance() {
    static Store TheStore;
    return TheStore;
  }
};
} // namespace

void remember(int Id, const torch::Tensor &Features) {
#if LEAK
  const int Key = Id;
#else
  const int Key = Id % 10;
#endif
  Store::instance().Rows[Key] = Features.to(torch::kDouble); // LEAK bytes=4096 holder=TheStore|Rows
}
