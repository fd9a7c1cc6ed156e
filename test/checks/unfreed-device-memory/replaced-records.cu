// A record that frees nothing is replaced as a whole, or ends, by a function that asks it first
// whether it is in use. Another function shows that what it holds is to be given back.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <array>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

//===-- Slots -----------------------------------------------------------------------===//

namespace slots {

struct Emitter {
  float *particles = nullptr;
  int life = 0;
  bool isAlive = false;
};

class Pool {
public:
  ~Pool() {
    for (auto &each : slots)
      if (each.particles)
        cudaFree(each.particles);
  }
  bool spawn(int n) {
    for (auto &each : slots)
      if (!each.isAlive) {
        if (cudaMalloc(&each.particles, n) != cudaSuccess) // expected-path {{gets it here}}
          return false;
        each.isAlive = true;
        each.life = n;
        return true;
      }
    return false;
  }
  void tick() {
    for (auto &each : slots)
      if (each.isAlive && --each.life <= 0)
        each = Emitter{}; // expected-note {{device memory in 'slots.particles' is lost here}} [tensor-unfreed-device-memory]
  }
  void kill(int i) {
    if (!slots[i].isAlive)
      return;
    slots[i] = {}; // expected-note {{device memory in 'slots.particles' is lost here}} [tensor-unfreed-device-memory]
  }
  void killAndFree(int i) {
    if (!slots[i].isAlive)
      return;
    cudaFree(slots[i].particles);
    slots[i] = {};
  }
  Emitter takeOut(int i) {
    Emitter old = slots[i];
    if (slots[i].isAlive)
      slots[i] = {};
    return old;
  }
  void clearUnused() {
    for (auto &each : slots)
      if (!each.isAlive)
        each = Emitter{};
  }
  void clearWhatHoldsNothing() {
    for (auto &each : slots)
      if (each.life == 0 && each.particles == nullptr)
        each = Emitter{};
  }
  void clearAt(size_t i) { // asks for the place alone
    if (i < slots.size())
      slots[i] = Emitter{};
  }
  void prepare() { // before the first spawn(), for all that is seen
    for (auto &each : slots)
      each = Emitter{};
  }

private:
  std::array<Emitter, 8> slots;
};

void use(Pool &pool) {
  pool.prepare();
  pool.spawn(100);
  pool.tick();
  pool.clearUnused();
  pool.clearWhatHoldsNothing();
  pool.kill(0);
}

} // namespace slots

// Of two records of one class the one that is replaced is told.
namespace two {

struct Buffer {
  float *data = nullptr;
  size_t bytes = 0;
};

class Stage {
public:
  ~Stage() {
    cudaFree(input.data);
    cudaFree(output.data);
  }
  void open(size_t n) {
    cudaMalloc(&input.data, n);
    cudaMalloc(&output.data, n); // expected-path {{'output.data' gets it here}}
    input.bytes = output.bytes = n;
  }
  void dropOutput() {
    if (output.bytes > 0)
      output = {}; // expected-warning {{device memory in 'output.data' is lost here}} [tensor-unfreed-device-memory]
  }

private:
  Buffer input, output;
};

} // namespace two

//===-- Boxes -----------------------------------------------------------------------===//

namespace boxes {

struct Session {
  explicit Session(size_t n) { cudaMalloc(&buffer, n); }
  void close() {
    cudaFree(buffer);
    buffer = nullptr;
  }
  float *buffer = nullptr;
};

class Closed {
public:
  ~Closed() {
    if (current)
      current->close();
  }
  void open(size_t n) {
    if (current)
      current->close();
    current.emplace(n);
  }

private:
  std::optional<Session> current;
};

void serve() {
  Closed server;
  for (int i = 1; i < 100; ++i)
    server.open(i);
}

} // namespace boxes

namespace ended {

struct Buffer {
  float *data = nullptr;
  size_t bytes = 0;
};

class Stage {
public:
  ~Stage() {
    if (buffer)
      cudaFree(buffer->data);
  }
  void begin(size_t n) {
    buffer.emplace();
    buffer->bytes = n;
    cudaMalloc(&buffer->data, n); // expected-path {{gets it here}}
  }
  void end() {
    buffer = std::nullopt; // expected-warning {{device memory in 'buffer.data' is lost here}} [tensor-unfreed-device-memory]
  }
  void endAndFree() {
    if (buffer)
      cudaFree(buffer->data);
    buffer.reset();
  }

private:
  std::optional<Buffer> buffer;
};

} // namespace ended

namespace owned {

struct Buffer {
  float *data = nullptr;
  size_t bytes = 0;
};

class Stage {
public:
  ~Stage() {
    if (buffer)
      cudaFree(buffer->data);
  }
  void begin(size_t n) {
    buffer = std::make_unique<Buffer>();
    buffer->bytes = n;
    cudaMalloc(&buffer->data, n); // expected-path {{gets it here}}
  }
  void end() {
    buffer.reset(); // expected-warning {{device memory in 'data' is lost here}} [tensor-unfreed-device-memory]
  }
  void endAndFree() {
    cudaFree(buffer->data);
    buffer.reset();
  }
  void handOn(std::vector<std::unique_ptr<Buffer>> &all) {
    all.push_back(std::move(buffer));
    buffer = nullptr;
  }

private:
  std::unique_ptr<Buffer> buffer;
};

} // namespace owned

//===-- Alternatives ----------------------------------------------------------------===//

namespace alternatives {

struct OnHost {
  std::vector<float> values;
};
struct OnDevice {
  float *data = nullptr;
  size_t count = 0;
};

class Table {
public:
  ~Table() {
    if (auto *here = std::get_if<OnDevice>(&where))
      cudaFree(here->data);
  }
  void toDevice() {
    if (auto *here = std::get_if<OnHost>(&where)) {
      OnDevice moved;
      moved.count = here->values.size();
      cudaMalloc(&moved.data, moved.count); // expected-path {{gets it here}}
      where = moved;
    }
  }
  void toHost() {
    if (auto *here = std::get_if<OnDevice>(&where)) {
      OnHost moved;
      moved.values.resize(here->count);
      cudaMemcpy(moved.values.data(), here->data, here->count, cudaMemcpyDeviceToHost);
      where = std::move(moved); // expected-warning {{device memory in 'where.data' is lost here}} [tensor-unfreed-device-memory]
    }
  }
  void toHostAndFree() {
    if (std::holds_alternative<OnDevice>(where)) {
      cudaFree(std::get<OnDevice>(where).data);
      where = OnHost();
    }
  }
  void clearHost() {
    if (std::holds_alternative<OnHost>(where))
      where = OnHost();
  }

private:
  std::variant<OnHost, OnDevice> where;
};

} // namespace alternatives
