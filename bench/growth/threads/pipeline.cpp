// A camera is faster than the network behind it; the queue between them is bounded or not.
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>
#include <torch/torch.h>

class FrameQueue {
public:
  void push(torch::Tensor F) {
    std::unique_lock<std::mutex> L(M);
#if !LEAK
    Space.wait(L, [this] { return Frames.size() < 4; });
#endif
    Frames.push(std::move(F));
    Ready.notify_one();
  }
  torch::Tensor pop() {
    std::unique_lock<std::mutex> L(M);
    Ready.wait(L, [this] { return !Frames.empty(); });
    torch::Tensor F = Frames.front();
    Frames.pop();
    Space.notify_one();
    return F;
  }

private:
  std::mutex M;
  std::condition_variable Ready, Space;
  std::queue<torch::Tensor> Frames;
};

static void camera(FrameQueue &Q) {
  for (int I = 0; I < 200; ++I) {
    Q.push(torch::rand({3, 16, 16})
               .mul_(255)
               .clamp(0, 200)); // LEAK total=307200 holder=Frames|Q|TheQueue
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  Q.push(torch::Tensor());
}

int main() {
  torch::set_num_threads(1);
  FrameQueue TheQueue;
  std::thread Camera(camera, std::ref(TheQueue));
  torch::NoGradGuard Guard;
  torch::nn::Conv2d Net(torch::nn::Conv2dOptions(3, 4, 3));
  for (int I = 0;; ++I) {
    torch::Tensor F = TheQueue.pop();
    if (!F.defined() || I == 100)
      break;
    Net(F.unsqueeze(0)).mean().item<float>();
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
  }
#if !LEAK
  while (TheQueue.pop().defined())
    ;
#endif
  Camera.join();
}
