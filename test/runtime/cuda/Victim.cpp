// A program that uses CUDA by itself, a mode per kind of leak. A comment
// `finding: NAME ...` marks the line that a finding speaks of.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

extern "C" {
int cudaMalloc(void **, size_t);
int cudaFree(void *);
int cudaMallocHost(void **, size_t);
int cudaFreeHost(void *);
int cudaStreamCreate(void **);
int cudaStreamDestroy(void *);
int cudaMallocPitch(void **, size_t *, size_t, size_t);
}

static void early(int Steps) {
  for (int I = 0; I < Steps; ++I) { // loop: early
    void *Data = nullptr;
    cudaMalloc(&Data, 4096); // finding: early ownership plain 4096 early
    if (I % 2)
      continue; // forgets it
    cudaFree(Data);
  } // end: early
}

static void clean(int Steps) {
  for (int I = 0; I < Steps; ++I) { // loop: clean
    void *Data = nullptr;
    cudaMalloc(&Data, 4096); // finding: clean ownership plain 4096 clean
    cudaFree(Data);
  } // end: clean
}

static void pinned(int Steps) {
  for (int I = 0; I < Steps; ++I) { // loop: pinned
    void *Data = nullptr;
    cudaMallocHost(&Data, 1000); // finding: pinned ownership plain 1000 pinned
  } // end: pinned
}

static void pitch(int Steps) {
  for (int I = 0; I < Steps; ++I) { // loop: pitch
    void *Data = nullptr;
    size_t Pitch = 0;
    cudaMallocPitch(&Data, &Pitch, 100, 8); // finding: pitch ownership plain pitch
  } // end: pitch
}

static void stream(int Steps) {
  for (int I = 0; I < Steps; ++I) { // loop: stream
    void *Stream = nullptr;
    cudaStreamCreate(&Stream); // finding: stream ownership plain stream
  } // end: stream
}

static void together(int Steps) {
  for (int I = 0; I < Steps; ++I) { // loop: together
    void *First = nullptr, *Stream = nullptr, *Last = nullptr;
    cudaMalloc(&First, 4096); // finding: together ownership plain 6144 together
    cudaStreamCreate(&Stream); // producer: together
    cudaMalloc(&Last, 2048); // producer: together
    if (I % 2)
      continue; // forgets them all
    cudaFree(First);
    cudaFree(Last);
    cudaStreamDestroy(Stream);
  } // end: together
}

static void once(int) {
  void *Data = nullptr;
  cudaMalloc(&Data, 12345); // finding: once ownership plain 12345
}

/// Takes its buffers first, works in them, and leaves them to the end of the process.
static void buffers(int Count) {
  for (int I = 0; I < Count; ++I) {
    void *Data = nullptr;
    cudaMalloc(&Data, 1024); // taken: buffers
  }
  sleep(1);
}

/// As programs end that check each of CUDA's calls.
static void fails(int) {
  void *Data = nullptr;
  cudaMalloc(&Data, 4096); // taken: fails
  std::puts("no device");
  std::exit(1);
}

static void full(int) {
  void *Data = nullptr, *Kept = nullptr;
  cudaMalloc(&Kept, 1 << 20);
  if (cudaMalloc(&Data, size_t(1) << 50))
    std::puts("no memory");
  cudaFree(Kept);
}

static long pageFaults() {
  rusage Used = {};
  getrusage(RUSAGE_SELF, &Used);
  return Used.ru_minflt;
}

/// Whoever looks through all loaded files at each allocation maps and unmaps memory for it.
static void often(int) {
  constexpr int Rounds = 2000;
  long Before = 0;
  for (int I = -Rounds; I < Rounds; ++I) {
    if (I == 0)
      Before = pageFaults();
    void *Data = nullptr;
    cudaMalloc(&Data, 4096);
    cudaFree(Data);
  }
  std::printf("%ld page faults per round\n", (pageFaults() - Before) / Rounds);
}

int main(int Count, char **Arguments) {
  std::map<std::string, std::function<void(int)>> Modes{
      {"early", early}, {"clean", clean},   {"pinned", pinned}, {"pitch", pitch},
      {"once", once},   {"stream", stream},
      {"together", together}, {"full", full}, {"buffers", buffers},
      {"fails", fails},   {"often", often}};
  Modes.at(Arguments[1])(Count > 2 ? std::atoi(Arguments[2]) : 60);
  std::puts("done");
  return 0;
}
