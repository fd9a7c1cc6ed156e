// Headers are missing. The names that they would declare are stood in for, so that the functions
// that use them are whole. What is found in these is a note, for what a name does is not known.
//
// RUN: not %tensorleak check --stats --no-cache --level note %s -- %mock_flags >%t.txt 2>%t.err
// RUN: FileCheck %s --implicit-check-not='{{(note|warning): .*\[tensor-}}' <%t.txt
// RUN: FileCheck %s --check-prefix=SAYS --implicit-check-not='not analysed' <%t.err
// SAYS: incomplete: {{.*}}stand-ins.cpp:[[#@LINE+1]]: 'vision/image.hpp' file not found; give
#include <vision/image.hpp>
#include <vision/draw.hpp>
#include <rpc/service.h>
#include <torch/script.h>
#include <torch/torch.h>

RPC_REGISTER(Detector, 3);
class RPC_EXPORT Server : public rpc::Service<4, float> {
public:
  rpc::Status detect(const rpc::Request &request, rpc::Response *response) override;
  rpc::Unknown unknown() const { return rpc::Unknown(count_); }
  RPC_DEPRECATED("use detect") void old() {}
  int size() const { return count_; }

private:
  torch::jit::Module module_;
  std::vector<at::Tensor> answers_ RPC_GUARDED_BY(mutex_);
  rpc::Mutex mutex_;
  vision::Size<2> size_;
  int count_ = 0;
};

rpc::Status Server::detect(const rpc::Request &request, rpc::Response *response) {
  rpc::MutexLock lock(&mutex_);
  LOG(INFO) << "request " << request.id() << " of " << name_;
  vision::Mat image = vision::decode(request.bytes(), vision::IMREAD_COLOR), resized;
  vision::resize(image, resized, vision::Size<2>(224, 224));
  if (image.empty() || resized.cols != 224)
    return rpc::Status::Invalid;
  auto input = torch::from_blob(image.data, {1, image.rows, image.cols, 3});
  // CHECK: stand-ins.cpp:[[@LINE+1]]:{{.*}}note: what 'module_' computes here is never differentiated
  at::Tensor output = module_.forward({input}).toTensor();
  // CHECK: stand-ins.cpp:[[@LINE+1]]:{{.*}}note: 'answers_' (a member) grows
  answers_.push_back(output);
  for (const auto &box : vision::boxes<float>(output.data_ptr<float>(), image.rows))
    response->add(box.x * 2.0f, box.at<int>(1), resized.at<float>(0, 0) > 0.5 ? 1 : 0);
  switch (image.type()) {
  case vision::CV_8U:
  case vision::Kind::Float:
    return rpc::Status();
  }
  return rpc::Ok;
}

// As sure as ever: nothing in it is stood in for.
std::vector<torch::Tensor> losses;
void train(torch::nn::Linear net, torch::Tensor x) {
  for (int i = 0; i < 9; ++i)
    // CHECK: stand-ins.cpp:[[@LINE+1]]:{{.*}}warning: what is added to 'losses'
    losses.push_back(net->forward(x).sum());
}

//===-- Near misses: what the names do may be the very reset ----------------------------===//

std::vector<torch::Tensor> drawn, shown, logged;
void draws(torch::nn::Linear net, torch::Tensor x) {
  for (int i = 0; i < 9; ++i) {
    drawn.push_back(net->forward(x).sum());
    vision::draw(drawn);
  }
}
void shows(torch::nn::Linear net, torch::Tensor x) {
  for (int i = 0; i < 9; ++i) {
    shown.push_back(net->forward(x).sum());
    vision::Window window(shown, "losses");
  }
}
void logs(torch::nn::Linear net, torch::Tensor x, vision::Canvas &canvas) {
  for (int i = 0; i < 9; ++i) {
    logged.push_back(net->forward(x).sum());
    canvas << logged;
  }
}
