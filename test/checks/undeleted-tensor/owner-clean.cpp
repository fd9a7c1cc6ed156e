// Raw pointers, released and foreign memory that do have an owner. Nothing to say
// here.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <cstdlib>
#include <vector>

using torch::Tensor;

void deleted() {
  auto *scratch = new Tensor(torch::zeros({256, 256}));
  scratch->add_(1);
  delete scratch;
}

void owned() {
  std::unique_ptr<Tensor> scratch(new Tensor(torch::zeros({256, 256})));
  std::shared_ptr<Tensor> shared(new Tensor(torch::zeros({256, 256})));
  auto made = std::make_unique<Tensor>(torch::zeros({256, 256}));
  made->add_(*scratch + *shared);
}

void taken_over(Tensor x) {
  std::unique_ptr<Tensor> scratch;
  auto *made = new Tensor(x);
  scratch.reset(made);
  std::unique_ptr<torch::optim::Optimizer> optimizer;
  auto *adam = new torch::optim::Adam({x}, 0.1);
  optimizer.reset(adam);
}

// A C API with its own delete.
extern "C" {
typedef struct tensor_s *tensor;
tensor tensor_new(int64_t size) {
  return reinterpret_cast<tensor>(new Tensor(torch::zeros({size})));
}
void tensor_delete(tensor t) { delete reinterpret_cast<Tensor *>(t); }
int tensor_new_out(tensor *out, int64_t size) {
  *out = reinterpret_cast<tensor>(new Tensor(torch::zeros({size})));
  return 0;
}
}

Tensor *handed_out() {
  auto *t = new Tensor(torch::zeros({256, 256}));
  return t;
}

void registry_add(Tensor *t);
void handed_over() {
  auto *t = new Tensor(torch::zeros({256, 256}));
  registry_add(t);
}

class Holder {
public:
  Holder() : t_(new Tensor(torch::zeros({256, 256}))) {}
  ~Holder() { delete t_; }

private:
  Tensor *t_;
};

// Freed on the error path by a lambda, and by the caller otherwise.
Tensor *with_cleanup(bool fail) {
  auto *t = new Tensor(torch::zeros({256, 256}));
  auto give_up = [&]() -> Tensor * {
    delete t;
    return nullptr;
  };
  if (fail)
    return give_up();
  return t;
}

void released_and_reclaimed() {
  auto t = torch::rand({256, 256});
  auto *impl = t.unsafeReleaseTensorImpl();
  auto owner = c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>::reclaim(impl);
}

Tensor blob_with_deleter() {
  auto *data = static_cast<float *>(std::malloc(256 * 256 * sizeof(float)));
  return torch::from_blob(data, {256, 256}, [](void *p) { std::free(p); }, torch::kFloat);
}

Tensor blob_copied_then_freed() {
  auto *data = static_cast<float *>(std::malloc(256 * 256 * sizeof(float)));
  auto t = torch::from_blob(data, {256, 256}, torch::kFloat).clone();
  std::free(data);
  return t;
}

Tensor blob_over_a_vector(std::vector<float> &values) {
  return torch::from_blob(values.data(), {int64_t(values.size())}, torch::kFloat);
}

struct Image {
  unsigned char *data;
  int rows, cols;
};
Tensor blob_over_the_callers_memory(const Image &image) {
  return torch::from_blob(image.data, {image.rows, image.cols}, torch::kByte).clone();
}

struct OwnedChild;
struct OwningParent : torch::nn::Module {
  std::shared_ptr<OwnedChild> child;
};
struct OwnedChild : torch::nn::Module {
  std::shared_ptr<OwningParent> parent;
  std::weak_ptr<OwningParent> weak_parent;
};

void weak_back_reference() {
  auto p = std::make_shared<OwningParent>();
  auto c = std::make_shared<OwnedChild>();
  p->child = c;
  c->weak_parent = p;
}

void untied() {
  auto p = std::make_shared<OwningParent>();
  auto c = std::make_shared<OwnedChild>();
  p->child = c;
  c->parent = p;
  c->parent = nullptr;
}

void a_tree() {
  auto p = std::make_shared<OwningParent>(), q = std::make_shared<OwningParent>();
  auto c = std::make_shared<OwnedChild>();
  p->child = c;
  q->child = c;
}
