// Sizes that a member has in every object: its own initializer, or what all constructors in the
// file give. Where anything may write the member the size is a name, and nothing is said outside
// of loops.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

void show(const Tensor &t);
void read(int64_t *number);

struct Config {
  int64_t height = 8192, width = 8192;
};

void by_value(Config config) {
  torch::NoGradGuard no_grad;
  auto image = torch::rand({config.height, config.width});
  image = image * 2; // expected-warning {{256 MiB while 'image' dies here}} [tensor-out-of-place-op] expected-fix {{*=}}
  show(image);
}

struct Camera {
  Config config;
  Tensor take() const {
    torch::NoGradGuard no_grad;
    auto image = torch::rand({config.height, config.width});
    image = image * 2; // expected-warning {{256 MiB while 'image' dies here}} [tensor-out-of-place-op] expected-fix {{*=}}
    return image;
  }
};

class Grid {
public:
  explicit Grid(int64_t n) : n_(n), half_(n / 2) {}
  Tensor fill() {
    torch::NoGradGuard no_grad;
    auto cells = torch::rand({n_, half_});
    cells = cells * 2; // expected-warning {{512 MiB while 'cells' dies here}} [tensor-out-of-place-op] expected-fix {{*=}}
    return cells;
  }

private:
  int64_t n_, half_;
};
Grid grid() { return Grid(16384); }

// Members that something in the file may change.
struct Options {
  int64_t counted = 8192, read = 8192, braced = 8192;
};
void change(Options &options, int64_t n) {
  options.counted = n;
  read(&options.read);
}
Options from_braces() { return {8192, 8192, 16}; }

struct Bound {
  int64_t rows = 8192;
};
void rename(Bound &bound, int64_t n) {
  auto &[rows] = bound;
  rows = n;
}

void of_unknown_size(const Options &options, const Bound &bound) {
  torch::NoGradGuard no_grad;
  auto a = torch::rand({options.counted, 8192});
  a = a * 2;
  auto b = torch::rand({options.read, 8192});
  b = b * 2;
  auto c = torch::rand({options.braced, 8192});
  c = c * 2;
  auto d = torch::rand({bound.rows, 8192});
  d = d * 2;
  show(a + b + c + d);
}

// Objects of two sizes, and one that is read from a file.
class Window {
public:
  explicit Window(int64_t n) : n_(n) {}
  Tensor fill() {
    torch::NoGradGuard no_grad;
    auto cells = torch::rand({n_, 8192});
    cells = cells * 2;
    return cells;
  }

private:
  int64_t n_;
};
Window small() { return Window(8); }
Window large() { return Window(8192); }

struct Header {
  int64_t rows = 8192;
};
void load(Header &header, size_t (*read_bytes)(void *, size_t)) {
  read_bytes(&header, sizeof header);
}

void of_a_file(const Header &header) {
  torch::NoGradGuard no_grad;
  auto table = torch::rand({header.rows, 8192});
  table = table * 2;
  show(table);
}
