// A function of the file that throws ends the path of its caller: what is held there is lost,
// unless a handler, a destructor or nobody at all goes on with it.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <memory>
#include <stdexcept>
#include <string>

static int parse(const std::string &text) {
  if (text.empty())
    throw std::invalid_argument("nothing to read");
  return static_cast<int>(text.size());
}

struct Reader {
  virtual ~Reader() = default;
  virtual int next() = 0;
};

struct FileReader : Reader {
  int next() override { return parse("of the file"); }
};

struct Options {
  explicit Options(const std::string &text) : count(parse(text)) {}
  int count;
};

//===-- Ways out ------------------------------------------------------------===//

static void by_call(const std::string &text) {
  float *data;
  cudaMalloc(&data, 1 << 20); // expected-warning {{when this function throws}} [tensor-unfreed-device-memory]
  cudaMemset(data, 0, parse(text)); // expected-path {{this way out leaves it behind}}
  cudaFree(data); // expected-path {{others are freed here}}
}

static void by_constructor(const std::string &text) {
  float *data;
  cudaMalloc(&data, 1 << 20); // expected-warning {{when this function throws}} [tensor-unfreed-device-memory]
  Options options(text); // expected-path {{this way out leaves it behind}}
  cudaMemset(data, 0, options.count);
  cudaFree(data); // expected-path {{others are freed here}}
}

static void by_what_overrides_it(Reader &reader) {
  cudaStream_t stream;
  cudaStreamCreate(&stream); // expected-warning {{when this function throws}} [tensor-unfreed-device-memory]
  reader.next(); // expected-path {{this way out leaves it behind}}
  cudaStreamDestroy(stream); // expected-path {{others are freed here}}
}

static int into_a_handler(const std::string &text) {
  float *data;
  cudaMalloc(&data, 1 << 20); // expected-warning {{every way out}} [tensor-unfreed-device-memory]
  try {
    int count = parse(text); // expected-path {{this way out leaves it behind}}
    cudaFree(data); // expected-path {{others are freed here}}
    return count;
  } catch (const std::exception &) {
    return -1;
  }
}

//===-- None ----------------------------------------------------------------===//

static void before_it_is_taken(const std::string &text) {
  int count = parse(text);
  float *data;
  cudaMalloc(&data, count);
  cudaFree(data);
}

static void freed_by_the_handler(const std::string &text) {
  float *data;
  cudaMalloc(&data, 1 << 20);
  try {
    cudaMemset(data, 0, parse(text));
  } catch (...) {
    cudaFree(data);
    throw;
  }
  cudaFree(data);
}

static int freed_after_the_handler(const std::string &text) {
  float *data;
  int count = 0;
  cudaMalloc(&data, 1 << 20);
  try {
    count = parse(text);
  } catch (...) {
    count = -1;
  }
  cudaFree(data);
  return count;
}

static void freed_in_the_next_round(const std::string &text) {
  float *data = nullptr;
  for (int i = 0; i < 10; ++i) {
    cudaFree(data);
    data = nullptr;
    try {
      cudaMalloc(&data, 1 << 20);
      parse(text);
    } catch (...) {
      continue;
    }
  }
  cudaFree(data);
}

struct Freed {
  float *data = nullptr;
  ~Freed() { cudaFree(data); }
};

static void freed_by_a_destructor(const std::string &text) {
  Freed freed;
  cudaMalloc(&freed.data, 1 << 20);
  cudaMemset(freed.data, 0, parse(text));
}

// A check throws because a call failed, or because it is told to.
static void check(cudaError_t error) {
  if (error != cudaSuccess)
    throw std::runtime_error("a call failed");
}

static void require(bool holds) {
  if (!holds)
    throw std::logic_error("not as it should be");
}

static void checked() {
  float *data;
  check(cudaMalloc(&data, 1 << 20));
  require(data != nullptr);
  check(cudaMemset(data, 0, 1 << 20));
  check(cudaFree(data));
}

