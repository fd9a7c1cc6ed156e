//===-- Growth.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/growth/Growth.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tensorleak {
namespace {

/// The trend test and the slope are quadratic; longer series are thinned.
constexpr size_t MaxTrendPoints = 400;

/// A trend at the 1% level.
constexpr double SignificantTrend = 2.33;

std::vector<int64_t> afterWarmUp(const std::vector<int64_t> &Values) {
  return {Values.begin() + warmUpSteps(static_cast<uint32_t>(Values.size())), Values.end()};
}

size_t thinningStride(size_t Size) { return (Size + MaxTrendPoints - 1) / MaxTrendPoints; }

/// Every n-th value, so that at most MaxTrendPoints remain.
std::vector<int64_t> thinned(const std::vector<int64_t> &Values) {
  size_t Stride = std::max<size_t>(1, thinningStride(Values.size()));
  std::vector<int64_t> Out;
  for (size_t I = 0; I < Values.size(); I += Stride)
    Out.push_back(Values[I]);
  return Out;
}

/// Ties shrink the variance of the Mann-Kendall sum.
double varianceWithTies(const std::vector<int64_t> &Values) {
  auto Term = [](double N) { return N * (N - 1) * (2 * N + 5); };
  std::map<int64_t, size_t> Count;
  for (int64_t V : Values)
    ++Count[V];
  double Sum = Term(static_cast<double>(Values.size()));
  for (const auto &[Value, N] : Count)
    Sum -= Term(static_cast<double>(N));
  return Sum / 18;
}

/// The two halves after the warm-up.
struct Window {
  uint32_t Begin, Middle, End;
  explicit Window(uint32_t Steps)
      : Begin(warmUpSteps(Steps)), Middle((Begin + Steps) / 2), End(Steps) {}
};

size_t birthsIn(const SiteSeries &S, uint32_t From, uint32_t To) {
  auto First = std::lower_bound(S.BirthsAlive.begin(), S.BirthsAlive.end(), From);
  auto Last = std::lower_bound(First, S.BirthsAlive.end(), To);
  return static_cast<size_t>(Last - First);
}

/// What was born in the last two steps may be freed in the next.
constexpr uint32_t StillYoung = 2;

struct HalfBirths {
  size_t First, Second;
};

HalfBirths survivingBirths(const SiteSeries &S) {
  Window W(S.steps());
  uint32_t Grown = std::max(W.Middle, W.End - std::min(W.End, StillYoung));
  return {birthsIn(S, W.Begin, W.Middle), birthsIn(S, W.Middle, Grown)};
}

/// So many standard deviations below what is expected happen by chance in one of a hundred
/// cases.
constexpr double Rare = 2.33;

/// Steps survive at the same rate in a leak from its first step on. A cache has most of
/// its entries from the warm-up.
bool mostAreFromWarmUp(const SiteSeries &S, const HalfBirths &B) {
  double After = static_cast<double>(B.First + B.Second);
  double All = After + static_cast<double>(birthsIn(S, 0, Window(S.steps()).Begin));
  constexpr double Share = 2. / 3;
  return After < All * Share - Rare * std::sqrt(All * Share * (1 - Share));
}

/// Less than 0.6 of the first half's survivors in the second: it fills up.
bool generationsSlow(const SiteSeries &S) {
  HalfBirths B = survivingBirths(S);
  return 10 * B.Second < 6 * B.First || mostAreFromWarmUp(S, B);
}

/// From each step on, the least that it comes to again.
std::vector<int64_t> lasting(std::vector<int64_t> Values) {
  for (size_t I = Values.size(); I-- > 1;)
    Values[I - 1] = std::min(Values[I - 1], Values[I]);
  return Values;
}

/// What waits for a thread that begins late is many at first, and gone later: then what lasts
/// tells whether the survivors become more. It does so by most of those that are born; where some
/// go and others come it stays what it is.
bool lastingRises(const SiteSeries &S, const HalfBirths &B) {
  Window W(S.steps());
  std::vector<int64_t> Lasting = lasting(S.Generations);
  int64_t First = Lasting[W.Middle] - Lasting[W.Begin];
  int64_t Second = Lasting[W.End - 1] - Lasting[W.Middle];
  return 4 * First >= 3 * static_cast<int64_t>(B.First) &&
         4 * Second >= 3 * static_cast<int64_t>(B.Second);
}

bool countRises(const SiteSeries &S) {
  Window W(S.steps());
  const std::vector<int64_t> &G = S.Generations;
  return G[W.End - 1] > G[W.Middle] && G[W.Middle] > G[W.Begin];
}

/// New highs after the warm-up.
struct Rises {
  uint32_t Count = 0, Begin, Last, End; ///< steps, but for the count
};

Rises risesOf(const std::vector<int64_t> &Values) {
  uint32_t Steps = static_cast<uint32_t>(Values.size()), Begin = warmUpSteps(Steps);
  Rises Out{0, Begin, Begin, Steps - 1};
  int64_t High = *std::max_element(Values.begin(), Values.begin() + Begin + 1);
  for (uint32_t I = Begin + 1; I < Steps; ++I)
    if (Values[I] > High) {
      High = Values[I];
      Out.Last = I;
      ++Out.Count;
    }
  return Out;
}

/// A count that rises does so at some rate. No new high for so long that chance explains
/// it in one of a hundred cases only: it has stopped, as a buffer does that is full.
bool stoppedRising(const std::vector<int64_t> &Values) {
  constexpr double OneOfAHundred = 4.6; // -ln(0.01)
  Rises R = risesOf(Values);
  return R.Count * double(R.End - R.Last) > OneOfAHundred * double(R.Last - R.Begin) && R.Count;
}

/// The bytes gained in the second half against those of the first.
bool bytesSlow(const SiteSeries &S) {
  Window W(S.steps());
  int64_t First = S.Bytes[W.Middle] - S.Bytes[W.Begin];
  int64_t Second = S.Bytes[W.End - 1] - S.Bytes[W.Middle];
  return First > 0 && 10 * Second < 6 * First;
}

} // namespace

