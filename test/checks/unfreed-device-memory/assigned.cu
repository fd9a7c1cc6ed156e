// An assignment operator of a class whose destructor frees: the object that is assigned to
// holds something already.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <utility>

class Forgets {
public:
  explicit Forgets(int n) { cudaMalloc(&data, n); } // expected-path {{'data' gets it here}}
  ~Forgets() { cudaFree(data); }
  Forgets(Forgets &&from) : data(from.data) { from.data = nullptr; }
  Forgets &operator=(Forgets &&from) {
    data = from.data; // expected-warning {{device memory that 'data' held is lost here: the destructor gives back only what is assigned; call 'cudaFree' first}} [tensor-unfreed-device-memory]
    from.data = nullptr;
    return *this;
  }

private:
  float *data = nullptr;
};

// Not to itself, as most are written.
class ForgetsUnlessItself {
public:
  explicit ForgetsUnlessItself(int n) { cudaMalloc(&data, n); } // expected-path {{'data' gets it here}}
  ~ForgetsUnlessItself() {
    if (data)
      cudaFree(data);
  }
  ForgetsUnlessItself &operator=(ForgetsUnlessItself &&from) noexcept {
    if (this != &from) {
      data = from.data; // expected-warning {{device memory that 'data' held is lost here}} [tensor-unfreed-device-memory]
      from.data = nullptr;
    }
    return *this;
  }

private:
  float *data = nullptr;
};

// The constructor takes nothing where nothing is asked for.
template <typename T> class ForgetsWhatMayBeThere {
public:
  ForgetsWhatMayBeThere() = default;
  explicit ForgetsWhatMayBeThere(int n) {
    if (n)
      cudaMalloc(&data, n * sizeof(T)); // expected-path {{'data' gets it here}}
  }
  ~ForgetsWhatMayBeThere() { release(); }
  ForgetsWhatMayBeThere &operator=(ForgetsWhatMayBeThere &&from) noexcept {
    if (this != &from) {
      data = from.data; // expected-warning {{device memory that 'data' held is lost here}} [tensor-unfreed-device-memory]
      from.data = nullptr;
    }
    return *this;
  }

private:
  void release() {
    if (data)
      cudaFree(data);
    data = nullptr;
  }
  T *data = nullptr;
};
template class ForgetsWhatMayBeThere<float>;

// Another method than the constructor fills it.
class ForgetsWhatWasAllocated {
public:
  void allocate(int n) {
    if (!data)
      cudaMalloc(&data, n); // expected-path {{'data' gets it here}}
  }
  ~ForgetsWhatWasAllocated() { cudaFree(data); }
  ForgetsWhatWasAllocated &operator=(ForgetsWhatWasAllocated &&from) {
    data = from.data; // expected-warning {{device memory that 'data' held is lost here}} [tensor-unfreed-device-memory]
    from.data = nullptr;
    return *this;
  }

private:
  float *data = nullptr;
};

//===-- Near misses -------------------------------------------------------===//

class ReleasesWhatMayBeThere {
public:
  explicit ReleasesWhatMayBeThere(int n) {
    if (n)
      cudaMalloc(&data, n);
  }
  ~ReleasesWhatMayBeThere() { release(); }
  ReleasesWhatMayBeThere &operator=(ReleasesWhatMayBeThere &&from) noexcept {
    if (this != &from) {
      release();
      data = from.data;
      from.data = nullptr;
    }
    return *this;
  }

private:
  void release() {
    if (data)
      cudaFree(data);
    data = nullptr;
  }
  float *data = nullptr;
};

class Frees {
public:
  explicit Frees(int n) { cudaMalloc(&data, n); }
  ~Frees() { cudaFree(data); }
  Frees(Frees &&from) : data(std::exchange(from.data, nullptr)) {}
  Frees &operator=(Frees &&from) {
    if (this != &from) {
      cudaFree(data);
      data = std::exchange(from.data, nullptr);
    }
    return *this;
  }
  float *data = nullptr;
};

class Swaps {
public:
  explicit Swaps(int n) { cudaMalloc(&data, n); }
  ~Swaps() { cudaFree(data); }
  Swaps(Swaps &&from) : data(std::exchange(from.data, nullptr)) {}
  Swaps &operator=(Swaps &&from) {
    std::swap(data, from.data);
    return *this;
  }

private:
  float *data = nullptr;
};

// The destructor asks a flag. What is assigned to may have owned what it held: that is lost where
// the flag of the other object is taken over with its memory.
class TakesFlag {
public:
  explicit TakesFlag(int n) : live(true) { cudaMalloc(&data, n); } // expected-path {{'data' gets it here}}
  TakesFlag(const TakesFlag &) = delete;
  ~TakesFlag() {
    if (live)
      cudaFree(data);
  }
  TakesFlag &operator=(TakesFlag &&from) noexcept {
    data = from.data; // expected-warning {{device memory that 'data' held is lost here}} [tensor-unfreed-device-memory]
    live = std::exchange(from.live, false);
    return *this;
  }

private:
  float *data = nullptr;
  bool live = false;
};

class FreesByFlag {
public:
  explicit FreesByFlag(int n) : live(true) { cudaMalloc(&data, n); }
  FreesByFlag(const FreesByFlag &) = delete;
  ~FreesByFlag() {
    if (live)
      cudaFree(data);
  }
  FreesByFlag &operator=(FreesByFlag &&from) noexcept {
    if (live)
      cudaFree(data);
    data = from.data;
    live = std::exchange(from.live, false);
    return *this;
  }

private:
  float *data = nullptr;
  bool live = false;
};

// The destructor asks whether the memory is its own.
class MayBorrow {
public:
  MayBorrow() = default;
  explicit MayBorrow(int n) : owns(true) { cudaMalloc(&data, n); }
  ~MayBorrow() {
    if (owns)
      cudaFree(data);
  }
  MayBorrow &operator=(const MayBorrow &from) {
    data = from.data;
    owns = false;
    return *this;
  }

private:
  float *data = nullptr;
  bool owns = false;
};

class MayBorrowByName {
public:
  MayBorrowByName() = default;
  explicit MayBorrowByName(int n) : owns(true) { cudaMalloc(&data, n); }
  ~MayBorrowByName() {
    const bool mine = owns;
    if (mine)
      cudaFree(data);
  }
  MayBorrowByName &operator=(const MayBorrowByName &from) {
    data = from.data;
    owns = false;
    return *this;
  }

private:
  float *data = nullptr;
  bool owns = false;
};

class Borrows {
public:
  Borrows &operator=(const Frees &owner) {
    data = owner.data;
    return *this;
  }

private:
  float *data = nullptr;
};

class FreesUnlessItself {
public:
  explicit FreesUnlessItself(int n) { cudaMalloc(&data, n); }
  ~FreesUnlessItself() { cudaFree(data); }
  FreesUnlessItself &operator=(FreesUnlessItself &&from) noexcept {
    if (this != &from) {
      cudaFree(data);
      data = from.data;
      from.data = nullptr;
    }
    return *this;
  }

private:
  float *data = nullptr;
};

void assigned(int n) {
  Forgets forgets(n);
  Frees frees(n);
  Swaps swaps(n);
  MayBorrow own(n), other;
  Borrows borrows;
  for (int i = 1; i < n; ++i) {
    forgets = Forgets(i);
    frees = Frees(i);
    swaps = Swaps(i);
    borrows = frees;
  }
  other = own;
}
