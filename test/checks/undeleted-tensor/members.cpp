// Objects that a class makes with `new` for a member that is a plain pointer.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <memory>
#include <torch/torch.h>

using torch::Tensor;

void keep(torch::optim::Optimizer *optimizer);

class NeverDeleted {
public:
  NeverDeleted() {
    model = new torch::nn::Linear(64, 64); // expected-note {{the module, with its parameters, that 'model' points to is never deleted}} [tensor-undeleted-tensor]
    optimizer = new torch::optim::Adam((*model)->parameters(), 0.1); // expected-note {{'optimizer' points to is never deleted}} [tensor-undeleted-tensor]
  }
  void step(Tensor x) {
    optimizer->zero_grad();
    (*model)->forward(x).sum().backward();
    optimizer->step();
  }

private:
  torch::nn::Linear *model;
  torch::optim::Adam *optimizer;
};

// Made by the constructor and made again: the destructor has the last one only.
class MadeAgain {
public:
  explicit MadeAgain(Tensor start) : points(start.requires_grad_()) { create(); }
  ~MadeAgain() { delete optimizer; }
  void load(Tensor other) {
    points = other.requires_grad_();
    create(); // expected-path {{called here after it was made once}}
  }

private:
  void create() {
    optimizer = new torch::optim::Adam({points}, 0.1); // expected-warning {{'optimizer' pointed to is not deleted before it is overwritten here}} [tensor-undeleted-tensor]
  }
  Tensor points;
  torch::optim::Adam *optimizer;
};

//===-- Near misses -------------------------------------------------------===//

class Deleted {
public:
  explicit Deleted(Tensor start) : optimizer(new torch::optim::Adam({start}, 0.1)) {}
  ~Deleted() { delete optimizer; }

private:
  torch::optim::Adam *optimizer;
};

class DeletedByAMethod {
public:
  explicit DeletedByAMethod(Tensor start) { optimizer = new torch::optim::Adam({start}, 0.1); }
  void close() { delete optimizer; }

private:
  torch::optim::Adam *optimizer;
};

class DeletedBefore {
public:
  explicit DeletedBefore(Tensor start) : points(start) { create(); }
  ~DeletedBefore() { delete optimizer; }
  void load(Tensor other) {
    points = other;
    create();
  }

private:
  void create() {
    delete optimizer;
    optimizer = new torch::optim::Adam({points}, 0.1);
  }
  Tensor points;
  torch::optim::Adam *optimizer = nullptr;
};

class DeletedByTheCaller {
public:
  explicit DeletedByTheCaller(Tensor start) : points(start) { create(); }
  ~DeletedByTheCaller() { release(); }
  void load(Tensor other) {
    points = other;
    release();
    create();
  }

private:
  void release() { delete optimizer; }
  void create() { optimizer = new torch::optim::Adam({points}, 0.1); }
  Tensor points;
  torch::optim::Adam *optimizer = nullptr;
};

// Made by the constructor only, through a function.
class MadeOnce {
public:
  explicit MadeOnce(Tensor start) { create(start); }
  ~MadeOnce() { delete optimizer; }

private:
  void create(Tensor start) { optimizer = new torch::optim::Adam({start}, 0.1); }
  torch::optim::Adam *optimizer;
};

class MadeWhenNeeded {
public:
  ~MadeWhenNeeded() { delete optimizer; }
  void step(Tensor x) { create(x); }

private:
  void create(Tensor x) {
    if (!optimizer)
      optimizer = new torch::optim::Adam({x}, 0.1);
  }
  torch::optim::Adam *optimizer = nullptr;
};

// Somebody else owns it.
class HandedOver {
public:
  explicit HandedOver(Tensor start) {
    optimizer = new torch::optim::Adam({start}, 0.1);
    owner.reset(optimizer);
    other = new torch::optim::Adam({start}, 0.1);
    keep(other);
  }

private:
  torch::optim::Adam *optimizer;
  torch::optim::Adam *other;
  std::unique_ptr<torch::optim::Optimizer> owner;
};

class Given {
public:
  explicit Given(Tensor start) { optimizer = new torch::optim::Adam({start}, 0.1); }
  torch::optim::Adam *release() { return optimizer; }

private:
  torch::optim::Adam *optimizer;
};

// A method of another file may delete it.
class NotSeenWhole {
public:
  explicit NotSeenWhole(Tensor start) { optimizer = new torch::optim::Adam({start}, 0.1); }
  ~NotSeenWhole();

private:
  torch::optim::Adam *optimizer;
};

int main() {
  auto x = torch::rand({64, 64});
  NeverDeleted().step(x);
  MadeAgain(x).load(x);
  Deleted a(x);
  DeletedByAMethod(x).close();
  DeletedBefore(x).load(x);
  DeletedByTheCaller(x).load(x);
  MadeOnce b(x);
  MadeWhenNeeded().step(x);
  HandedOver c(x);
  delete Given(x).release();
  NotSeenWhole d(x);
}
