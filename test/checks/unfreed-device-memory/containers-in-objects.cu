// Containers of the library in objects, and of records with pointers.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <algorithm>
#include <cuda_runtime.h>
#include <set>
#include <string>
#include <vector>

__global__ void kernel(float *data, int n) {}
using Buffers = std::vector<float *>;

//===-- In an object --------------------------------------------------------===//

class Forgets {
public:
  Forgets() { cudaMalloc(&scratch, 1024); }
  ~Forgets() { cudaFree(scratch); } // expected-path {{'~Forgets' is here}}
  void add(int n) {
    float *p;
    cudaMalloc(&p, n); // expected-warning {{'~Forgets' frees 'scratch' and forgets it}} [tensor-unfreed-device-memory]
    all.push_back(p);
  }

private:
  Buffers all;
  float *scratch;
};

class Remembers {
public:
  Remembers() { cudaMalloc(&scratch, 1024); }
  ~Remembers() {
    cudaFree(scratch);
    for (float *p : all)
      cudaFree(p);
  }
  void add(int n) {
    float *p;
    cudaMalloc(&p, n);
    all.push_back(p);
  }

private:
  Buffers all;
  float *scratch;
};

class RemembersByAlgorithm {
public:
  RemembersByAlgorithm() { cudaMalloc(&scratch, 1024); }
  ~RemembersByAlgorithm() {
    cudaFree(scratch);
    std::for_each(all.begin(), all.end(), cudaFree);
  }
  void add(int n) {
    float *p;
    cudaMalloc(&p, n);
    all.push_back(p);
  }

private:
  std::vector<void *> all;
  float *scratch;
};

class HandsOut {
public:
  HandsOut() { cudaMalloc(&scratch, 1024); }
  ~HandsOut() {
    cudaFree(scratch);
    for (float *p : unused)
      cudaFree(p);
  }
  float *get(int n) {
    float *p;
    if (!unused.empty()) {
      p = unused.back();
      unused.pop_back();
      return p;
    }
    cudaMalloc(&p, n);
    return p;
  }
  void put(float *p) { unused.push_back(p); }

private:
  Buffers unused;
  float *scratch;
};

// The set says which are in use; the list has all of them.
class HoldsTwice {
public:
  ~HoldsTwice() {
    for (float *p : all)
      cudaFree(p);
  }
  void add(int n) {
    float *p;
    cudaMalloc(&p, n);
    all.push_back(p);
    used.insert(p);
  }

private:
  Buffers all;
  std::set<float *> used;
};

//===-- Records in containers ------------------------------------------------===//

struct Frame {
  float *luma, *chroma;
  int size;
};

class ForgetsAPart {
public:
  ~ForgetsAPart() { // expected-path {{'~ForgetsAPart' is here}}
    for (Frame &frame : frames)
      cudaFree(frame.luma);
  }
  void add(int n) {
    Frame frame;
    cudaMalloc(&frame.luma, n);
    cudaMalloc(&frame.chroma, n); // expected-warning {{frees 'frames.luma' and forgets it}} [tensor-unfreed-device-memory]
    frame.size = n;
    frames.push_back(frame);
  }

private:
  std::vector<Frame> frames;
};

class RemembersBoth {
public:
  ~RemembersBoth() {
    for (Frame &frame : frames) {
      cudaFree(frame.luma);
      cudaFree(frame.chroma);
    }
  }
  void add(int n) {
    Frame frame;
    cudaMalloc(&frame.luma, n);
    cudaMalloc(&frame.chroma, n);
    frames.push_back(frame);
  }
  void addBoth(float *luma, int n) {
    float *chroma;
    cudaMalloc(&chroma, n);
    frames.push_back({luma, chroma, n});
  }

private:
  std::vector<Frame> frames;
};

void frame_freed_in_function(int n) {
  std::vector<Frame> frames;
  Frame frame{};
  cudaMalloc(&frame.luma, n);
  frames.push_back(frame);
  while (!frames.empty()) {
    Frame last = frames.back();
    frames.pop_back();
    cudaFree(last.luma);
  }
}

void frame_not_freed(int n) {
  std::vector<Frame> frames;
  float *p;
  cudaMalloc(&p, n); // expected-warning {{is not given back}} [tensor-unfreed-device-memory]
  frames.push_back({p, nullptr, n});
  kernel<<<1, 1>>>(frames[0].luma, n);
} // expected-fix {{cudaFree(p);}}

void unseen_frames(Frame *frames, int count);
void frames_given(int n) {
  std::vector<Frame> frames;
  Frame frame{};
  cudaMalloc(&frame.luma, n);
  frames.push_back(frame);
  unseen_frames(frames.data(), 1);
}

// The destructor of an element frees.
struct Owned {
  float *data;
  ~Owned() { cudaFree(data); }
};
void owned_elements(int n) {
  std::vector<Owned> all;
  float *p;
  cudaMalloc(&p, n);
  all.push_back({p});
}

//===-- Records whose own parts free themselves -----------------------------------===//

struct Sample {
  std::string name;
  std::vector<float> host;
  float *device;
};
class Samples {
public:
  void add(const std::string &name, int n) {
    Sample s;
    s.name = name;
    cudaMalloc(&s.device, n); // expected-note {{is never given back: the class has no destructor}} [tensor-unfreed-device-memory]
    all.push_back(s);
  }

private:
  std::vector<Sample> all;
};

class FreedSamples {
public:
  ~FreedSamples() {
    for (Sample &s : all)
      cudaFree(s.device);
  }
  void add(const std::string &name, int n) {
    Sample s;
    s.name = name;
    cudaMalloc(&s.device, n);
    all.push_back(s);
  }

private:
  std::vector<Sample> all;
};

// What has a destructor may free it.
struct OwnSample {
  ~OwnSample();
  std::string name;
  float *device;
};
class OwnSamples {
public:
  void add(const std::string &name, int n) {
    OwnSample s;
    s.name = name;
    cudaMalloc(&s.device, n);
    all.push_back(s);
  }

private:
  std::vector<OwnSample> all;
};
