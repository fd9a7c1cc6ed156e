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
      if (E.Kind == EventKind::EmptyCache &&
          (E.InLoop != NoId || F.CallsInStepLoop > 0 || objectOfRound()))
        report(E);
  }

private:
  bool everyStep(const Event &E) const {
    return !E.Conditional && (F.CallsInStepLoop > 0 || U.isStepLoop(F, E.InLoop));
  }

  /// The function is a destructor, and some loop makes an object of the class in each round.
  const ValueDecl *objectOfRound() const {
    const auto *Dtor = dyn_cast<CXXDestructorDecl>(Facts.Function);
    if (!Dtor)
      return nullptr;
    auto IsOne = [&](const ValueDecl &V, LoopId L) {
      const CXXRecordDecl *Class = V.getType()->getAsCXXRecordDecl();
      return L != NoId && Class &&
             Class->getCanonicalDecl() == Dtor->getParent()->getCanonicalDecl();
    };
    const ValueDecl *First = nullptr;
    for (const FunctionUnit &Other : U.functions())
      for (const auto &[V, L] : Other.Facts->DeclLoops)
        if (IsOne(*V, L) && (!First || V->getLocation() < First->getLocation()))
          First = V;
    return First;
  }

  void report(const Event &E) {
    Diagnosis D(EmptyCacheInLoop::Name, Kind::Correctness,
                everyStep(E) ? Level::Warning : Level::Note, E.At->getSourceRange(),
                "'emptyCache()' runs again and again; it frees no live tensor, and what it gives "
                "back the next step has to ask the driver for; call it once, when another program "
                "or library needs the memory");
    if (E.InLoop != NoId)
      D.Notes.push_back({Facts.Loops[E.InLoop].S->getBeginLoc(), "the loop is here"});
    if (const ValueDecl *Object = E.InLoop == NoId ? objectOfRound() : nullptr)
      D.Notes.push_back(
          {Object->getLocation(), "each round ends with the destructor of " + quoted(*Object)});
    D.Subject.Loop = rangeOfLoop(Facts, E.InLoop);
    Out.push_back(std::move(D));
  }
};

} // namespace

void EmptyCacheInLoop::check(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  checkFunctions<EmptyCacheChecker>(File.unit(), Out);
}

} // namespace tensorleak
