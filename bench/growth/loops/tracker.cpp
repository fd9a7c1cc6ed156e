// A template that follows objects through a video.
#include <optional>
#include <torch/torch.h>
#include <vector>

template <typename Feature> class Tracker {
public:
  struct Track {
    std::vector<Feature> Path;
    int Missed = 0;
  };
  void update(const Feature &F, bool Seen) {
    if (Tracks.empty() || Tracks.back().Missed > 2)
      Tracks.emplace_back();
    Track &T = Tracks.back();
    T.Missed = Seen ? 0 : T.Missed + 1;
    T.Path.push_back(F.clone()); // LEAK bytes=1024 holder=Follow|Tracks
#if !LEAK
    if (Tracks.size() > 1)
      Tracks.erase(Tracks.begin());
    if (T.Path.size() > 8)
      T.Path.erase(T.Path.begin());
#endif
  }

private:
  std::vector<Track> Tracks;
};

int main() {
  torch::NoGradGuard Guard;
  Tracker<torch::Tensor> Follow;
  torch::nn::Linear Embed(64, 256);
  for (int I = 0; I < 180; ++I)
    Follow.update(Embed(torch::randn({64})).relu(), I % 7 < 4);
}
