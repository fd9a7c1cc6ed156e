// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// Bases and members whose classes another file defines: what those can reach of an object.
#include <cuda_runtime.h>
#include <vector>

class Node {
public:
  explicit Node(int rank);
  virtual ~Node();
  void start();

protected:
  int rank;
  float *scratch;
  std::vector<Node *> inputs;
};

class Thing {
public:
  ~Thing();
  void use(int n);
  void keep(float *p);

private:
  int size;
};

//===-- They do not see the members of the class at hand ------------------------===//

class Blob : public Node {
public:
  explicit Blob(int n) : Node(n) {
    cudaMalloc(&data, n); // expected-warning {{device memory in 'data' is never given back: the destructor does not do it}} [tensor-unfreed-device-memory]
  }
  ~Blob() {} // expected-path {{'~Blob' is here}}
  float *get() { return data; }

private:
  float *data;
};

class Stopped : public Node {
public:
  explicit Stopped(int n) : Node(n) {
    cudaMalloc(&data, n); // expected-warning {{device memory in 'data' is never given back: the destructor does not do it}} [tensor-unfreed-device-memory]
  }
  ~Stopped() { start(); } // expected-path {{'~Stopped' is here}}

private:
  float *data;
};

class HasThing {
public:
  explicit HasThing(int n) {
    cudaMalloc(&data, n); // expected-warning {{device memory in 'data' is never given back: the destructor does not do it}} [tensor-unfreed-device-memory]
  }
  ~HasThing() { thing.use(1); } // expected-path {{'~HasThing' is here}}

private:
  Thing thing;
  float *data;
};

//===-- Near misses: it may be given back there ---------------------------------===//

class FillsInherited : public Node {
public:
  explicit FillsInherited(int n) : Node(n) { cudaMalloc(&scratch, n); }
  ~FillsInherited() override {}
};

class Gives {
public:
  explicit Gives(int n) {
    cudaMalloc(&data, n);
    thing.keep(data);
  }
  ~Gives() { thing.use(1); }

private:
  Thing thing;
  float *data;
};

class Hooked {
public:
  explicit Hooked(int n);
  virtual ~Hooked();
  void stop();
  virtual void onStop() {}
};

class CalledBack : public Hooked {
public:
  explicit CalledBack(int n) : Hooked(n) { cudaMalloc(&data, n); }
  ~CalledBack() { stop(); }
  void onStop() override { cudaFree(data); }

private:
  float *data;
};

template <typename Child> class NamesChild {
public:
  ~NamesChild();
};

class Named : public NamesChild<Named> {
public:
  explicit Named(int n) { cudaMalloc(&data, n); }
  ~Named() {}
  float *data;
};

class Owner;
class Guard {
public:
  explicit Guard(Owner *owner);
  ~Guard();

private:
  Owner *owner;
};

class Owner {
public:
  explicit Owner(int n) : guard(this) { cudaMalloc(&data, n); }
  ~Owner() {}
  float *data;

private:
  Guard guard;
};