uint32_t warmUpSteps(uint32_t Steps) { return Steps / 3; }

bool generationsRise(const SiteSeries &S) {
  HalfBirths B = survivingBirths(S);
  return B.First >= 2 && B.Second >= 2 && (countRises(S) || lastingRises(S, B));
}

/// Of generations that rise.
static bool generationsStop(const SiteSeries &S) {
  return generationsSlow(S) ||
         stoppedRising(countRises(S) ? S.Generations : lasting(S.Generations));
}

bool troughRises(const SiteSeries &S) {
  std::vector<int64_t> Judged = afterWarmUp(S.Bytes);
  constexpr uint32_t MinRises = 5; // a cache may still take in one or two
  if (mannKendall(Judged) <= SignificantTrend || risesOf(S.Bytes).Count < MinRises)
    return false;
  Window W(S.steps());
  uint32_t Tail = std::max<uint32_t>(3, W.End / 10);
  int64_t EndLow = *std::min_element(S.Bytes.end() - Tail, S.Bytes.end());
  auto [Low, High] = std::minmax_element(S.Bytes.begin() + W.Begin,
                                         S.Bytes.begin() + std::max(W.End / 2, W.Begin + 1));
  // What goes up and down by itself must be left behind by more than that.
  return EndLow > *High + (*High - *Low);
}

Growth judge(const SiteSeries &S) {
  if (S.steps() < MinStepsToJudge)
    return Growth::TooShort;
  bool Generations = generationsRise(S), Trough = troughRises(S);
  if (!Generations && !Trough)
    return Growth::Bounded;
  bool Slows = Generations ? generationsStop(S) : bytesSlow(S);
  return Slows ? Growth::Slowing : Growth::Growing;
}

double mannKendall(const std::vector<int64_t> &All) {
  std::vector<int64_t> Values = thinned(All);
  double Variance = varianceWithTies(Values);
  if (Variance <= 0)
    return 0;
  double Sum = 0;
  for (size_t I = 0; I < Values.size(); ++I)
    for (size_t J = I + 1; J < Values.size(); ++J)
      Sum += (Values[J] > Values[I]) - (Values[J] < Values[I]);
  double Continuity = (Sum > 0) - (Sum < 0);
  return (Sum - Continuity) / std::sqrt(Variance);
}

double theilSen(const std::vector<int64_t> &All) {
  std::vector<int64_t> Values = thinned(All);
  double Stride = static_cast<double>(std::max<size_t>(1, thinningStride(All.size())));
  std::vector<double> Slopes;
  for (size_t I = 0; I < Values.size(); ++I)
    for (size_t J = I + 1; J < Values.size(); ++J)
      Slopes.push_back(static_cast<double>(Values[J] - Values[I]) /
                       (static_cast<double>(J - I) * Stride));
  if (Slopes.empty())
    return 0;
  auto Median = Slopes.begin() + static_cast<std::ptrdiff_t>(Slopes.size() / 2);
  std::nth_element(Slopes.begin(), Median, Slopes.end());
  return *Median;
}

int64_t bytesPerStep(const std::vector<int64_t> &Bytes) {
  return std::llround(theilSen(afterWarmUp(Bytes)));
}

bool growsSteadily(const std::vector<std::pair<uint32_t, int64_t>> &Samples) {
  constexpr size_t MinSamples = 3, ManySamples = 5;
  if (Samples.size() < MinSamples)
    return false;
  // A few may rise by chance, but not by the same amount.
  const double MaxRatio = Samples.size() < ManySamples ? 1.02 : 2;
  double Least = INFINITY, Most = 0;
  for (size_t I = 1; I < Samples.size(); ++I) {
    double Slope = static_cast<double>(Samples[I].second - Samples[I - 1].second) /
                   static_cast<double>(Samples[I].first - Samples[I - 1].first);
    Least = std::min(Least, Slope);
    Most = std::max(Most, Slope);
  }
  return Least > 0 && Most <= MaxRatio * Least;
}

} // namespace tensorleak
