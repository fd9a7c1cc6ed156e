// What a weak pointer is locked into owns the object as any shared pointer does.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <memory>
#include <torch/torch.h>

struct Encoder;

struct Decoder : torch::nn::Module {
  torch::nn::Linear layer = register_module("layer", torch::nn::Linear(512, 512));
  std::shared_ptr<Encoder> source;
};

struct Encoder : torch::nn::Module {
  torch::nn::Linear layer = register_module("layer", torch::nn::Linear(512, 512));
  std::shared_ptr<Decoder> sink;
};

static void locked() {
  auto encoder = std::make_shared<Encoder>();
  auto decoder = std::make_shared<Decoder>();
  encoder->sink = decoder;
  std::weak_ptr<Encoder> seen = encoder;
  decoder->source = seen.lock(); // expected-warning {{own each other through 'source'}} [tensor-undeleted-tensor]
}

//===-- Near misses -------------------------------------------------------===//

struct Reader : torch::nn::Module {
  torch::nn::Linear layer = register_module("layer", torch::nn::Linear(512, 512));
  std::weak_ptr<Encoder> source;
  std::shared_ptr<Encoder> other;
};

struct Writer : torch::nn::Module {
  torch::nn::Linear layer = register_module("layer", torch::nn::Linear(512, 512));
  std::shared_ptr<Reader> sink;
  std::shared_ptr<Encoder> own;
};

// The member only looks, or what is locked is another object.
static void looked_at() {
  auto writer = std::make_shared<Writer>();
  auto reader = std::make_shared<Reader>();
  writer->sink = reader;
  writer->own = std::make_shared<Encoder>();
  std::weak_ptr<Encoder> seen = writer->own;
  reader->source = seen;
  reader->other = seen.lock();
}

int main() {
  for (int i = 0; i < 100; ++i) {
    locked();
    looked_at();
  }
}