static void ends_the_program(const std::string &text) noexcept {
  float *data;
  cudaMalloc(&data, 1 << 20);
  cudaMemset(data, 0, parse(text));
  cudaFree(data);
}

int main(int argc, char **argv) {
  FileReader reader;
  for (int i = 0; i < argc; ++i)
    try {
      by_call(argv[i]);
      by_constructor(argv[i]);
      by_what_overrides_it(reader);
      into_a_handler(argv[i]);
      before_it_is_taken(argv[i]);
      freed_by_the_handler(argv[i]);
      freed_after_the_handler(argv[i]);
      freed_in_the_next_round(argv[i]);
      freed_by_a_destructor(argv[i]);
      checked();
      ends_the_program(argv[i]);
    } catch (const std::exception &) {
      continue;
    }
}

// The handler frees it by a second name; or another that has one.
static void freed_by_a_reference(const std::string &text) {
  float *data;
  auto &same = data;
  cudaMalloc(&data, 1 << 20);
  try {
    cudaMemset(data, 0, parse(text));
    cudaFree(data);
  } catch (...) {
    cudaFree(same);
    throw;
  }
}

static void another_is_freed_by_a_reference(const std::string &text) {
  float *data, *other;
  auto &same = other;
  cudaMalloc(&data, 1 << 20); // expected-warning {{every way out}} [tensor-unfreed-device-memory]
  cudaMalloc(&other, 1 << 20);
  try {
    cudaMemset(data, 0, parse(text)); // expected-path {{this way out leaves it behind}}
    cudaFree(data);
  } catch (...) {
    cudaFree(same);
    throw;
  }
  cudaFree(other); // expected-path {{others are freed here}}
}

//===-- A macro whose check is an object ----------------------------------------===//

struct Answer {
  bool bad() const;
  const char *text() const;
};
Answer equal(int left, int right);
#define ENFORCE(call)                                                                              \
  do {                                                                                             \
    cudaError_t error = (call);                                                                    \
    const Answer &r = (equal(error, cudaSuccess));                                                 \
    if (r.bad())                                                                                   \
      throw r.text();                                                                              \
  } while (false)

class Enforced {
public:
  explicit Enforced(int n) { ENFORCE(cudaMalloc(&p, n)); }
  ~Enforced() { cudaFree(p); }

private:
  float *p = nullptr;
};
class EnforcedTwice {
public:
  explicit EnforcedTwice(int n) {
    ENFORCE(cudaMalloc(&p, n)); // expected-warning {{in 'p' is lost when the constructor throws}} [tensor-unfreed-device-memory]
    ENFORCE(cudaMalloc(&q, n)); // expected-path {{this way out leaves it behind}}
  }
  ~EnforcedTwice() {
    cudaFree(p);
    cudaFree(q);
  }

private:
  float *p = nullptr, *q = nullptr;
};

//===-- Who throws may call the device as well ------------------------------===//

class SetUpByAMethod {
public:
  SetUpByAMethod(int n) {
    cudaMalloc(&A, n); // expected-warning {{device memory in 'A' is lost when the constructor throws}} [tensor-unfreed-device-memory]
    set(n); // expected-path {{this way out leaves it behind}}
  }
  ~SetUpByAMethod() {
    cudaFree(A);
    cudaFree(B);
  }

private:
  void set(int n) {
    if (n % 2 == 0)
      throw std::runtime_error("n must be odd");
    cudaMalloc(&B, n);
  }
  float *A = nullptr, *B = nullptr;
};

/// Where the device fails there is nothing to go on with.
class ThrowsWhereTheDeviceFails {
public:
  ThrowsWhereTheDeviceFails(int n) {
    cudaMalloc(&A, n);
    set(n);
  }
  ~ThrowsWhereTheDeviceFails() {
    cudaFree(A);
    cudaFree(B);
  }

private:
  void set(int n) {
    const bool ok = cudaMalloc(&B, n) == cudaSuccess;
    if (!ok)
      throw std::runtime_error("no memory");
  }
  float *A = nullptr, *B = nullptr;
};
