// A template that nobody uses is instantiated when the parse is over, too, and what Clang then
// declares late finds a place as well.
//
// RUN: not %tensorleak check %s -q --no-cache -- -x cuda -std=c++17 | FileCheck %s --implicit-check-not=warning:
#include <cuda_runtime.h>

#include <string>

void report(const char *Format, ...);

struct Profile {
  std::string Name;
  ~Profile();
};

template <typename T> bool fold(const Profile &Of, size_t Count) {
  T *Bins = nullptr;
  // CHECK: late-declarations.cu:[[#@LINE+1]]:{{.*}}warning:
  cudaMalloc(&Bins, Count * sizeof(T));
  if (Of.Name.empty())
    return false;
  if (Of.Name.size() > 80)
    report("%s is a long name\n", Of); // what C++ calls undefined, and Clang a trap
  cudaFree(Bins);
  return true;
}
