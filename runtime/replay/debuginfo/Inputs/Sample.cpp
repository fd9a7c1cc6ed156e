// Compiled by DebugInfoTest's build; the test knows its line numbers.
#include "Sample.h"

volatile int Sink;

namespace shop {
struct Till {
  int Sum = 0;
  __attribute__((noinline)) void add(int Value) {
    keep(Value); // line 10
    Sum += Value;
  }
};
} // namespace shop

extern "C" __attribute__((noinline, visibility("default"))) int sampleEntry(int Count) {
  shop::Till Till;
  for (int I = 0; I < Count; ++I) {
    if (I == 3) Till.add(I); // line 19: the call has a column of its own
    keep(I);
  }
  return Till.Sum + twice(Count) + twice(Count * 1L);
}

extern "C" __attribute__((noinline, visibility("default"))) int lambdaEntry(int Count) {
  auto Act = [](int Value) __attribute__((noinline)) {
    keep(Value);
    return Value + Sink; // line 28: in a lambda
  };
  return Act(Count);
}

int main(int Count, char **) { return (sampleEntry(Count) + lambdaEntry(Count)) & 1; }
