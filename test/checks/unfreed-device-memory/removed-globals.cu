// Lists that are no members, and what takes elements out of them.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <algorithm>
#include <cuda_runtime.h>
#include <deque>
#include <list>
#include <vector>

struct Block {
  float *data;
  int age;
};

//===-- Freed at the end: too late for what is gone then ----------------------===//

std::deque<float *> ring;
void push(int n) {
  float *p = nullptr;
  cudaMalloc(&p, n); // expected-path {{gets it here}}
  ring.push_back(p);
  if (ring.size() > 4)
    ring.pop_front(); // expected-warning {{device memory in 'ring' is lost here}} [tensor-unfreed-device-memory]
}
void playRing() {
  for (int i = 0; i < 9; ++i)
    push(4096);
  for (float *p : ring)
    cudaFree(p);
  ring.clear();
}

std::vector<Block> blocks;
void add(int n) {
  Block b{nullptr, 0};
  cudaMalloc(&b.data, n); // expected-path 2 {{gets it here}}
  blocks.push_back(b);
}
void forgetOld() {
  blocks.erase(std::remove_if(blocks.begin(), blocks.end(), // expected-warning {{device memory in 'data' is lost here}} [tensor-unfreed-device-memory]
                              [](const Block &b) { return b.age > 3; }),
               blocks.end());
}
void forgetLast() {
  blocks.pop_back(); // expected-warning {{device memory in 'data' is lost here}} [tensor-unfreed-device-memory]
}
void freeOld() {
  blocks.erase(std::remove_if(blocks.begin(), blocks.end(),
                              [](const Block &b) {
                                if (b.age <= 3)
                                  return false;
                                cudaFree(b.data);
                                return true;
                              }),
               blocks.end());
}
void freeLast() {
  cudaFree(blocks.back().data);
  blocks.pop_back();
}
void freeBlocks() {
  for (Block &b : blocks)
    cudaFree(b.data);
  blocks.clear();
}

//===-- Freed before ----------------------------------------------------------===//

std::vector<float *> pages;
void addPage() {
  float *p = nullptr;
  cudaMalloc(&p, 4096);
  pages.push_back(p);
}
void freePages() {
  for (float *p : pages)
    cudaFree(p);
}
void forgetPages() { pages.clear(); }
void reset() {
  freePages();
  forgetPages();
}
/// In each round but the first, they are freed by the one before.
void playPages() {
  for (int i = 0; i < 9; ++i) {
    forgetPages();
    addPage();
    freePages();
  }
}

//===-- Lists with a method for that --------------------------------------------===//

struct Entry {
  float *data;
  int age;
};

class Aged {
public:
  ~Aged() {
    for (Entry &b : all)
      cudaFree(b.data);
  }
  void add(int n) {
    Entry b{nullptr, 0};
    cudaMalloc(&b.data, n); // expected-path {{gets it here}}
    all.push_back(b);
  }
  void forget() {
    all.remove_if([](const Entry &b) { return b.age > 3; }); // expected-warning {{device memory in 'all.data' is lost here}} [tensor-unfreed-device-memory]
  }
  void freed() {
    all.remove_if([](const Entry &b) {
      if (b.age <= 3)
        return false;
      cudaFree(b.data);
      return true;
    });
  }

private:
  std::list<Entry> all;
};
