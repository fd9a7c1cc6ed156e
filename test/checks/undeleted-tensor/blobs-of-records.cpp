// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
//
// Tensors over memory that a record has, which frees nothing.
#include <torch/torch.h>
#include <cstdint>
using torch::Tensor;

struct Sweep {
  float *points;
  int64_t count;
};

static Sweep acquire(int64_t n) {
  float *points = new float[4000]; // expected-path {{it is allocated here}} expected-path {{it is allocated here}}
  return {points, n};
}

static Tensor toTensor(const Sweep &sweep) {
  return torch::from_blob(sweep.points, {sweep.count, 4});
}

void byItself(int64_t n) {
  auto sweep = acquire(n); // expected-path {{the memory is allocated here}}
  Tensor cloud = torch::from_blob(sweep.points, {sweep.count, 4}); // expected-warning {{this tensor does not own 'sweep.points', and nothing frees it}} [tensor-undeleted-tensor]
  cloud.mul_(2);
}

void byAnotherFunction(int64_t n) {
  auto sweep = acquire(n); // expected-path {{the memory is allocated here}}
  Tensor cloud = toTensor(sweep); // expected-warning {{the tensor that 'toTensor' makes does not own 'sweep.points'}} [tensor-undeleted-tensor]
  cloud.mul_(2);
}

void filledHere(int64_t n) {
  Sweep sweep;
  sweep.points = new float[4000]; // expected-path {{the memory is allocated here}}
  sweep.count = n;
  Tensor cloud = toTensor(sweep); // expected-warning {{the tensor that 'toTensor' makes does not own 'sweep.points'}} [tensor-undeleted-tensor]
  cloud.mul_(2);
}

//===-- Somebody frees it, or may ----------------------------------------------===//

void freed(int64_t n) {
  auto sweep = acquire(n);
  Tensor cloud = toTensor(sweep).clone();
  delete[] sweep.points;
  cloud.mul_(2);
}

struct Frame {
  explicit Frame(int64_t n) : pixels(new float[4000]), count(n) {}
  ~Frame() { delete[] pixels; }
  float *pixels;
  int64_t count;
};

static Tensor shown(const Frame &frame) { return torch::from_blob(frame.pixels, {frame.count}); }

void byTheRecord(int64_t n) {
  Frame frame(n);
  Tensor image = shown(frame);
  image.mul_(2);
}

struct Track {
  float *samples;
  int64_t count;
};
void keep(Track &track);

static Tensor heard(Track &track) {
  keep(track);
  return torch::from_blob(track.samples, {track.count});
}

void keptByOthers(int64_t n) {
  Track track{new float[4000], n};
  Tensor sound = heard(track);
  sound.mul_(2);
}

struct Reader {
  float *samples = nullptr;
  ~Reader();
};

// What the callee puts into another object is that object's.
static Sweep next(Reader &reader, int64_t n) {
  reader.samples = new float[4000];
  return {nullptr, n};
}

void readsNext(Reader &reader, int64_t n) {
  Sweep sweep = next(reader, n);
  Tensor sound = torch::from_blob(reader.samples, {sweep.count});
  sound.mul_(2);
}
