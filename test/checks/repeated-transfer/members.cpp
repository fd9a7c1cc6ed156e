// A member that the constructor makes on the host, and that a loop's calls copy to the device.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <algorithm>
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();

class Decoder {
public:
  explicit Decoder(torch::Device device)
      : device(device), anchors(torch::rand({8400, 4})), net(torch::nn::Linear(256, 4)) {}
  Tensor decode(Tensor features) {
    auto delta = net->forward(features);
    return delta * anchors.to(device) + // expected-warning {{'anchors' is the same in every round of this loop}} [tensor-repeated-transfer]
           offsets.to(device); // expected-warning {{'offsets' is the same in every round of this loop}} [tensor-repeated-transfer]
  }

private:
  torch::Device device;
  Tensor anchors; // expected-path {{'anchors' is made here, on the host}}
  Tensor offsets = torch::ones({8400, 4}); // expected-path {{'offsets' is made here, on the host}}
  torch::nn::Linear net;
};

void decode_all(torch::Device device) {
  Decoder decoder(device);
  for (int i = 0; i < 100; ++i)
    decoder.decode(next_batch()).sum().backward();
}

//===-- Near misses -------------------------------------------------------===//

// Already there, made there, given by somebody, changed by a method.
class Moved {
public:
  Moved(torch::Device device, Tensor given)
      : device(device), anchors(torch::rand({8400, 4})), given(given),
        there(torch::rand({8400, 4}, torch::kCUDA)), net(torch::nn::Linear(256, 4)) {
    anchors = anchors.to(device);
  }
  void shuffle() { changed = changed.flip({0}); }
  Tensor decode(Tensor features) {
    auto delta = net->forward(features);
    return delta * anchors.to(device) + given.to(device) + there.to(device) + changed.to(device);
  }

private:
  torch::Device device;
  Tensor anchors, given, there;
  Tensor changed = torch::ones({8400, 4});
  torch::nn::Linear net;
};

void decode_moved(torch::Device device, Tensor given) {
  Moved decoder(device, given);
  for (int i = 0; i < 100; ++i)
    decoder.decode(next_batch()).sum().backward();
}

// A function that is not seen may change it.
void unseen(Tensor &t);
void refresh_by(Tensor &t) { unseen(t); }
class Refreshed {
public:
  void refresh() { refresh_by(anchors); }
  Tensor decode(Tensor features, torch::Device device) { return features * anchors.to(device); }

private:
  Tensor anchors = torch::ones({8400, 4});
};

void decode_refreshed(torch::nn::Linear net, torch::Device device, Refreshed &decoder) {
  for (int i = 0; i < 100; ++i)
    decoder.decode(net->forward(next_batch()), device).sum().backward();
}

// A staging buffer: some other call fills its memory.
class Staged {
public:
  void fill(const float *frame) { std::copy_n(frame, 1024, buffer.data_ptr<float>()); }
  Tensor scale(Tensor features, torch::Device device) { return features * buffer.to(device); }

private:
  Tensor buffer = torch::empty({1024});
};

void staged(torch::nn::Linear net, torch::Device device, Staged &stage) {
  for (int i = 0; i < 100; ++i)
    stage.scale(net->forward(next_batch()), device).sum().backward();
}

// Of an object that each round makes.
class Brief {
public:
  Tensor scale(Tensor features, torch::Device device) { return features * factors.to(device); }

private:
  Tensor factors = torch::ones({8400, 4});
};

void made_anew(torch::nn::Linear net, torch::Device device) {
  for (int i = 0; i < 100; ++i) {
    Brief brief;
    brief.scale(net->forward(next_batch()), device).sum().backward();
  }
}
