// The list of what was used last is cut, the table behind it is not.
#include <list>
#include <torch/torch.h>
#include <unordered_map>

template <class Key, class Value> class Lru {
public:
  explicit Lru(size_t Capacity) : Capacity(Capacity) {}
  void put(Key K, Value V) {
    Used.push_front(K);
    Table[K] = std::move(V);
    if (Used.size() > Capacity) {
#if !LEAK
      Table.erase(Used.back());
#endif
      Used.pop_back();
    }
  }

private:
  size_t Capacity;
  std::list<Key> Used;
  std::unordered_map<Key, Value> Table;
};

int main() {
  torch::NoGradGuard Guard;
  Lru<int, torch::Tensor> Features(24);
  torch::nn::Conv2d Net(torch::nn::Conv2dOptions(1, 4, 3).padding(1));
  for (int I = 0; I < 170; ++I) {
    torch::Tensor Image = torch::rand({1, 1, 16, 16});
    Features.put(I, Net(Image).relu()); // LEAK bytes=4096 holder=Features
  }
}
