// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// A method that empties a list and fills it again: with which objects it is called twice, its
// callers say.
#include <cuda_runtime.h>
#include <cstdlib>
#include <vector>
#define CHECK(call)                                                                                \
  do {                                                                                             \
    if ((call) != cudaSuccess)                                                                     \
      std::exit(1);                                                                                \
  } while (0)

class Scene {
public:
  Scene() {}
  Scene(const Scene &) = delete;
  Scene &operator=(const Scene &) = delete;
  ~Scene() { unload(); }
  void load(int n) {
    meshes.clear(); // expected-warning {{in 'meshes' is lost here}} [tensor-unfreed-device-memory]
    for (int i = 0; i < n; ++i)
      meshes.push_back(made(i)); // expected-path {{'meshes' gets it here}}
  }
  void unload() {
    for (float *each : meshes)
      CHECK(cudaFree(each));
    meshes.clear();
  }

private:
  float *made(int n) {
    float *mesh = nullptr;
    CHECK(cudaMalloc(&mesh, n)); // expected-path {{it is allocated here}}
    return mesh;
  }
  std::vector<float *> meshes;
};

void edits(int rounds) {
  Scene scene;
  for (int i = 0; i < rounds; ++i)
    scene.load(i);
}

//===-- Near misses -------------------------------------------------------===//

// Called once, or for another object each time.
class Once {
public:
  Once() {}
  Once(const Once &) = delete;
  Once &operator=(const Once &) = delete;
  ~Once() {
    for (float *each : meshes)
      CHECK(cudaFree(each));
  }
  void load(int n) {
    meshes.clear();
    for (int i = 0; i < n; ++i) {
      float *mesh = nullptr;
      CHECK(cudaMalloc(&mesh, n));
      meshes.push_back(mesh);
    }
  }

private:
  std::vector<float *> meshes;
};

void once(int rounds) {
  Once outside;
  outside.load(rounds);
  for (int i = 0; i < rounds; ++i) {
    Once scene;
    scene.load(i);
  }
}

void untilItIs(bool (*isRight)()) {
  Once scene;
  while (true) {
    scene.load(3);
    break;
  }
}

class Unloaded {
public:
  Unloaded() {}
  Unloaded(const Unloaded &) = delete;
  Unloaded &operator=(const Unloaded &) = delete;
  ~Unloaded() { unload(); }
  void load(int n) {
    meshes.clear();
    for (int i = 0; i < n; ++i) {
      float *mesh = nullptr;
      CHECK(cudaMalloc(&mesh, n));
      meshes.push_back(mesh);
    }
  }
  void unload() {
    for (float *each : meshes)
      CHECK(cudaFree(each));
    meshes.clear();
  }

private:
  std::vector<float *> meshes;
};

void unloaded(int rounds) {
  Unloaded scene;
  for (int i = 0; i < rounds; ++i) {
    scene.load(i);
    scene.unload();
  }
}

class LoadedOnce {
public:
  LoadedOnce() {}
  LoadedOnce(const LoadedOnce &) = delete;
  LoadedOnce &operator=(const LoadedOnce &) = delete;
  ~LoadedOnce() {
    for (float *each : meshes)
      CHECK(cudaFree(each));
  }
  void load(int n) {
    if (isLoaded)
      return;
    isLoaded = true;
    meshes.clear();
    for (int i = 0; i < n; ++i) {
      float *mesh = nullptr;
      CHECK(cudaMalloc(&mesh, n));
      meshes.push_back(mesh);
    }
  }

private:
  bool isLoaded = false;
  std::vector<float *> meshes;
};

void loadedOnce(int rounds) {
  LoadedOnce scene;
  for (int i = 0; i < rounds; ++i)
    scene.load(i);
}
