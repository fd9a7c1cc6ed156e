// Lists that outlive their function, apart from any training or inference.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

Tensor read(const std::string &path);

// Nothing reads what it keeps.
std::vector<Tensor> read_all(const std::vector<std::string> &paths) {
  std::vector<Tensor> images;
  for (const auto &path : paths) {
    static std::vector<Tensor> seen; // expected-path {{'seen' is declared here and outlives the step}}
    auto image = read(path);
    seen.push_back(image); // expected-note {{'seen' (a static variable) grows with every step and nothing ever reads or empties it}} [tensor-retained-activation]
    images.push_back(image);
  }
  return images;
}

static std::vector<Tensor> pinned; // expected-path {{'pinned' is declared here and outlives the step}}

void pin(const std::vector<std::string> &paths) {
  for (size_t i = 0; i < paths.size(); ++i)
    pinned.emplace_back(read(paths[i])); // expected-note {{'pinned' (a global) grows with every step and nothing ever reads or empties it}} [tensor-retained-activation]
}

//===-- Near misses -------------------------------------------------------===//

// A table that is set up once, and read.
Tensor weights_of(int size) {
  static std::vector<Tensor> table;
  if (table.empty())
    for (int i = 0; i < 10; ++i)
      table.push_back(torch::full({64}, i));
  return table[size];
}

// Read by another function.
static std::vector<Tensor> samples;

void load_samples(const std::vector<std::string> &paths) {
  for (const auto &path : paths)
    samples.push_back(read(path));
}

Tensor sample(int i) { return samples[i]; }

// Emptied by another function.
static std::vector<Tensor> alive;

void keep_alive(const std::vector<std::string> &paths) {
  for (const auto &path : paths)
    alive.push_back(read(path));
}

void done() { alive.clear(); }

// Other files may read it.
std::vector<Tensor> shared;

void share(const std::vector<std::string> &paths) {
  for (const auto &path : paths)
    shared.push_back(read(path));
}

// Dies with its function.
size_t count(const std::vector<std::string> &paths) {
  std::vector<Tensor> images;
  for (const auto &path : paths)
    images.push_back(read(path));
  return images.size();
}

//===-- Objects of one round ----------------------------------------------===//

struct Episode {
  std::vector<torch::Tensor> states;
  void add(torch::Tensor x) { states.push_back(x); }
  torch::Tensor all() { return torch::cat(states); }
};
void one_for_each() {
  for (int e = 0; e < 100; ++e) {
    Episode episode;
    for (int i = 0; i < 10; ++i)
      episode.add(torch::randn({4}));
    episode.all();
  }
}

struct Archive {
  std::vector<torch::Tensor> states; // expected-path {{'states' is declared here and outlives the step}}
  void add(torch::Tensor x) { states.push_back(x); } // expected-note {{'states' (a member) grows with every step and nothing ever empties it}} [tensor-retained-activation]
  torch::Tensor all() { return torch::cat(states); }
};
void one_for_all() {
  Archive archive;
  for (int e = 0; e < 100; ++e)
    for (int i = 0; i < 10; ++i)
      archive.add(torch::randn({4}));
  archive.all();
}

//===-- Results that one call collects, and one more with every call --------------===//

class Gallery {
public:
  explicit Gallery(torch::nn::Linear net) : net_(net) {}
  void build(const std::vector<std::string> &paths) {
    torch::NoGradGuard no_grad;
    for (const auto &path : paths)
      all_.push_back(net_->forward(read(path))); // expected-note {{'all_' (a member) grows with every step and nothing ever empties it}} [tensor-retained-activation]
  }
  void add(const std::string &path) {
    torch::NoGradGuard no_grad;
    seen_.push_back(net_->forward(read(path))); // expected-warning {{'seen_' (a member) grows with every step and nothing ever empties it}} [tensor-retained-activation]
  }
  Tensor first() const { return all_.front() + seen_.front(); }

private:
  torch::nn::Linear net_;
  std::vector<Tensor> all_;  // expected-path {{'all_' is declared here and outlives the step}}
  std::vector<Tensor> seen_; // expected-path {{'seen_' is declared here and outlives the step}}
};

//===-- What only asks how much is there reads nothing ------------------------------===//

class Previews {
public:
  void run(const std::vector<std::string> &paths) {
    for (const auto &path : paths) {
      counted_.push_back(read(path)); // expected-note {{'counted_' (a member) grows with every step and nothing ever reads or empties it}} [tensor-retained-activation]
      shown_.push_back(read(path));
    }
  }
  size_t depth() const { return counted_.size() + shown_.size(); }
  bool none() const { return counted_.empty(); }
  Tensor last() const { return shown_.back(); }

private:
  std::vector<Tensor> counted_; // expected-path {{'counted_' is declared here and outlives the step}}
  std::vector<Tensor> shown_;
};
