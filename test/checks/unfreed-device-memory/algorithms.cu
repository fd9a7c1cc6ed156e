// Algorithms of the standard library give the elements of one container another order; they free
// none, and give none to anybody, unless what they are handed to call does.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

#include <algorithm>
#include <iterator>
#include <vector>

struct Track {
  int id;
  int missed;
  cudaStream_t stream;
};

class Tracks {
public:
  ~Tracks() {
    for (Track &t : all)
      cudaStreamDestroy(t.stream);
    for (Track &t : dead)
      cudaStreamDestroy(t.stream);
  }
  void add(int id) {
    Track t{id, 0, nullptr};
    cudaStreamCreate(&t.stream); // expected-path 3 {{gets it here}}
    all.push_back(t);
  }

  void forget_old() {
    all.erase(std::remove_if(all.begin(), all.end(), // expected-warning {{a stream in 'all.stream' is lost here}} [tensor-unfreed-device-memory]
                             [](const Track &t) { return t.missed > 2; }),
              all.end());
  }
  void forget_ids() {
    auto old = std::remove_if(all.begin(), all.end(), [this](const Track &t) {
      if (t.missed <= 2)
        return false;
      free_ids.push_back(t.id);
      return true;
    });
    all.erase(old, all.end()); // expected-warning {{a stream in 'all.stream' is lost here}} [tensor-unfreed-device-memory]
  }
  void forget_worst() {
    std::sort(all.begin(), all.end(),
              [](const Track &a, const Track &b) { return a.missed < b.missed; });
    if (all.size() > 8)
      all.pop_back(); // expected-warning {{a stream in 'all.stream' is lost here}} [tensor-unfreed-device-memory]
  }

  void destroyed_by_the_test() {
    all.erase(std::remove_if(all.begin(), all.end(),
                             [](const Track &t) {
                               if (t.missed > 2)
                                 cudaStreamDestroy(t.stream);
                               return t.missed > 2;
                             }),
              all.end());
  }
  void destroyed_before() {
    for (const Track &t : all)
      if (t.missed > 2)
        cudaStreamDestroy(t.stream);
    all.erase(std::remove_if(all.begin(), all.end(), [](const Track &t) { return t.missed > 2; }),
              all.end());
  }
  void destroyed_behind_the_others() {
    auto old = std::stable_partition(all.begin(), all.end(),
                                     [](const Track &t) { return t.missed <= 2; });
    for (auto it = old; it != all.end(); ++it)
      cudaStreamDestroy(it->stream);
    all.erase(old, all.end());
  }
  void destroyed_where_found(int id) {
    auto it = std::find_if(all.begin(), all.end(), [id](const Track &t) { return t.id == id; });
    if (it == all.end())
      return;
    cudaStreamDestroy(it->stream);
    all.erase(it);
  }
  void copied_elsewhere() {
    std::copy_if(all.begin(), all.end(), std::back_inserter(dead),
                 [](const Track &) { return true; });
    all.clear();
  }
  void for_each_of_them() {
    std::for_each(all.begin(), all.end(), [](Track &t) { cudaStreamDestroy(t.stream); });
    all.clear();
  }
  void by_a_function();

private:
  std::vector<Track> all, dead;
  std::vector<int> free_ids;
};

void retire(Track &t);

void Tracks::by_a_function() {
  std::for_each(all.begin(), all.end(), retire);
  all.clear();
}

// What a predicate keeps elsewhere may be another container's.
class Kept {
public:
  ~Kept() {
    for (Track &t : all)
      cudaStreamDestroy(t.stream);
    for (Track &t : dead)
      cudaStreamDestroy(t.stream);
  }
  void add(int id) {
    Track t{id, 0, nullptr};
    cudaStreamCreate(&t.stream); // expected-path {{gets it here}}
    all.push_back(t);
  }
  void kept_elsewhere() {
    all.erase(std::remove_if(all.begin(), all.end(),
                             [this](const Track &t) {
                               if (t.missed > 2)
                                 dead.push_back(t);
                               return t.missed > 2;
                             }),
              all.end());
  }
  void forget_old() {
    all.erase(std::remove_if(all.begin(), all.end(), // expected-note {{a stream in 'all.stream' is lost here}} [tensor-unfreed-device-memory]
                             [](const Track &t) { return t.missed > 2; }),
              all.end());
  }

private:
  std::vector<Track> all, dead;
};

// Iterators that move hand the elements on.
class Queue {
public:
  ~Queue() {
    for (Track &t : ready)
      cudaStreamDestroy(t.stream);
  }
  void add(int id) {
    Track t{id, 0, nullptr};
    cudaStreamCreate(&t.stream);
    waiting.push_back(t);
  }
  void advance() {
    ready.insert(ready.end(), std::make_move_iterator(waiting.begin()),
                 std::make_move_iterator(waiting.end()));
    waiting.clear();
  }

private:
  std::vector<Track> waiting, ready;
};
