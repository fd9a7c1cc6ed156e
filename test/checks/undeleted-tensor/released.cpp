// What a unique_ptr gives up and nobody takes: who was only shown the object before is no owner.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <memory>
#include <vector>
using torch::Tensor;

struct Frame {
  Tensor pixels;
};

static void clear(Frame *f) { f->pixels.zero_(); }

void shown_only() {
  auto frame = std::make_unique<Frame>();
  clear(frame.get());
  frame.release(); // expected-warning {{is dropped, so that nothing can delete it}} [tensor-undeleted-tensor]
}

//===-- Near misses -------------------------------------------------------===//

static std::vector<Frame *> frames;
static void keep(Frame *f) { frames.push_back(f); }
static Frame *same(Frame *f) { return f; }
static void pass_on(Frame *f) { keep(f); }

void kept() {
  auto frame = std::make_unique<Frame>();
  keep(frame.get());
  frame.release();
}

void passed_on() {
  auto frame = std::make_unique<Frame>();
  pass_on(frame.get());
  frame.release();
}

void by_another_name(Frame *&out) {
  auto frame = std::make_unique<Frame>();
  out = same(frame.get());
  frame.release();
}

struct Sink {
  virtual ~Sink() {}
  virtual void add(Frame *) {}
};
struct Keeper : Sink {
  std::vector<Frame *> all;
  void add(Frame *f) override { all.push_back(f); }
};

void to_whoever_it_is(Sink &sink) {
  auto frame = std::make_unique<Frame>();
  sink.add(frame.get());
  frame.release();
}

void submit(Frame *f, int n);

void to_the_unseen() {
  auto frame = std::make_unique<Frame>();
  submit(frame.get(), 1);
  frame.release();
}
