// behaviours ROUNDS SEEDS: harmless and leaking blocks, and how often the assertion failed.
#include <cstdio>
#include <cstdlib>
#include <string>

static int Failed, Skipped;
#define TENSORLEAK_FAIL(FILE, LINE, TEXT) ++Failed
#define TENSORLEAK_SKIP(FILE, LINE, TEXT) ++Skipped
#include "tensorleak/expect.h"

#include <c10/core/CPUAllocator.h>

#include <deque>
#include <functional>
#include <map>
#include <random>
#include <vector>

using Random = std::mt19937;

static c10::DataPtr take(size_t Bytes) { return c10::GetCPUAllocator()->allocate(Bytes); }

struct Memory {
  std::vector<c10::DataPtr> Kept;
  std::deque<c10::DataPtr> Ring;
  std::map<unsigned, c10::DataPtr> Cache;
  c10::DataPtr One, Two;

  void keep(size_t Bytes) { Kept.push_back(take(Bytes)); }
  void keepLast(size_t Count) {
    Ring.push_back(take(4096));
    if (Ring.size() > Count)
      Ring.pop_front();
  }
  void keepUntil(int Round, int Every) {
    keep(4096);
    if (Round % Every == Every - 1)
      Kept.clear();
  }
  void lookUp(unsigned Key) {
    if (!Cache.count(Key))
      Cache[Key] = take(4096);
  }
};

struct Behaviour {
  const char *Name;
  std::function<void(Memory &, int, Random &)> Run;
};

static const std::vector<Behaviour> All{
    {"steady", [](Memory &, int, Random &) { take(4096); }},
    {"variable batch", [](Memory &M, int, Random &R) { M.One = take(1000 + R() % 9000); }},
    {"one back", [](Memory &M, int, Random &R) {
       M.Two = std::move(M.One);
       M.One = take(1000 + R() % 9000);
     }},
    {"warm-up", [](Memory &M, int I, Random &) { I < 5 ? M.keep(4096) : (void)take(64); }},
    {"ring of 4", [](Memory &M, int, Random &) { M.keepLast(4); }},
    {"ring of 8", [](Memory &M, int, Random &) { M.keepLast(8); }},
    {"ring of 16", [](Memory &M, int, Random &) { M.keepLast(16); }},
    {"flushed each 5", [](Memory &M, int I, Random &) { M.keepUntil(I, 5); }},
    {"flushed each 10", [](Memory &M, int I, Random &) { M.keepUntil(I, 10); }},
    {"cache of 10 shapes", [](Memory &M, int, Random &R) { M.lookUp(R() % 10); }},
    {"best so far", [](Memory &M, int, Random &R) { M.One = take(64 + (R() % 7 ? 0 : R() % 64)); }},
    {"leak in each", [](Memory &M, int, Random &) { M.keep(4096); }},
    {"leak of any size", [](Memory &M, int, Random &R) { M.keep(100 + R() % 9000); }},
    {"leak in each third", [](Memory &M, int I, Random &) { if (I % 3 == 0) M.keep(4096); }},
    {"leak in 30 of 100", [](Memory &M, int, Random &R) { if (R() % 10 < 3) M.keep(4096); }},
    {"made anew, larger", [](Memory &M, int I, Random &) { M.One = take(4096 * size_t(I + 1)); }},
    {"small leak in noise", [](Memory &M, int, Random &R) { M.keep(64); take(R() % 100000); }}};

int main(int, char **Arguments) {
  int Rounds = std::atoi(Arguments[1]), Seeds = std::atoi(Arguments[2]);
  for (const Behaviour &B : All) {
    Failed = Skipped = 0;
    for (int Seed = 1; Seed <= Seeds; ++Seed) {
      Memory M;
      Random R{unsigned(Seed)};
      int Round = 0;
      TENSORLEAK_EXPECT_NO_GROWTH(unsigned(Rounds)) B.Run(M, Round++, R);
    }
    std::printf("%s: %d of %d failed, %d skipped\n", B.Name, Failed, Seeds, Skipped);
  }
}
