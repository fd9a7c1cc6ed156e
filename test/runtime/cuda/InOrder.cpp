// Memory in the order of a stream, which the runtime behind the stream knows of: it is lost, or a
// list keeps it, or it is freed.
#include <cstddef>
#include <cstring>
#include <vector>

extern "C" {
int cudaStreamCreate(void **);
int cudaStreamDestroy(void *);
int cudaMallocAsync(void **, size_t, void *);
int cudaFreeAsync(void *, void *);
}

struct Worker {
  Worker() { cudaStreamCreate(&Stream); }
  ~Worker() {
    for (void *Result : Results)
      cudaFreeAsync(Result, Stream);
    cudaStreamDestroy(Stream);
  }
  void *work() {
    void *Scratch = nullptr;
    cudaMallocAsync(&Scratch, 8192, Stream);
    return Scratch;
  }
  void *Stream = nullptr;
  std::vector<void *> Results;
};

int main(int, char **Arguments) {
  bool Keeps = !std::strcmp(Arguments[1], "kept"), Loses = !std::strcmp(Arguments[1], "lost");
  Worker TheWorker;
  for (int I = 0; I < 200; ++I) {
    void *Result = TheWorker.work();
    if (Keeps)
      TheWorker.Results.push_back(Result);
    else if (!Loses)
      cudaFreeAsync(Result, TheWorker.Stream);
  }
}
