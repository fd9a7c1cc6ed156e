//===-- FakeCupti.cpp - A CUPTI without a driver ---------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests only. One subscriber at a time, as the real one has; the environment variable
// FAKE_CUPTI_IS_HELD stands for a profiler that came first.
//
//===----------------------------------------------------------------------===//
#include <cstdint>
#include <cstdlib>
#include <set>
#include <utility>

namespace {

struct CallbackData {
  int Site;
  const char *Function;
  const void *Parameters;
  const void *Result;
};
using Callback = void (*)(void *, int, uint32_t, const CallbackData *);
Callback Subscriber;
void *Argument;
std::set<std::pair<int, uint32_t>> Enabled; ///< domain and number

} // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int cuptiSubscribe(void **Handle, Callback Function, void *Data) {
  if (Subscriber || std::getenv("FAKE_CUPTI_IS_HELD"))
    return 39;
  Subscriber = Function;
  Argument = Data;
  *Handle = &Subscriber;
  return 0;
}

EXPORT int cuptiEnableCallback(uint32_t On, void *, int Domain, uint32_t Id) {
  if (On)
    Enabled.insert({Domain, Id});
  return 0;
}

EXPORT void fakeCuptiFire(int Domain, uint32_t Id, const char *Function, bool After,
                          const void *Parameters, const int *Result) {
  CallbackData Data{After, Function, Parameters, Result};
  if (Subscriber && Enabled.count({Domain, Id}))
    Subscriber(Argument, Domain, Id, &Data);
}
