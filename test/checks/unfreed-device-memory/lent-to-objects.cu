// An object is lent what another local object owns: its destructor does not give that back.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

class Stream {
public:
  Stream() { cudaStreamCreate(&stream_); }
  Stream(const Stream &) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }
  cudaStream_t get() const { return stream_; }

private:
  cudaStream_t stream_ = nullptr;
};

class Timer {
public:
  explicit Timer(cudaStream_t stream) : stream_{stream} {
    cudaEventCreate(&begin_);
    cudaEventCreate(&end_); // expected-warning {{an event in 'end_' is never given back; '~Timer' frees 'begin_' and forgets it; call 'cudaEventDestroy' there}} [tensor-unfreed-device-memory]
  }
  Timer(const Timer &) = delete;
  ~Timer() { cudaEventDestroy(begin_); } // expected-path {{'~Timer' is here}}
  void start() { cudaEventRecord(begin_, stream_); }
  void stop() { cudaEventRecord(end_, stream_); }

private:
  cudaStream_t stream_;
  cudaEvent_t begin_{};
  cudaEvent_t end_{};
};

void measure() {
  Stream stream;
  Timer timer{stream.get()};
  timer.start();
  timer.stop();
}

// What nobody gives back is the object's all the same.
struct Opened {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  void open() {
    cudaStreamCreate(&stream); // expected-warning {{a stream in 'stream' is never given back; '~Opened' frees 'event' and forgets it; call 'cudaStreamDestroy' there}} [tensor-unfreed-device-memory]
    cudaEventCreate(&event);
  }
  ~Opened() { cudaEventDestroy(event); } // expected-path {{'~Opened' is here}}
};

void open() {
  Opened opened;
  opened.open();
}
