// What a flag says is there: all that gives it back asks the flag first.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

//===-- Left before the flag is set -------------------------------------------------===//

class Channel {
public:
  ~Channel() { shutdown(); }
  bool init(double notch, double rate, int n) {
    shutdown();
    if (cudaStreamCreate(&stream_) != cudaSuccess) // expected-warning {{a stream in 'stream_' is lost where 'init' leaves early: it is given back only where 'running_' is set}} [tensor-unfreed-device-memory]
      return false;
    if (notch >= rate / 2)
      return false; // expected-path {{it leaves here}}
    if (cudaMalloc(&ring_, n) != cudaSuccess) {
      cudaStreamDestroy(stream_);
      return false;
    }
    running_ = true;
    return true;
  }
  void shutdown() {
    if (!running_)
      return;
    running_ = false;
    cudaFree(ring_);
    cudaStreamDestroy(stream_); // expected-path {{it is given back here, under that condition}}
  }

private:
  cudaStream_t stream_ = nullptr;
  float *ring_ = nullptr;
  bool running_ = false;
};

// It is given back there, the flag is set at once, or the destructor does not ask it.
class GivesBack {
public:
  ~GivesBack() { shutdown(); }
  bool init(int n) {
    if (cudaStreamCreate(&stream_) != cudaSuccess)
      return false;
    if (n <= 0) {
      cudaStreamDestroy(stream_);
      return false;
    }
    running_ = true;
    return true;
  }
  void shutdown() {
    if (!running_)
      return;
    running_ = false;
    cudaStreamDestroy(stream_);
  }

private:
  cudaStream_t stream_ = nullptr;
  bool running_ = false;
};

class SetAtOnce {
public:
  ~SetAtOnce() {
    if (running_)
      cudaStreamDestroy(stream_);
  }
  bool init(int n) {
    if (running_ || cudaStreamCreate(&stream_) != cudaSuccess)
      return false;
    running_ = true;
    return n > 0 ? true : false;
  }
  bool check(int n) {
    if (n <= 0)
      return false;
    return true;
  }

private:
  cudaStream_t stream_ = nullptr;
  bool running_ = false;
};

class AsksTheStream {
public:
  ~AsksTheStream() {
    if (stream_)
      cudaStreamDestroy(stream_);
  }
  bool init(int n) {
    if (stream_ || cudaStreamCreate(&stream_) != cudaSuccess)
      return false;
    if (n <= 0)
      return false;
    running_ = true;
    return true;
  }

private:
  cudaStream_t stream_ = nullptr;
  bool running_ = false;
};

// The next call finds what is there.
class TriesAgain {
public:
  ~TriesAgain() {
    if (running_)
      cudaStreamDestroy(stream_);
  }
  bool init(int n) {
    if (!stream_)
      cudaStreamCreate(&stream_);
    if (n <= 0)
      return false;
    running_ = true;
    return true;
  }

private:
  cudaStream_t stream_ = nullptr;
  bool running_ = false;
};

// A question within another branch or loop says nothing of what comes behind it.
class AsksInALoop {
public:
  ~AsksInALoop() { shutdown(3); }
  bool init(int n) {
    if (cudaStreamCreate(&stream_) != cudaSuccess)
      return false;
    if (n <= 0)
      return false;
    running_ = true;
    return true;
  }
  void shutdown(int n) {
    for (int i = 0; i < n; ++i) {
      if (!running_)
        break;
      cudaStreamSynchronize(stream_);
    }
    if (n > 1) {
      if (!running_)
        ++n;
    }
    cudaStreamDestroy(stream_);
  }

private:
  cudaStream_t stream_ = nullptr;
  bool running_ = false;
};

//===-- Cleared alone ---------------------------------------------------------------===//

class Player {
public:
  ~Player() {
    if (playing_)
      cudaEventDestroy(done_); // expected-path {{it is given back here, under that condition}}
  }
  void play() {
    if (playing_)
      return;
    cudaEventCreate(&done_); // expected-path {{'done_' gets it here}}
    playing_ = true;
  }
  void pause() {
    playing_ = false; // expected-warning {{an event in 'done_' is lost here: it is given back only where 'playing_' is set}} [tensor-unfreed-device-memory]
  }

private:
  cudaEvent_t done_ = nullptr;
  bool playing_ = false;
};

class Stopped {
public:
  ~Stopped() { stop(); }
  void play() {
    if (playing_)
      return;
    cudaEventCreate(&done_);
    playing_ = true;
  }
  void stop() {
    if (!playing_)
      return;
    playing_ = false;
    cudaEventDestroy(done_);
  }
  void begin() { // it is not set before play() either
    playing_ = false;
    cudaEventCreate(&done_);
    playing_ = true;
  }
  void forget() {
    if (!playing_)
      playing_ = false;
  }

private:
  cudaEvent_t done_ = nullptr;
  bool playing_ = false;
};

