//===-- Sampling.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program need not have a library for logarithms: the probe brings no other along.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/heap/Sampling.h"

#include <atomic>
#include <cstring>

namespace tensorleak::probe {

thread_local SampleCountdown TheCountdown;

namespace {

constexpr uint64_t FirstMean = 1 << 10, LastMean = 1 << 19;
constexpr unsigned AtEachMeanBits = 10; ///< so many are chosen before they become half as frequent

std::atomic<uint64_t> Chosen{0};
std::atomic<uint64_t> Threads{0};

uint64_t meanNow() {
  constexpr uint64_t Steps = 9;
  uint64_t Halvings = Chosen.load(std::memory_order_relaxed) >> AtEachMeanBits;
  return Halvings >= Steps ? LastMean : FirstMean << Halvings;
}

/// Vigna's xorshift64*.
uint64_t draw(uint64_t &State) {
  State ^= State >> 12;
  State ^= State << 25;
  State ^= State >> 27;
  return State * 0x2545F4914F6CDD1Dull;
}

/// The natural logarithm of a positive number, within 2e-4.
double logarithm(double X) {
  uint64_t Bits;
  std::memcpy(&Bits, &X, sizeof(Bits));
  auto Exponent = int(Bits >> 52) - 1023;
  Bits = (Bits & ((uint64_t(1) << 52) - 1)) | uint64_t(1023) << 52;
  double M;
  std::memcpy(&M, &Bits, sizeof(M));
  double OfMantissa =
      -1.7417939 + (2.8212026 + (-1.4699568 + (0.44717955 - 0.056570851 * M) * M) * M) * M;
  return Exponent * 0.69314718056 + OfMantissa;
}

/// e to the power of -X, for X from 0 to 16.
double decayed(double X) {
  constexpr unsigned Squarings = 8;
  double Part = X / (1 << Squarings), Out = 1 - Part * (1 - Part / 2 * (1 - Part / 3));
  for (unsigned I = 0; I < Squarings; ++I)
    Out *= Out;
  return Out;
}

} // namespace

uint64_t standsFor(uint64_t Bytes, uint64_t Mean) {
  constexpr uint64_t Certain = 16;
  if (Bytes >= Certain * Mean)
    return Bytes;
  double Share = 1 - decayed(double(Bytes) / double(Mean));
  return uint64_t(double(Bytes) / Share + 0.5);
}

int64_t nextDistance(SampleCountdown &C, uint64_t Mean) {
  constexpr double Steps = double(uint64_t(1) << 32);
  double Uniform = (double(draw(C.Random) >> 32) + 1) / Steps;
  C.Mean = Mean;
  return int64_t(-logarithm(Uniform) * double(Mean));
}

void sampleHere(void *Data, size_t Bytes, const void *Caller) {
  SampleCountdown &C = TheCountdown;
  bool IsFirst = !C.Random;
  uint64_t Mean = C.Mean;
  if (IsFirst)
    C.Random = (Threads.fetch_add(1, std::memory_order_relaxed) + 1) * 0x9E3779B97F4A7C15ull;
  C.Left = nextDistance(C, meanNow());
  if (IsFirst || !Data || !Bytes)
    return;
  if (heapSampled(Data, standsFor(Bytes, Mean), Caller))
    Chosen.fetch_add(1, std::memory_order_relaxed);
}

} // namespace tensorleak::probe
