// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// Objects in optionals, which no destructor frees.
#include <cuda_runtime.h>
#include <optional>

struct Volume {
  float *data = nullptr;
  void upload(size_t n) { cudaMalloc(&data, n); } // expected-path {{it is allocated here}}
  void release() {
    cudaFree(data);
    data = nullptr;
  }
};

//===-- Another object takes its place --------------------------------------------===//

class Emplaced {
public:
  ~Emplaced() { close(); }
  void show(size_t n) {
    volume_.emplace();
    volume_->upload(n);
  }
  void close() {
    if (volume_) {
      volume_->release();
      volume_.reset();
    }
  }

private:
  std::optional<Volume> volume_;
};

void showAll() {
  Emplaced viewer;
  for (int i = 0; i < 10; ++i)
    viewer.show(100); // expected-warning {{device memory in '*viewer.volume_.data' is taken anew in each round}} [tensor-unfreed-device-memory]
}

class Assigned {
public:
  ~Assigned() {
    if (volume_)
      volume_->release();
  }
  void show(size_t n) {
    Volume next;
    next.upload(n);
    volume_ = next;
  }

private:
  std::optional<Volume> volume_;
};

void assignAll() {
  Assigned viewer;
  for (int i = 0; i < 10; ++i)
    viewer.show(100); // expected-warning {{device memory in '*viewer.volume_.data' is taken anew in each round}} [tensor-unfreed-device-memory]
}

// The constructor of what is made in place takes it.
struct Session {
  explicit Session(size_t n) { cudaMalloc(&buffer, n); } // expected-path {{it is allocated here}}
  void close() {
    cudaFree(buffer);
    buffer = nullptr;
  }
  float *buffer = nullptr;
};

class Reopened {
public:
  ~Reopened() {
    if (current_)
      current_->close();
  }
  void open(size_t n) { current_.emplace(n); }

private:
  std::optional<Session> current_;
};

void openAll() {
  Reopened server;
  for (int i = 1; i < 10; ++i)
    server.open(i); // expected-warning {{device memory in '*server.current_.buffer' is taken anew in each round}} [tensor-unfreed-device-memory]
}

void emptied(size_t n) {
  std::optional<float *> data;
  float *made = nullptr;
  cudaMalloc(&made, n);
  data = made;
  data.reset(); // the pointer has another name
  cudaFree(made);
}

void lost(size_t n) {
  std::optional<Volume> volume;
  volume.emplace();
  volume->upload(n); // expected-warning {{device memory in '*volume.data' is overwritten before it is given back}} [tensor-unfreed-device-memory]
  volume.reset(); // expected-path {{it is overwritten here}}
}

//===-- It is given back before, or made once -----------------------------------------===//

void closedBetween() {
  Emplaced viewer;
  for (int i = 0; i < 10; ++i) {
    viewer.show(100);
    viewer.close();
  }
}

void shownOnce() {
  Emplaced viewer;
  viewer.show(100);
  Assigned other;
  other.show(100);
}

class Replaced {
public:
  ~Replaced() {
    if (volume_)
      volume_->release();
  }
  void show(size_t n) {
    if (volume_)
      volume_->release();
    volume_.emplace();
    volume_->upload(n);
  }

private:
  std::optional<Volume> volume_;
};

void replaceAll() {
  Replaced viewer;
  for (int i = 0; i < 10; ++i)
    viewer.show(100);
}

class MadeOnDemand {
public:
  ~MadeOnDemand() {
    if (volume_)
      volume_->release();
  }
  void show(size_t n) {
    if (!volume_) {
      volume_.emplace();
      volume_->upload(n);
    }
  }

private:
  std::optional<Volume> volume_;
};

void showOnDemand() {
  MadeOnDemand viewer;
  for (int i = 0; i < 10; ++i)
    viewer.show(100);
}

// What has a destructor frees by itself.
struct Owner {
  float *data = nullptr;
  explicit Owner(size_t n) { cudaMalloc(&data, n); }
  Owner(const Owner &) = delete;
  ~Owner() { cudaFree(data); }
};

void ownersAreReplaced() {
  std::optional<Owner> owner;
  for (int i = 0; i < 10; ++i)
    owner.emplace(100);
}

//===-- An optional without an object holds nothing ----------------------------------===//

std::optional<Volume> tried(size_t n) {
  Volume made;
  if (cudaMalloc(&made.data, n) != cudaSuccess) // expected-path {{it is allocated here}}
    return std::nullopt;
  return made;
}

void leaveWithoutOne(size_t n) {
  auto volume = tried(n);
  if (!volume)
    return;
  volume->release();
}

void releaseIfThere(size_t n) {
  std::optional<Volume> volume = tried(n);
  if (volume.has_value())
    volume->release();
}

// Another way out has it.
void leaveWithOne(size_t n, bool isLast) {
  auto volume = tried(n); // expected-warning {{device memory in '*volume.data' is not given back on every way out}} [tensor-unfreed-device-memory]
  if (!volume)
    return;
  if (isLast)
    return; // expected-path {{this way out leaves it behind}}
  volume->release(); // expected-path {{others are freed here}}
}

//===-- Kept while it is the same one ---------------------------------------------===//

struct Sampler {
  cudaStream_t stream = nullptr;
  int quality = 0;
  void close() { cudaStreamDestroy(stream); }
};

class ForgetsOther {
public:
  ~ForgetsOther() {
    if (sampler_)
      sampler_->close();
  }
  void setQuality(int quality) {
    if (sampler_ && sampler_->quality == quality)
      return;
    Sampler next;
    next.quality = quality;
    cudaStreamCreate(&next.stream); // expected-path {{gets it here}}
    sampler_ = next; // expected-warning {{a stream in 'sampler_.stream' is lost here}} [tensor-unfreed-device-memory]
  }

private:
  std::optional<Sampler> sampler_;
};

class ClosesOther {
public:
  ~ClosesOther() {
    if (sampler_)
      sampler_->close();
  }
  void setQuality(int quality) {
    if (sampler_ && sampler_->quality == quality)
      return;
    if (sampler_)
      sampler_->close();
    Sampler next;
    next.quality = quality;
    cudaStreamCreate(&next.stream);
    sampler_ = next;
  }

private:
  std::optional<Sampler> sampler_;
};

class TakesOnce {
public:
  ~TakesOnce() {
    if (sampler_)
      sampler_->close();
  }
  void begin(int quality) {
    if (sampler_ || quality == 0)
      return;
    Sampler next;
    next.quality = quality;
    cudaStreamCreate(&next.stream);
    sampler_ = next;
  }

private:
  std::optional<Sampler> sampler_;
};
