// What emplace() gives names the new element; what a variant is given lives on there.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <map>
#include <variant>

struct Peer {
  float *samples = nullptr;
  long heard = 0;
};

//===-- An element that is made and filled by its iterator -------------------------===//

class Hub {
public:
  ~Hub() {
    for (auto &[id, peer] : peers)
      cudaFree(peer.samples);
  }
  bool hello(int id) {
    auto [it, isNew] = peers.try_emplace(id);
    if (!isNew)
      return false;
    void *base = nullptr;
    if (cudaMalloc(&base, 100) != cudaSuccess) { // expected-path {{gets it here}}
      peers.erase(it); // it holds nothing yet
      return false;
    }
    it->second.samples = static_cast<float *>(base);
    return true;
  }
  void bye(int id) {
    auto it = peers.find(id);
    if (it == peers.end())
      return;
    cudaFree(it->second.samples);
    peers.erase(it);
  }
  void expire(long now) {
    for (auto it = peers.begin(); it != peers.end();) {
      if (it->second.heard < now)
        ++it;
      else
        it = peers.erase(it); // expected-warning {{in 'peers.samples' is lost here: what is taken out of a container}} [tensor-unfreed-device-memory]
    }
  }

private:
  std::map<int, Peer> peers;
};

class PairHub {
public:
  ~PairHub() {
    for (auto &each : peers)
      cudaFree(each.second.samples);
  }
  void hello(int id) {
    auto made = peers.emplace(id, Peer());
    if (cudaMalloc(&made.first->second.samples, 100) != cudaSuccess) // expected-path {{gets it here}}
      peers.erase(made.first);
  }
  void bye(int id) {
    auto it = peers.find(id);
    if (it != peers.end())
      peers.erase(it); // expected-warning {{in 'peers.samples' is lost here: what is taken out of a container}} [tensor-unfreed-device-memory]
  }

private:
  std::map<int, Peer> peers;
};

void hubs(Hub &hub, PairHub &pairs) {
  for (int i = 0; i < 9; ++i) {
    hub.hello(i);
    hub.expire(i - 3);
    hub.bye(i - 1);
    pairs.hello(i);
    pairs.bye(i);
  }
}

//===-- What a variant is given ------------------------------------------------------===//

struct Empty {};
struct OnDevice {
  float *data;
  int rows;
};

class Column {
public:
  ~Column() {
    if (auto *device = std::get_if<OnDevice>(&store))
      cudaFree(device->data);
  }
  bool load(const float *from, int rows) {
    OnDevice device{nullptr, rows};
    if (cudaMalloc(&device.data, rows) != cudaSuccess)
      return false;
    if (cudaMemcpy(device.data, from, rows, cudaMemcpyHostToDevice) != cudaSuccess) {
      cudaFree(device.data);
      return false;
    }
    store = device;
    return true;
  }
  bool loadOrLeave(const float *from, int rows) {
    OnDevice device{nullptr, rows};
    if (cudaMalloc(&device.data, rows) != cudaSuccess) // expected-note {{is not given back on every way out}} [tensor-unfreed-device-memory]
      return false;
    if (cudaMemcpy(device.data, from, rows, cudaMemcpyHostToDevice) != cudaSuccess)
      return false; // expected-path {{this way out leaves it behind}}
    store = device;
    return true;
  }

private:
  std::variant<Empty, OnDevice> store;
};

//===-- A key that may be there already ----------------------------------------------===//

class Shards {
public:
  ~Shards() {
    for (auto &each : shards)
      cudaFree(each.second);
  }
  int refused(int id, int n) {
    float *p = nullptr;
    if (cudaMalloc(&p, n) != cudaSuccess) // expected-warning {{device memory in 'p' is not given back on every way out}} [tensor-unfreed-device-memory]
      return 1;
    if (!shards.emplace(id, p).second) // expected-path {{'emplace' takes it only where it finds no such key}}
      return 2; // expected-path {{this way out leaves it behind}}
    return 0;
  }
  int refusedByName(int id, int n) {
    float *p = nullptr;
    if (cudaMalloc(&p, n) != cudaSuccess) // expected-warning {{device memory in 'p' is not given back on every way out}} [tensor-unfreed-device-memory]
      return 1;
    auto [it, isNew] = shards.emplace(id, p); // expected-path {{'emplace' takes it only where it finds no such key}}
    if (!isNew)
      return 2; // expected-path {{this way out leaves it behind}}
    return 0;
  }
  int freedWhereRefused(int id, int n) {
    float *p = nullptr;
    if (cudaMalloc(&p, n) != cudaSuccess)
      return 1;
    if (!shards.emplace(id, p).second) {
      cudaFree(p);
      return 2;
    }
    return 0;
  }
  int replacesTheOther(int id, int n) {
    float *p = nullptr;
    if (cudaMalloc(&p, n) != cudaSuccess)
      return 1;
    auto [it, isNew] = shards.emplace(id, p);
    if (!isNew) {
      cudaFree(it->second);
      it->second = p;
    }
    return 0;
  }
  int neverThere(int id, int n) {
    float *p = nullptr;
    if (cudaMalloc(&p, n) != cudaSuccess)
      return 1;
    auto it = shards.emplace(id, p).first;
    return it->second == p ? 0 : 2;
  }

private:
  std::map<int, float *> shards;
};
