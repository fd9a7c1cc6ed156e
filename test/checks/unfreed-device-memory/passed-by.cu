// A class of which another file has some methods: the destructor, which is here and gives back what
// lies beside, passes a member by.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

#include <map>
#include <string>

class Grid {
public:
  explicit Grid(int n) : x(new double[n]), count(n) {}
  ~Grid() { delete[] x; } // expected-path {{'~Grid' is here}}
  void prepare() { cudaMalloc(&x_device, count * sizeof(double)); } // expected-note {{'x_device' is never given back: the destructor does not do it}} [tensor-unfreed-device-memory]
  void exchange();

private:
  double *x, *x_device;
  int count;
};

class Profiles {
public:
  explicit Profiles(int n) : mean(new double[n]), count(n) {}
  ~Profiles() { delete[] mean; } // expected-path {{'~Profiles' is here}}
  void prepare(const std::string &name) {
    cudaMalloc(&of_device[name], count * sizeof(double)); // expected-note {{'of_device[]' is never given back}} [tensor-unfreed-device-memory]
  }
  void write();

private:
  double *mean;
  std::map<std::string, double *> of_device;
  int count;
};

//===-- Near misses -------------------------------------------------------------===//

// The destructor gives back nothing here: another method may be what does.
class GivesNothing {
public:
  ~GivesNothing() {}
  void prepare(int n) { cudaMalloc(&data, n); }
  void release();

private:
  double *data;
};

// By what another file has.
class Closes {
public:
  explicit Closes(int n) : x(new double[n]) {}
  ~Closes() {
    delete[] x;
    release();
  }
  void prepare(int n) { cudaMalloc(&data, n); }
  void release();

private:
  double *x, *data;
};

// Its destructor is in another file.
class Elsewhere {
public:
  explicit Elsewhere(int n) : x(new double[n]) {}
  ~Elsewhere();
  void prepare(int n) { cudaMalloc(&data, n); }
  void drop() { delete[] x; }

private:
  double *x, *data;
};

// Somebody else has it too.
void registerBuffer(double *data);
class Registers {
public:
  explicit Registers(int n) : x(new double[n]) {}
  ~Registers() { delete[] x; }
  void prepare(int n) {
    cudaMalloc(&data, n);
    registerBuffer(data);
  }
  void exchange();

private:
  double *x, *data;
};

// A method that is here gives it back.
class Releases {
public:
  explicit Releases(int n) : x(new double[n]) {}
  ~Releases() { delete[] x; }
  void prepare(int n) { cudaMalloc(&data, n); }
  void finish() { cudaFree(data); }
  void exchange();

private:
  double *x, *data;
};
