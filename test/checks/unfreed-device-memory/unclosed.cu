// Objects whose close() gives back what they hold, and that nobody closes.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <memory>
#include <string>
#include <vector>

struct Transport {
  virtual ~Transport() = default;
  virtual void send(const float *p) = 0;
  virtual void close() = 0;
};

class DeviceTransport : public Transport {
public:
  explicit DeviceTransport(int n) : size(n) {
    cudaMalloc(&buffer, n); // expected-warning {{in 'buffer' is given back by 'close' alone, which nobody calls on such an object}} [tensor-unfreed-device-memory]
  }
  void send(const float *p) override { cudaMemcpy(buffer, p, size, cudaMemcpyHostToDevice); }
  void close() override { // expected-path {{this would give it back}}
    cudaFree(buffer);
    buffer = nullptr;
  }

private:
  int size;
  float *buffer = nullptr;
};

void send_once(const float *p, int n) {
  std::unique_ptr<Transport> transport = std::make_unique<DeviceTransport>(n); // expected-path {{nobody closes this object}}
  if (transport)
    transport->send(p);
}

// Another one does, which is no excuse.
void send_and_close(const float *p, int n) {
  auto transport = std::make_unique<DeviceTransport>(n);
  transport->send(p);
  transport->close();
}

class Decoder {
public:
  virtual ~Decoder() {}
  virtual void open(int n) {
    cudaStreamCreate(&stream); // expected-warning {{a stream in 'stream' is given back by 'release' alone}} [tensor-unfreed-device-memory]
    cudaMalloc(&packet, n); // expected-path {{'packet' gets device memory here}}
  }
  virtual void decode() { cudaStreamSynchronize(stream); }
  void shutdown() { release(); } // calls it, and nobody calls that
  void release() { // expected-path {{this would give it back}}
    cudaStreamDestroy(stream);
    cudaFree(packet);
  }

private:
  cudaStream_t stream;
  void *packet;
};

void decode(int n) {
  Decoder *decoder = new Decoder; // expected-path {{nobody closes this object}}
  decoder->open(n);
  decoder->decode();
  delete decoder;
}

// A local object of a class with virtual methods is of that class: what they do is known.
class Blur : public Transport {
public:
  Blur(int n, std::string name) : label(std::move(name)) {
    cudaMalloc(&kernel, n); // expected-path {{it is allocated here}}
  }
  void send(const float *p) override { cudaMemcpy(kernel, p, 4, cudaMemcpyHostToDevice); }
  void close() override { cudaFree(kernel); }

private:
  void *kernel;
  std::string label;
};

void blur(const float *p, int n) {
  Blur filter(n, "blur"); // expected-warning {{'filter' is filled here with device memory, and nothing gives it back}} [tensor-unfreed-device-memory]
  filter.send(p);
}

void blur_by_interface(const float *p, int n) {
  Blur filter(n, "blur");
  Transport &transport = filter;
  transport.send(p);
  transport.close();
}

// Near misses: somebody closes it, or may.

class Session {
public:
  explicit Session(int n) { cudaMalloc(&data, n); }
  virtual ~Session() { close(); }
  virtual void close() {
    cudaFree(data);
    data = nullptr;
  }

private:
  void *data;
};

void by_the_destructor(int n) { auto session = std::make_unique<Session>(n); }

class Stage {
public:
  explicit Stage(int n) { cudaMalloc(&data, n); }
  virtual ~Stage() = default;
  virtual void run(bool last) {
    cudaMemset(data, 0, 4);
    if (last)
      close();
  }
  void close() { cudaFree(data); }

private:
  void *data;
};

void by_a_method(int n) {
  auto stage = std::make_unique<Stage>(n);
  stage->run(false);
  stage->run(true);
}

class Link {
public:
  explicit Link(int n) { cudaMalloc(&data, n); }
  virtual ~Link() = default;
  virtual void use() { cudaMemset(data, 0, 4); }
  void close() { cudaFree(data); }

private:
  void *data;
};

void finish(Link &link);
void keep(std::unique_ptr<Link> link);

void by_another_function(int n) {
  auto link = std::make_unique<Link>(n);
  link->use();
  finish(*link);
}

void handed_on(int n) {
  auto link = std::make_unique<Link>(n);
  link->use();
  keep(std::move(link));
}

std::unique_ptr<Link> returned(int n) {
  auto link = std::make_unique<Link>(n);
  link->use();
  return link;
}

struct Closing {
  explicit Closing(Link &link) : link(link) {}
  ~Closing() { link.close(); }
  Link &link;
};

void by_a_guard(int n) {
  Link link(n);
  Closing closing(link);
  link.use();
}

class Registered;
extern std::vector<Registered *> all;

class Registered {
public:
  explicit Registered(int n) {
    cudaMalloc(&data, n);
    all.push_back(this);
  }
  virtual ~Registered() = default;
  void close() { cudaFree(data); }

private:
  void *data;
};

void registered(int n) { auto object = std::make_unique<Registered>(n); }

//===-- A base class closes ----------------------------------------------------===//

// It calls what the class has that it is told of.
template <class Derived> class Phase {
public:
  void open() { self().onOpen(); }
  void close() { self().onClose(); }

private:
  Derived &self() { return static_cast<Derived &>(*this); }
};

class Loading : public Phase<Loading> {
public:
  explicit Loading(int n) : size(n) {}
  void onOpen() { cudaMalloc(&data, size); }
  void onClose() { cudaFree(data); }

private:
  int size;
  float *data = nullptr;
};

void closed_by_the_base(int n) {
  Loading loading(n);
  loading.open();
  loading.close();
}

class Storing : public Phase<Storing> {
public:
  explicit Storing(int n) : size(n) {}
  void onOpen() { cudaMalloc(&data, size); } // expected-path {{it is allocated here}}
  void onClose() { cudaFree(data); }

private:
  int size;
  float *data = nullptr;
};

void closed_by_nobody(int n) {
  Storing storing(n);
  storing.open(); // expected-warning {{'storing' is filled here with device memory, and nothing gives it back}} [tensor-unfreed-device-memory]
}

class Stoppable {
public:
  virtual ~Stoppable() = default;
  void finish() { stop(); }
  virtual void stop() = 0;
};

class Uploads : public Stoppable {
public:
  explicit Uploads(int n) { cudaMalloc(&data, n); }
  void use() { cudaMemset(data, 0, 4); }
  void stop() override { cudaFree(data); }

private:
  void *data;
};

void finished(int n) {
  auto uploads = std::make_unique<Uploads>(n);
  uploads->use();
  uploads->finish();
}
