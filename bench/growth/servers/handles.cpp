// A C interface gives out results; who calls must destroy them.
#include <torch/torch.h>

extern "C" {
struct predict_result {
  torch::Tensor *scores;
  torch::Tensor *classes;
};
predict_result *predict(const float *pixels, long n);
void predict_free(predict_result *r);
}

static torch::Tensor weights() {
  static torch::Tensor W = torch::randn({256, 128});
  return W;
}

predict_result *predict(const float *pixels, long n) {
  torch::NoGradGuard guard;
  torch::Tensor x = torch::from_blob(const_cast<float *>(pixels), {n, 256});
  auto *r = new predict_result;
  r->scores = new torch::Tensor(torch::sigmoid(x.mm(weights()))); // LEAK bytes=4096 holder=LOST
  r->classes = new torch::Tensor(r->scores->argmax(1));           // LEAK bytes=64 holder=LOST
  return r;
}

void predict_free(predict_result *r) {
  delete r->scores;
  delete r->classes;
  delete r;
}

int main() {
  std::vector<float> frame(8 * 256, 0.5f);
  long sum = 0;
  for (int i = 0; i < 150; ++i) {
    predict_result *r = predict(frame.data(), 8);
    sum += r->classes->sum().item<int64_t>();
#if !LEAK
    predict_free(r);
#endif
  }
  return sum < 0;
}
