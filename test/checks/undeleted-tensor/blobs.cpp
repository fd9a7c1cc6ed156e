// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
//
// Tensors over memory that they do not own, made here or by a function that is given it.
#include <torch/torch.h>
#include <cstdlib>
#include <memory>
using torch::Tensor;

static Tensor normalized(float *pixels, int64_t n) {
  Tensor image = torch::from_blob(pixels, {n});
  return image.div(255);
}

static Tensor owned(float *pixels, int64_t n) {
  return torch::from_blob(pixels, {n}, [](void *p) { std::free(p); });
}

class Decoder {
public:
  float *read() {
    if (left-- <= 0)
      return nullptr;
    return static_cast<float *>(std::malloc(1 << 20)); // expected-path {{it is allocated here}}
  }

private:
  int left = 100;
};

void deleterThatDoesNothing(int64_t n) {
  auto *data = static_cast<float *>(std::malloc(1 << 20)); // expected-path {{the memory is allocated here}}
  Tensor t = torch::from_blob(data, {n}, [](void *) {}); // expected-warning {{this tensor does not own 'data'}} [tensor-undeleted-tensor]
  t.mul_(2);
}

void given(int64_t n) {
  auto *data = static_cast<float *>(std::malloc(1 << 20)); // expected-path {{the memory is allocated here}}
  Tensor t = normalized(data, n); // expected-warning {{the tensor that 'normalized' makes does not own 'data', and nothing frees it}} [tensor-undeleted-tensor]
  t.mul_(2);
}

// Who only hands it on makes no tensor that could be named.
static float handsOn(float *pixels, int64_t n) { return normalized(pixels, n).sum().item<float>(); }

void handedOn(int64_t n) {
  auto *data = static_cast<float *>(std::malloc(1 << 20));
  handsOn(data, n);
}

void inRounds(Decoder &decoder, int64_t n) {
  while (float *pixels = decoder.read()) { // expected-path {{the memory is allocated here}}
    Tensor t = normalized(pixels, n); // expected-warning {{the tensor that 'normalized' makes does not own 'pixels'}} [tensor-undeleted-tensor]
    t.mul_(2);
  }
}

// Nobody owns what a unique_ptr gives up.
static void decode(float *pixels, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    pixels[i] = 0.5f * i;
}

Tensor givenUp(int64_t n) {
  auto pixels = std::make_unique<float[]>(n);
  decode(pixels.get(), n);
  return torch::from_blob(pixels.release(), {n}); // expected-warning {{this tensor does not own what 'pixels' gives up, and nothing frees it; give 'from_blob' a deleter that calls 'delete[]'}} [tensor-undeleted-tensor] expected-path {{its owner lets go of it here}}
}

struct Freed {
  void operator()(float *p) const { std::free(p); }
};

Tensor givenUpByOwnDeleter(int64_t n) {
  std::unique_ptr<float, Freed> pixels(static_cast<float *>(std::malloc(4 * n)));
  float *raw = pixels.release(); // expected-path {{its owner lets go of it here}}
  return torch::from_blob(raw, {n}); // expected-warning {{this tensor does not own 'raw', and nothing frees it; give 'from_blob' a deleter that calls 'free'}} [tensor-undeleted-tensor]
}

Tensor withoutName(int64_t n) {
  return torch::from_blob(new float[n], {n}); // expected-warning {{this tensor does not own the memory that it is made over, and nothing frees it}} [tensor-undeleted-tensor] expected-path {{the memory is allocated here}}
}

//===-- Near misses -------------------------------------------------------===//

static void release(void *p) { delete[] static_cast<float *>(p); }

Tensor givenUpToDeleter(int64_t n) {
  auto pixels = std::make_unique<float[]>(n);
  return torch::from_blob(pixels.release(), {n}, release);
}

Tensor lentOnly(const std::unique_ptr<float[]> &pixels, int64_t n) {
  return torch::from_blob(pixels.get(), {n}).clone();
}

void givenToAnotherOwner(int64_t n) {
  auto pixels = std::make_unique<float[]>(n);
  std::shared_ptr<float[]> shared(pixels.release());
  Tensor t = torch::from_blob(shared.get(), {n});
  t.mul_(2);
}

void givenUpAndDeleted(int64_t n) {
  auto pixels = std::make_unique<float[]>(n);
  float *raw = pixels.release();
  Tensor t = torch::from_blob(raw, {n});
  t.mul_(2);
  delete[] raw;
}

// Others were shown the memory while it had an owner, and may be the next one.
class Pool {
public:
  ~Pool() {
    for (float *p : all)
      delete[] p;
  }
  void add(float *p) { all.push_back(p); }
  Tensor taken(int64_t n) {
    auto pixels = std::make_unique<float[]>(n);
    add(pixels.get());
    return torch::from_blob(pixels.release(), {n});
  }
  Tensor ofMember(int64_t n) {
    auto pixels = std::make_unique<float[]>(n);
    last = pixels.release();
    return torch::from_blob(last, {n});
  }
  void forget() {
    delete[] last;
    last = nullptr;
  }

private:
  std::vector<float *> all;
  float *last = nullptr;
};

// What an owner with a function for a deleter gives up goes back where it came from.
Tensor ofAnAllocator(std::unique_ptr<float, void (*)(float *)> pixels, int64_t n) {
  return torch::from_blob(pixels.release(), {n});
}

void freedByDeleter(Decoder &decoder, int64_t n) {
  while (float *pixels = decoder.read()) {
    Tensor t = owned(pixels, n);
    t.mul_(2);
  }
}

void freedBehind(Decoder &decoder, int64_t n) {
  while (float *pixels = decoder.read()) {
    Tensor t = normalized(pixels, n);
    t.mul_(2);
    std::free(pixels);
  }
}

// The deleter keeps what owns the memory.
void keptByDeleter(int64_t n) {
  auto buffer = std::make_shared<std::vector<float>>(n);
  Tensor t = torch::from_blob(buffer->data(), {n}, [buffer](void *) {});
  t.mul_(2);
}

// The object owns it, and outlives the tensor.
class Frame {
public:
  Frame() : data(static_cast<float *>(std::malloc(1 << 20))) {}
  ~Frame() { std::free(data); }
  Tensor view(int64_t n) { return torch::from_blob(data, {n}, [](void *) {}); }
  Tensor scaled(int64_t n) { return normalized(data, n); }

private:
  float *data;
};

// The caller's own, or nobody's in view.
Tensor ofCaller(float *data, int64_t n) { return normalized(data, n); }

Tensor ofCallerWithoutDeleter(float *data, int64_t n) {
  return torch::from_blob(data, {n}, [](void *) {});
}
