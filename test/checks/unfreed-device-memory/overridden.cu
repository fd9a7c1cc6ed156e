// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// A virtual method gives a member back, and a derived class has one of its own instead.
#include <cuda_runtime.h>
#include <memory>
#include <vector>

//===-- The base class's is not called -----------------------------------------===//

class Layer {
public:
  explicit Layer(int width) : width_(width) {}
  virtual ~Layer() = default;
  void load(int n) { cudaMalloc(&weights_, n); } // expected-note {{device memory in 'weights_' of 'Conv' is never given back: its 'unload' overrides the only method that does it; call 'Layer::unload' there}} [tensor-unfreed-device-memory]
  virtual void unload() { // expected-path {{this gives it back}}
    cudaFree(weights_);
    weights_ = nullptr;
  }

protected:
  int width_;
  float *weights_ = nullptr;
};

class Conv : public Layer {
public:
  explicit Conv(int width) : Layer(width) { cudaMalloc(&columns_, width); }
  void unload() override { // expected-path {{it is overridden here}}
    cudaFree(columns_);
    columns_ = nullptr;
  }

private:
  float *columns_ = nullptr;
};

// Who calls the method for such objects gets the derived class's.
void unloadAll(Layer **layers, int n) {
  for (int i = 0; i < n; ++i)
    layers[i]->unload();
}

class Stage {
public:
  explicit Stage(int n) { cudaMalloc(&data_, n); } // expected-warning {{device memory in 'data_' of 'Filter' is never given back: its 'close' overrides the only method that does it}} [tensor-unfreed-device-memory]
  virtual void close() { cudaFree(data_); } // expected-path {{this gives it back}}

private:
  float *data_;
};

class Filter : public Stage {
public:
  Filter() : Stage(100) { cudaStreamCreate(&stream_); }
  void close() override { cudaStreamDestroy(stream_); } // expected-path {{it is overridden here}}

private:
  cudaStream_t stream_;
};

// What fills it is overridden, too, and called; objects of both classes are in one list.
class Emitter {
public:
  virtual ~Emitter() = default;
  virtual void start(int n) { cudaMalloc(&particles_, n); } // expected-note {{device memory in 'particles_' of 'Trail' is never given back: its 'stop' overrides the only method that does it; call 'Emitter::stop' there}} [tensor-unfreed-device-memory]
  virtual void stop() { cudaFree(particles_); } // expected-path {{this gives it back}}

private:
  float *particles_ = nullptr;
};

class Trail : public Emitter {
public:
  void start(int n) override {
    Emitter::start(n);
    cudaMalloc(&trail_, n);
  }
  void stop() override { cudaFree(trail_); } // expected-path {{it is overridden here}}

private:
  float *trail_ = nullptr;
};

class Level {
public:
  void load(int n) {
    effects_.push_back(std::make_unique<Emitter>());
    effects_.push_back(std::make_unique<Trail>());
    for (auto &effect : effects_)
      effect->start(n);
  }
  void unload() {
    for (auto &effect : effects_)
      effect->stop();
    effects_.clear();
  }

private:
  std::vector<std::unique_ptr<Emitter>> effects_;
};

void play() {
  Level level;
  level.load(100);
  level.unload();
}

//===-- It is, or something else gives it back ------------------------------------===//

class Node {
public:
  void load(int n) { cudaMalloc(&data_, n); }
  virtual void unload() { cudaFree(data_); }

protected:
  float *data_ = nullptr;
};

class CallsIt : public Node {
public:
  void unload() override {
    ++unloaded_;
    Node::unload();
  }

private:
  int unloaded_ = 0;
};

class CallsItLater : public Node {
public:
  void unload() override { ++unloaded_; }
  void finish() { Node::unload(); }

private:
  int unloaded_ = 0;
};

class Buffer {
public:
  explicit Buffer(int n) { cudaMalloc(&data_, n); }
  virtual ~Buffer() { cudaFree(data_); }
  virtual void unload() {
    cudaFree(data_);
    data_ = nullptr;
  }

protected:
  float *data_ = nullptr;
};

class OfBuffer : public Buffer {
public:
  OfBuffer() : Buffer(100) {}
  void unload() override {}
};

class Source {
public:
  virtual void load(int n) { cudaMalloc(&data_, n); }
  virtual void unload() { cudaFree(data_); }

protected:
  float *data_ = nullptr;
};

class OnHost : public Source { // and takes nothing
public:
  void load(int n) override { host_ = n; }
  void unload() override { host_ = 0; }

private:
  int host_ = 0;
};

class Table {
public:
  void load(int n) { cudaMalloc(&data_, n); }
  virtual void unload() { cudaFree(data_); }

protected:
  float *data_ = nullptr;
};

class Interface : public Table { // no object of it is made
public:
  void unload() override {}
  virtual void run() = 0;
};

class Elsewhere : public Table {
public:
  void unload() override;
};

class Sound {
public:
  virtual ~Sound() = default;
  virtual void start(int n) { cudaMalloc(&samples_, n); }
  virtual void stop() { cudaFree(samples_); }

protected:
  float *samples_ = nullptr;
};

class Looped : public Sound { // gives it back itself
public:
  void start(int n) override { Sound::start(2 * n); }
  void stop() override { cudaFree(samples_); }
};

class Borrowing : public Sound { // and has none of its own
public:
  void start(int) override { started_ = true; }
  void stop() override { started_ = false; }

private:
  bool started_ = false;
};
