//===-- EmptyCacheInLoop.cpp - tensor-empty-cache-in-loop -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// emptyCache() in a loop: it frees no live tensor, and the next allocations have
// to go to the driver again.
//
//===----------------------------------------------------------------------===//
#include "checks/rules/Rules.h"

using namespace clang;

namespace tensorleak {
namespace {

class EmptyCacheChecker : FunctionChecker {
public:
  using FunctionChecker::FunctionChecker;

  void run() {
    for (const Event &E : Facts.Events)
      if (E.Kind == EventKind::EmptyCache && (E.InLoop != NoId || F.CallsInStepLoop > 0))
        report(E);
  }

private:
  bool everyStep(const Event &E) const {
    return !E.Conditional && (F.CallsInStepLoop > 0 || U.isStepLoop(F, E.InLoop));
  }

  void report(const Event &E) {
    Diagnosis D(EmptyCacheInLoop::Name, Kind::Correctness,
                everyStep(E) ? Level::Warning : Level::Note, E.At->getSourceRange(),
                "'emptyCache()' runs again and again; it frees no live tensor, and what it gives "
                "back the next step has to ask the driver for; call it once, when another program "
                "or library needs the memory");
    if (E.InLoop != NoId)
      D.Notes.push_back({Facts.Loops[E.InLoop].S->getBeginLoc(), "the loop is here"});
    D.Subject.Loop = rangeOfLoop(Facts, E.InLoop);
    Out.push_back(std::move(D));
  }
};

} // namespace

void EmptyCacheInLoop::check(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  checkFunctions<EmptyCacheChecker>(File.unit(), Out);
}

} // namespace tensorleak
