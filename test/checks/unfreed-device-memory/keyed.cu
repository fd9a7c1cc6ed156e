// An element that callers name by a key is filled again when they name it twice.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

class Weights {
public:
  ~Weights() {
    for (auto &entry : weights_)
      cudaFree(entry.second);
  }
  void load(const std::string &name, size_t n) {
    float *data = nullptr;
    cudaMalloc(&data, n); // expected-note {{device memory in 'weights_' is taken anew by each call of 'load', and a second one for the same element loses the one before}} [tensor-unfreed-device-memory]
    weights_[name] = data; // expected-path {{callers say here which element it is}}
  }

private:
  std::map<std::string, float *> weights_;
};

// The key is made of what is given, and the entry is a record.
struct Plan {
  float *work = nullptr;
  int width = 0;
};

class Plans {
public:
  ~Plans() {
    for (auto &entry : plans_)
      cudaFree(entry.second.work);
  }
  void prepare(int width, int height) {
    const size_t key = size_t(width) << 32 | unsigned(height);
    Plan &plan = plans_[key]; // expected-path {{callers say here which element it is}}
    plan.width = width;
    cudaMalloc(&plan.work, size_t(width) * height); // expected-note {{device memory in 'plans_' is taken anew}} [tensor-unfreed-device-memory]
  }

private:
  std::unordered_map<size_t, Plan> plans_;
};

// The old one is given back, or there is none.
class Replaced {
public:
  ~Replaced() {
    for (auto &entry : all_)
      cudaFree(entry.second);
  }
  void load(int key, size_t n) {
    cudaFree(all_[key]);
    cudaMalloc(&all_[key], n);
  }

private:
  std::map<int, float *> all_;
};

class AskedFor {
public:
  ~AskedFor() {
    for (auto &entry : all_)
      cudaFree(entry.second);
  }
  float *get(int key, size_t n) {
    auto found = all_.find(key);
    if (found != all_.end())
      return found->second;
    float *data = nullptr;
    cudaMalloc(&data, n);
    all_[key] = data;
    return data;
  }

private:
  std::map<int, float *> all_;
};

// The class counts by itself, or others give elements back.
class Counted {
public:
  ~Counted() {
    for (auto &entry : all_)
      cudaFree(entry.second);
  }
  int add(size_t n) {
    float *data = nullptr;
    cudaMalloc(&data, n);
    const int id = next_++;
    all_[id] = data;
    return id;
  }

private:
  std::map<int, float *> all_;
  int next_ = 0;
};

class WithRemove {
public:
  ~WithRemove() {
    for (auto &entry : all_)
      cudaFree(entry.second);
  }
  void add(int key, size_t n) {
    float *data = nullptr;
    cudaMalloc(&data, n);
    all_[key] = data;
  }
  void remove(int key) {
    cudaFree(all_[key]);
    all_.erase(key);
  }

private:
  std::map<int, float *> all_;
};

// Only the constructor calls it, with other keys each time.
class Levels {
public:
  explicit Levels(int count) : levels_(count) {
    for (int i = 0; i < count; ++i)
      fill(i, size_t(1) << i);
  }
  ~Levels() {
    for (float *level : levels_)
      cudaFree(level);
  }
  void fill(int i, size_t n) { cudaMalloc(&levels_[i], n); }

private:
  std::vector<float *> levels_;
};

//===-- Offered under a key that may be there ------------------------------------------===//

class Snapshots {
public:
  ~Snapshots() {
    for (auto &entry : all_)
      cudaFree(entry.second);
  }
  void save(int step, const float *field) {
    float *copy = nullptr;
    cudaMalloc(&copy, 100); // expected-note {{device memory in 'all_' is taken by each call of 'save', and one for a key that is there already is lost}} [tensor-unfreed-device-memory]
    cudaMemcpy(copy, field, 100, cudaMemcpyDeviceToDevice);
    all_.emplace(step, copy); // expected-path {{callers say here which element it is}}
  }
  // Lent: who gets it cannot free it.
  const float *at(int step) const { return all_.at(step); }

private:
  std::unordered_map<int, float *> all_;
};

class SnapshotsAsked {
public:
  ~SnapshotsAsked() {
    for (auto &entry : all_)
      cudaFree(entry.second);
  }
  void save(int step) {
    float *copy = nullptr;
    cudaMalloc(&copy, 100);
    if (!all_.emplace(step, copy).second)
      cudaFree(copy);
  }
  void saveOnce(int step) {
    if (all_.count(step))
      return;
    float *copy = nullptr;
    cudaMalloc(&copy, 100);
    all_.emplace(step, copy);
  }

private:
  std::unordered_map<int, float *> all_;
};

// Who gets one may be its owner.
class SnapshotsGiven {
public:
  ~SnapshotsGiven() {
    for (auto &entry : all_)
      cudaFree(entry.second);
  }
  void save(int step) {
    float *copy = nullptr;
    cudaMalloc(&copy, 100);
    all_.emplace(step, copy);
  }
  float *at(int step) { return all_.at(step); }

private:
  std::unordered_map<int, float *> all_;
};

