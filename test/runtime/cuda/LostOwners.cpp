// A program whose findings stand where owners let go of device memory, a mode per kind; other
// lines take it. The mode "clean" takes as much in the same places and keeps its owners.
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

extern "C" {
int cudaMalloc(void **, size_t);
int cudaFree(void *);
}

struct Deleter {
  void operator()(void *P) const { cudaFree(P); }
};
using Memory = std::unique_ptr<void, Deleter>;

static Memory take(size_t N) {
  void *P = nullptr;
  cudaMalloc(&P, N);
  return Memory(P);
}

struct Buffer {
  explicit Buffer(size_t N) { cudaMalloc(&Data, N); }
  ~Buffer() { cudaFree(Data); }
  void *Data = nullptr;
};

static void byDeleter(bool Clean) {
  Memory Owner = take(4096);
  if (!Clean)
    Owner.release(); // is dropped
}

static void byDestructor(bool Clean) {
  auto Owner = std::make_unique<Buffer>(4096);
  if (!Clean)
    Owner.release(); // is dropped
}

/// Has room for two.
class Pool {
public:
  ~Pool() {
    for (void *P : Free)
      cudaFree(P);
  }
  void *get() {
    void *P = nullptr;
    if (Free.empty()) {
      cudaMalloc(&P, 4096);
      return P;
    }
    P = Free.back();
    Free.pop_back();
    return P;
  }
  void put(void *P) {
    if (Free.size() < 2)
      Free.push_back(P);
  }

private:
  std::vector<void *> Free;
};

static void useThree(Pool &P, bool Clean) {
  void *A = P.get(), *B = P.get();
  void *C = Clean ? nullptr : P.get();
  P.put(A);
  P.put(B);
  if (!Clean)
    P.put(C);
}

struct Node {
  explicit Node(size_t N) : Data(N) {}
  Buffer Data;
  std::shared_ptr<Node> Next, Previous;
};

static void link(bool Clean) {
  auto First = std::make_shared<Node>(1024), Second = std::make_shared<Node>(1024);
  First->Next = Second;
  if (!Clean)
    Second->Previous = First;
}

int main(int Argc, char **Argv) {
  const std::string Mode = Argc > 1 ? Argv[1] : "";
  const bool Clean = Argc > 2;
  Pool ThePool;
  for (int I = 0; I < 60; ++I)
    if (Mode == "deleter")
      byDeleter(Clean);
    else if (Mode == "destructor")
      byDestructor(Clean);
    else if (Mode == "pool")
      useThree(ThePool, Clean);
    else
      link(Clean);
}
