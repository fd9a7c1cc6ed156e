// A node that is taken out of a map still has the element; a list gets an empty element at its end,
// which is removed again where nothing could be made for it.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <list>
#include <map>

struct Texture {
  float *pixels;
};

struct Tile {
  int key;
  float *pixels;
};

class Extracted {
public:
  ~Extracted() {
    for (auto &entry : all_)
      cudaFree(entry.second.pixels);
  }
  void load(int key) {
    if (all_.count(key))
      return;
    Texture made{};
    cudaMalloc(&made.pixels, 1 << 20);
    all_[key] = made;
  }
  void drop(int key) {
    auto node = all_.extract(key);
    if (!node.empty())
      cudaFree(node.mapped().pixels);
  }

private:
  std::map<int, Texture> all_;
};

struct Picture {
  float *pixels;
};

class Erased {
public:
  ~Erased() {
    for (auto &entry : all_)
      cudaFree(entry.second.pixels);
  }
  void load(int key) {
    if (all_.count(key))
      return;
    Picture made{};
    cudaMalloc(&made.pixels, 1 << 20); // expected-path {{'all_.pixels' gets it here}}
    all_[key] = made;
  }
  void drop(int key) {
    auto found = all_.find(key);
    if (found != all_.end())
      all_.erase(found); // expected-warning {{device memory in 'all_.pixels' is lost here: what is taken out of a container is not given back by that; call 'cudaFree' first}} [tensor-unfreed-device-memory]
  }

private:
  std::map<int, Picture> all_;
};

static bool make(Tile &into, int key) {
  into.key = key;
  return cudaMalloc(&into.pixels, 1 << 20) == cudaSuccess; // expected-path {{it is allocated here}}
}

class Tiles {
public:
  ~Tiles() {
    for (auto &tile : tiles_)
      cudaFree(tile.pixels);
  }
  float *get(int key) {
    Tile made{};
    tiles_.emplace_front();
    if (make(made, key)) {
      tiles_.front() = made;
      return made.pixels;
    }
    tiles_.pop_front();
    return nullptr;
  }
  void shrink() {
    Tile made{};
    if (make(made, 0)) // expected-path {{'tiles_.pixels' gets it here}}
      tiles_.push_back(made);
    if (tiles_.size() > 8)
      tiles_.pop_front(); // expected-warning {{device memory in 'tiles_.pixels' is lost here}} [tensor-unfreed-device-memory]
  }

private:
  std::list<Tile> tiles_;
};