void play(int n) {
  Player player;
  Stopped other;
  for (int i = 0; i < n; ++i) {
    player.play();
    player.pause();
    other.play();
    other.forget();
  }
}

// In the manner of C, where the same function begins and ends it.
struct Reverb {
  int metering;
  cudaEvent_t mark;
};

void setParameter(void *self, float value) {
  Reverb *r = (Reverb *)self;
  if (value > 0.5f && !r->metering)
    cudaEventCreate(&r->mark); // expected-path {{'mark' gets it here}}
  r->metering = value > 0.5f; // expected-note {{an event in 'mark' is lost here: it is given back only where 'metering' is set}} [tensor-unfreed-device-memory]
}

void destroy(void *self) {
  Reverb *r = (Reverb *)self;
  if (r->metering)
    cudaEventDestroy(r->mark); // expected-path {{it is given back here, under that condition}}
}

// The object that takes over what is held has the flag.
class Moved {
public:
  explicit Moved(int n) : owns_(true) { cudaMalloc(&data_, n); }
  Moved(Moved &&from) noexcept : data_(from.data_), owns_(from.owns_) { from.owns_ = false; }
  void take(Moved &from) {
    if (owns_)
      cudaFree(data_);
    data_ = from.data_;
    owns_ = from.owns_;
    from.owns_ = false;
  }
  ~Moved() {
    if (owns_)
      cudaFree(data_);
  }

private:
  float *data_ = nullptr;
  bool owns_ = false;
};

//===-- States --------------------------------------------------------------------===//

enum class Mode { Idle, Tracking, Lost };

class Navigator {
public:
  explicit Navigator(int beams) : beams_(beams) {}
  ~Navigator() { go(Mode::Idle); }
  void scan() {
    if (mode_ != Mode::Tracking)
      go(Mode::Tracking);
    cudaEventRecord(matched_);
  }
  void dropOut() {
    mode_ = Mode::Lost; // expected-warning {{an event in 'matched_' is lost here: it is given back only where 'mode_' is 'Tracking'}} [tensor-unfreed-device-memory]
  }
  void park() { go(Mode::Idle); }

private:
  void enter(Mode mode) {
    if (mode == Mode::Tracking)
      cudaEventCreate(&matched_); // expected-path {{'matched_' gets it here}}
    mode_ = mode;
  }
  void leave() {
    if (mode_ == Mode::Tracking)
      cudaEventDestroy(matched_); // expected-path {{it is given back here, under that condition}}
  }
  void go(Mode mode) {
    leave();
    enter(mode);
  }

  int beams_;
  cudaEvent_t matched_ = nullptr;
  Mode mode_ = Mode::Idle;
};

class Leaves {
public:
  ~Leaves() { leave(); }
  void begin() {
    leave();
    cudaEventCreate(&matched_);
    mode_ = Mode::Tracking;
  }
  void end() {
    leave();
    markIdle();
  }
  void lose() {
    if (mode_ == Mode::Lost)
      mode_ = Mode::Idle;
  }
  void dropOut() {
    switch (mode_) {
    case Mode::Lost:
      mode_ = Mode::Idle;
      break;
    default:
      break;
    }
  }

private:
  void markIdle() { mode_ = Mode::Idle; }
  void leave() {
    if (mode_ == Mode::Tracking)
      cudaEventDestroy(matched_);
  }
  cudaEvent_t matched_ = nullptr;
  Mode mode_ = Mode::Idle;
};

class Pauses { // and goes on with what it has
public:
  ~Pauses() { stop(); }
  void start() {
    stop();
    cudaEventCreate(&matched_);
    mode_ = Mode::Tracking;
  }
  void pause() { mode_ = Mode::Lost; }
  void resume() {
    if (mode_ == Mode::Lost)
      mode_ = Mode::Tracking;
  }

private:
  void stop() {
    if (mode_ == Mode::Tracking)
      cudaEventDestroy(matched_);
    mode_ = Mode::Idle;
  }
  cudaEvent_t matched_ = nullptr;
  Mode mode_ = Mode::Idle;
};

void navigate(int n) {
  Navigator navigator(n);
  Leaves other;
  Pauses paused;
  paused.start();
  paused.pause();
  paused.resume();
  for (int i = 0; i < n; ++i) {
    navigator.scan();
    navigator.dropOut();
    navigator.park();
    other.begin();
    other.lose();
    other.dropOut();
    other.end();
  }
}
