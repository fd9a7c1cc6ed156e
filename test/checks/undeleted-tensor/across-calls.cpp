// Owners that are made, passed on and deleted by other functions, and their near misses.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>

using torch::Tensor;

static Tensor *make() { return new Tensor(torch::rand({256, 256})); } // expected-path {{it is allocated here}} expected-path {{it is allocated here}} expected-path {{it is allocated here}}
static void close(Tensor *tensor) { delete tensor; }
static void make_into(Tensor **out) { *out = new Tensor(torch::rand({256, 256})); } // expected-path {{it is allocated here}}

void never_closed() {
  Tensor *scratch = make(); // expected-warning {{the tensor that 'scratch' points to is not deleted on every path}} [tensor-undeleted-tensor]
  scratch->add_(1);
}

static int64_t parsed(const char *text) {
  if (!*text)
    throw std::invalid_argument("nothing to read");
  return text[0];
}

void closed_unless_it_throws(const char *text) {
  Tensor *scratch = make(); // expected-warning {{'scratch' points to is not deleted when this function throws}} [tensor-undeleted-tensor]
  scratch->add_(parsed(text)); // expected-path {{this way out leaves it behind}}
  close(scratch);
}

void throws_before_it_is_made(const char *text) {
  int64_t term = parsed(text);
  Tensor *scratch = make();
  scratch->add_(term);
  close(scratch);
}

void never_closed_again() {
  Tensor *scratch = nullptr;
  make_into(&scratch); // expected-warning {{scratch}} [tensor-undeleted-tensor]
  scratch->add_(1);
}

void dropped() {
  make(); // expected-warning {{the tensor that this call returns is dropped}} [tensor-undeleted-tensor]
}

void forgotten() {
  auto *scratch = new Tensor(torch::rand({256, 256})); // expected-warning {{'scratch' points to is overwritten before it is deleted}} [tensor-undeleted-tensor]
  scratch = nullptr;
}

void forgotten_in_every_round(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    Tensor *scratch = new Tensor(torch::rand({256, 256})); // expected-warning {{'scratch' points to is overwritten before it is deleted}} [tensor-undeleted-tensor]
    scratch->add_(1);
  }
}

void released_by_its_owner() {
  auto owner = std::make_unique<Tensor>(torch::rand({256, 256}));
  Tensor *raw = owner.release(); // expected-warning {{raw}} [tensor-undeleted-tensor]
  raw->add_(1);
}

static float *samples(int count) {
  return static_cast<float *>(std::calloc(count, sizeof(float))); // expected-path {{it is allocated here}}
}

Tensor over_memory_of_a_callee(int count) {
  float *data = samples(count); // expected-path {{the memory is allocated here}}
  return torch::from_blob(data, {count}); // expected-warning {{this tensor does not own 'data'}} [tensor-undeleted-tensor]
}

class Slot {
public:
  explicit Slot(Tensor value) : value(new Tensor(value)) {}
  Slot(Slot &&other) : value(other.value) { other.value = nullptr; }
  ~Slot() { delete value; }
  Slot &operator=(Slot &&other) {
    value = other.value; // expected-warning {{the tensor that 'value' pointed to is lost here: the destructor deletes only what is assigned}} [tensor-undeleted-tensor]
    other.value = nullptr;
    return *this;
  }

private:
  Tensor *value;
};

//===-- Near misses -------------------------------------------------------===//

void closed() {
  Tensor *scratch = make();
  scratch->add_(1);
  close(scratch);
}

void closed_in_every_round(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    Tensor *scratch = new Tensor(torch::rand({256, 256}));
    delete scratch;
  }
  while (rounds--) {
    Tensor *scratch = make();
    close(scratch);
  }
}

void closed_again() {
  Tensor *scratch = nullptr;
  make_into(&scratch);
  close(scratch);
}

void owned() {
  std::unique_ptr<Tensor> scratch(make());
  scratch->add_(1);
}

void released_and_owned_again() {
  auto owner = std::make_unique<Tensor>(torch::rand({256, 256}));
  Tensor *raw = owner.release();
  owner.reset(raw);
}

void only_where_asked_for(bool wanted) {
  Tensor *scratch = wanted ? make() : nullptr;
  if (scratch)
    delete scratch;
}

struct Recorder {
  Tensor scene = torch::rand({4, 3});
  Tensor *current() { return &scene; }
};
void borrowed(Recorder &recorder) {
  Tensor *scene = recorder.current();
  scene->add_(1);
}

Tensor memory_of_a_callee_with_deleter(int count) {
  float *data = samples(count);
  return torch::from_blob(data, {count}, [](void *p) { std::free(p); });
}

// Nodes are reached through the nodes before them.
struct Node {
  Tensor value;
  Node *next = nullptr;
};
Node *list(int count) {
  Node *head = new Node, *last = head;
  for (int i = 0; i < count; ++i) {
    last->next = new Node;
    last = last->next;
  }
  return head;
}

// The object is known elsewhere as soon as it is there.
struct Listed {
  Listed();
  Tensor value;
};
static Listed *all[4];
static int count;
Listed::Listed() { all[count++] = this; }
void listed() {
  auto *one = new Listed;
  one->value.add_(1);
}

// It ends itself.
struct Worker {
  Tensor value;
  void run() {
    value.add_(1);
    delete this;
  }
};
void runs() {
  auto *worker = new Worker;
  worker->run();
}

class Swapped {
public:
  explicit Swapped(Tensor value) : value(new Tensor(value)) {}
  ~Swapped() { delete value; }
  Swapped &operator=(Swapped &&other) {
    Tensor *mine = value;
    value = other.value;
    other.value = mine;
    return *this;
  }

private:
  Tensor *value;
};

int main() {
  never_closed();
  never_closed_again();
  dropped();
  forgotten();
  released_by_its_owner();
  over_memory_of_a_callee(4);
  Slot slot(torch::rand({4}));
  slot = Slot(torch::rand({4}));
  closed();
  closed_again();
  owned();
  released_and_owned_again();
  only_where_asked_for(true);
  Recorder recorder;
  borrowed(recorder);
  memory_of_a_callee_with_deleter(4);
  listed();
  runs();
  Swapped swapped(torch::rand({4}));
  swapped = Swapped(torch::rand({4}));
}