// Each has its own element.
class AllSnapshots {
public:
  ~AllSnapshots() {
    for (auto &entry : all_)
      cudaFree(entry.second);
  }
  void save(int step) {
    float *copy = nullptr;
    cudaMalloc(&copy, 100);
    all_.emplace(step, copy);
  }

private:
  std::multimap<int, float *> all_;
};

//===-- Callers in view -------------------------------------------------------===//

class Marks {
public:
  ~Marks() {
    for (auto &entry : marks_)
      cudaEventDestroy(entry.second);
  }
  void mark(const std::string &name) {
    cudaEvent_t event = nullptr;
    cudaEventCreate(&event); // expected-warning {{an event in 'marks_' is taken by each call of 'mark', and one for a key that is there already is lost}} [tensor-unfreed-device-memory]
    auto slot = marks_.emplace(name, event).first; // expected-path {{callers say here which element it is}}
    cudaEventRecord(slot->second);
  }

private:
  std::unordered_map<std::string, cudaEvent_t> marks_;
};

void markEachFrame() {
  Marks marks;
  for (int frame = 0; frame < 100; ++frame) {
    marks.mark("begin");
    marks.mark("end");
  }
}

// Each round has its own object or its own key, or the one that is there is asked for.
class Layers {
public:
  ~Layers() {
    for (auto &entry : layers_)
      cudaFree(entry.second);
  }
  void add(int layer, size_t n) {
    float *data = nullptr;
    cudaMalloc(&data, n);
    layers_[layer] = data;
  }

private:
  std::map<int, float *> layers_;
};

void addEach() {
  Layers layers;
  for (int layer = 0; layer < 10; ++layer)
    layers.add(layer, 100);
  for (int round = 0; round < 10; ++round) {
    Layers once;
    once.add(0, 100);
  }
  layers.add(10, 100);
}

class Asked {
public:
  ~Asked() {
    for (auto &entry : marks_)
      cudaEventDestroy(entry.second);
  }
  void mark(const std::string &name) {
    cudaEvent_t event = nullptr;
    cudaEventCreate(&event);
    auto answer = marks_.emplace(name, event);
    if (!answer.second)
      cudaEventDestroy(event);
  }

private:
  std::unordered_map<std::string, cudaEvent_t> marks_;
};

void askEachFrame() {
  Asked marks;
  for (int frame = 0; frame < 100; ++frame)
    marks.mark("begin");
}

// A round that lets go of all of them, by itself or by way of a function.
class Cleared {
public:
  ~Cleared() { clear(); }
  void mark(const std::string &name) {
    cudaEvent_t event;
    cudaEventCreate(&event);
    marks_[name] = event;
  }
  void clear() {
    for (auto &entry : marks_)
      cudaEventDestroy(entry.second);
    marks_.clear();
  }

private:
  std::map<std::string, cudaEvent_t> marks_;
};

void finish(Cleared &marks) { marks.clear(); }

void clearEachFrame() {
  Cleared marks;
  for (int frame = 0; frame < 100; ++frame) {
    marks.mark("begin");
    marks.clear();
  }
  for (int frame = 0; frame < 100; ++frame) {
    marks.mark("begin");
    finish(marks);
  }
}

//===-- The same keys in each round ---------------------------------------------===//

class Contigs {
public:
  ~Contigs() {
    for (auto &entry : contigs_)
      cudaFree(entry.second);
  }
  void load(const std::string &name, size_t n) {
    float *data = nullptr;
    cudaMalloc(&data, n); // expected-warning {{device memory in 'contigs_' is taken anew by each call of 'load'}} [tensor-unfreed-device-memory]
    contigs_[name] = data; // expected-path {{callers say here which element it is}}
  }
  void drop(const std::string &name) {
    cudaFree(contigs_.at(name));
    contigs_.erase(name);
  }

private:
  std::map<std::string, float *> contigs_;
};

void loadInEachPass(const std::vector<std::string> &names) {
  Contigs contigs;
  for (int pass = 0; pass < 3; ++pass)
    for (size_t i = 0; i < names.size(); ++i)
      contigs.load(names[i], 100);
}

// Each pass has keys of its own, or lets go of those of the one before.
class Shards {
public:
  ~Shards() {
    for (auto &entry : shards_)
      cudaFree(entry.second);
  }
  void load(int id, size_t n) {
    float *data = nullptr;
    cudaMalloc(&data, n);
    shards_[id] = data;
  }
  void drop(int id) {
    cudaFree(shards_.at(id));
    shards_.erase(id);
  }

private:
  std::map<int, float *> shards_;
};

void loadOthersInEachPass(std::vector<int> ids) {
  Shards shards, counted, dropped;
  for (int pass = 0; pass < 3; ++pass) {
    for (int i = 0; i < 4; ++i)
      shards.load(pass * 4 + i, 100);
    for (int &id : ids)
      counted.load(id++, 100);
    for (int i = 0; i < 4; ++i)
      dropped.load(i, 100);
    for (int i = 0; i < 4; ++i)
      dropped.drop(i);
  }
}
