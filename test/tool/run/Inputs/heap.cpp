// What programs keep of the host's memory beside tensors, and what only looks like it. With a
// library that keeps something for each new key, as oneDNN does, or hands it out.
#include <map>
#include <string>
#include <torch/torch.h>
#include <vector>

extern "C" void keeper_call(int Key);
extern "C" void *keeper_open();
extern "C" void keeper_close(void *Handle);

namespace {

constexpr int Rounds = 200;
bool Keeps;

void serve() { torch::randn({16, 16}).sum().item<float>(); }

void strings() {
  static std::vector<std::string> Log;
  for (int I = 0; I < Rounds; ++I, serve())
    for (int J = 0; J < 30; ++J) {
      Log.push_back(std::string(180 + J, 'x'));
      if (!Keeps && Log.size() > 90)
        Log.clear();
    }
}

void counters() {
  std::map<std::string, long> Seen;
  for (int I = 0; I < Rounds; ++I, serve())
    for (int J = 0; J < 40; ++J)
      ++Seen["the name of a request " + std::to_string(Keeps ? 40 * I + J : J)];
}

void numbers() {
  std::vector<float> All;
  for (int I = 0; I < 2 * Rounds; ++I, serve()) {
    if (!Keeps)
      All.clear();
    for (int J = 0; J < 1024; ++J)
      All.push_back(float(J));
  }
}

void cache() {
  for (int I = 0; I < Rounds; ++I, serve())
    keeper_call(Keeps ? I : 0);
}

void handles() {
  for (int I = 0; I < Rounds; ++I, serve()) {
    void *Handle = keeper_open();
    if (!Keeps)
      keeper_close(Handle);
  }
}

} // namespace

int main(int, char **Argv) {
  torch::NoGradGuard Guard;
  torch::set_num_threads(1);
  Keeps = Argv[2] == std::string("keeps");
  std::map<std::string, void (*)()> Modes = {
      {"strings", strings}, {"counters", counters}, {"numbers", numbers},
      {"cache", cache},     {"handles", handles}};
  Modes.at(Argv[1])();
}
