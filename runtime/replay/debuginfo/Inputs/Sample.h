// Compiled by DebugInfoTest's build with several compilers and DWARF versions.
#pragma once

extern volatile int Sink;

inline __attribute__((always_inline)) void keep(int Value) {
  Sink = Value; // line 7: inlined into its callers
}

template <typename T> __attribute__((noinline)) int twice(T Value) {
  Sink = static_cast<int>(Value); // line 11: one copy per type
  return static_cast<int>(Value + Value);
}
