// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// Lists of pairs, entries that insert() makes, and lists that keep their order beside a map.
#include <cuda_runtime.h>
#include <cufft.h>
#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

//===-- The least recently used one goes --------------------------------------------===//

using Entry = std::pair<std::string, float *>;

class Recent {
public:
  Recent(const Recent &) = delete;
  Recent &operator=(const Recent &) = delete;
  ~Recent() {
    for (Entry &each : order)
      cudaFree(each.second);
  }
  void touch(const std::string &key) {
    auto hit = index.find(key);
    if (hit != index.end()) {
      order.splice(order.begin(), order, hit->second);
      return;
    }
    if (order.size() >= 8)
      evict();
    float *data = nullptr;
    cudaMalloc(&data, 100); // expected-path {{gets it here}}
    order.emplace_front(key, data);
    index.emplace(key, order.begin());
  }

private:
  void evict() {
    index.erase(order.back().first);
    order.pop_back(); // expected-warning {{in 'order' is lost here: what is taken out of a container}} [tensor-unfreed-device-memory]
  }
  std::list<Entry> order;
  std::unordered_map<std::string, std::list<Entry>::iterator> index;
};

class RecentThatFrees {
public:
  RecentThatFrees(const RecentThatFrees &) = delete;
  RecentThatFrees &operator=(const RecentThatFrees &) = delete;
  ~RecentThatFrees() {
    for (Entry &each : order)
      cudaFree(each.second);
  }
  void add(const std::string &key) {
    float *data = nullptr;
    cudaMalloc(&data, 100);
    order.emplace_front(key, data);
    index.emplace(key, order.begin());
  }
  void evict() {
    cudaFree(order.back().second);
    index.erase(order.back().first);
    order.pop_back();
  }
  // By the map's iterator, which names an element of the list.
  void drop(const std::string &key) {
    auto hit = index.find(key);
    if (hit == index.end())
      return;
    cudaFree(hit->second->second);
    order.erase(hit->second);
    index.erase(hit);
  }

private:
  std::list<Entry> order;
  std::unordered_map<std::string, std::list<Entry>::iterator> index;
};

void recent(Recent &one, RecentThatFrees &other) {
  for (const char *key : {"a", "b"}) {
    one.touch(key);
    other.add(key);
    other.drop(key);
  }
}

//===-- In one function ---------------------------------------------------------------===//

void kept_in_pairs(int n) {
  std::vector<std::pair<int, float *>> all;
  for (int i = 0; i < n; ++i) {
    float *data = nullptr;
    cudaMalloc(&data, 100); // expected-warning {{in 'all[]' is not given back before 'kept_in_pairs' returns}} [tensor-unfreed-device-memory]
    all.push_back({i, data});
  }
}

void kept_and_freed(int n) {
  std::vector<std::pair<int, float *>> all;
  for (int i = 0; i < n; ++i) {
    float *data = nullptr;
    cudaMalloc(&data, 100);
    all.push_back({i, data});
  }
  for (auto &[number, data] : all)
    cudaFree(data);
}

void emplaced_and_freed(int n) {
  std::vector<std::pair<int, float *>> all;
  for (int i = 0; i < n; ++i) {
    float *data = nullptr;
    cudaMalloc(&data, 100);
    all.emplace_back(i, data);
  }
  for (auto &each : all)
    cudaFree(each.second);
}

void entries(int n) {
  std::map<int, float *> all;
  for (int i = 0; i < n; ++i) {
    float *data = nullptr;
    cudaMalloc(&data, 100); // expected-warning {{in 'all[]' is not given back before 'entries' returns}} [tensor-unfreed-device-memory]
    all.insert({i, data});
  }
}

void entries_and_freed(int n) {
  std::map<int, float *> all;
  for (int i = 0; i < n; ++i) {
    float *data = nullptr;
    cudaMalloc(&data, 100);
    all.insert({i, data});
  }
  for (auto &each : all)
    cudaFree(each.second);
}

// A function that nobody sees gets it.
void keep(const std::pair<int, float *> &entry);
struct Keeper {
  void keep(std::pair<int, float *> entry);
};

void handed_on(Keeper &keeper, int n) {
  float *data = nullptr, *other = nullptr;
  cudaMalloc(&data, 100);
  cudaMalloc(&other, 100);
  keep({n, data});
  keeper.keep({n, other});
}

//===-- Plans are numbers -------------------------------------------------------------===//

static cufftHandle plan_of(int n) {
  cufftHandle plan;
  cufftPlan1d(&plan, n, CUFFT_C2C, 1); // expected-path {{it is allocated here}}
  return plan;
}

void plans(int n) {
  std::vector<cufftHandle> all;
  all.push_back(plan_of(n)); // expected-warning {{a cuFFT plan in 'all[]' is not given back before 'plans' returns}} [tensor-unfreed-device-memory]
}

void plans_and_destroyed(int n) {
  std::vector<cufftHandle> all;
  all.push_back(plan_of(n));
  for (cufftHandle each : all)
    cufftDestroy(each);
}

//===-- Other names of elements and of their parts ------------------------------------===//

struct Buffer {
  float *data;
  int size;
};

void freed_by_member_names(int n) {
  std::vector<Buffer> all;
  for (int i = 0; i < n; ++i) {
    float *data = nullptr;
    cudaMalloc(&data, 100);
    all.push_back({data, i});
  }
  for (auto &[data, size] : all)
    cudaFree(data);
}

void sized_by_member_names(int n) {
  std::vector<Buffer> all;
  for (int i = 0; i < n; ++i) {
    float *data = nullptr;
    cudaMalloc(&data, 100); // expected-warning {{is not given back before 'sized_by_member_names' returns}} [tensor-unfreed-device-memory]
    all.push_back({data, i});
  }
  for (auto &[data, size] : all)
    cudaMemset(data, 0, size);
}

void freed_by_names_of_one(int n) {
  std::vector<std::pair<int, float *>> all;
  for (int i = 0; i < n; ++i) {
    float *data = nullptr;
    cudaMalloc(&data, 100);
    auto each = std::make_pair(i, data);
    all.push_back(each);
  }
  for (int i = 0; i < n; ++i) {
    auto &[number, data] = all[i];
    cudaFree(data);
  }
}

void freed_by_a_copy(int n) {
  std::vector<std::pair<int, float *>> all;
  for (int i = 0; i < n; ++i) {
    float *data = nullptr;
    cudaMalloc(&data, 100);
    all.emplace_back(i, data);
  }
  while (!all.empty()) {
    auto each = all.back();
    all.pop_back();
    cudaFree(each.second);
  }
}

static void give(std::pair<int, float *> &each) { cudaFree(each.second); }

void freed_by_a_callee(int n) {
  std::vector<std::pair<int, float *>> all(n);
  for (int i = 0; i < n; ++i)
    cudaMalloc(&all[i].second, 100);
  for (int i = 0; i < n; ++i)
    give(all[i]);
}
