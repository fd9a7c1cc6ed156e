//===-- Budgets.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/Budgets.h"

#include "clang/AST/Decl.h"

namespace tensorleak {
namespace {

enum class Cuts : uint8_t { Function, Answer, Meaning };

struct Properties {
  const char *Name;
  size_t Limit;
  Cuts What;
  const char *Words;
};

constexpr Properties Table[] = {
#define BUDGET(Name, Limit, What, Words) {#Name, Limit, Cuts::What, Words},
#include "checks/Budgets.def"
};

const Properties &of(Budget B) { return Table[unsigned(B)]; }

/// One analysis runs on one thread from its beginning to its end.
thread_local BudgetRecorder *Recorder = nullptr;

} // namespace

const char *nameOf(Budget B) { return of(B).Name; }

bool cutsFunction(Budget B) { return of(B).What == Cuts::Function; }

std::string describe(Budget B) {
  return "more than " + std::to_string(of(B).Limit) + " " + of(B).Words;
}

/// Where none are given, the caller's are a temporary that the recorder outlives.
static const BudgetLimits NoLimits;

BudgetRecorder::BudgetRecorder(BudgetUse &Into, const BudgetLimits &Limits)
    : Into(Into), Limits(Limits.empty() ? NoLimits : Limits), Outer(Recorder) {
  Recorder = this;
}

BudgetRecorder::~BudgetRecorder() { Recorder = Outer; }

FunctionAtHand::FunctionAtHand(const clang::FunctionDecl &F) : In(Recorder) {
  if (!In)
    return;
  Before = In->At;
  In->At = &F;
}

FunctionAtHand::~FunctionAtHand() {
  if (In)
    In->At = Before;
}

size_t limitOf(Budget B) {
  if (Recorder)
    if (auto It = Recorder->Limits.find(B); It != Recorder->Limits.end())
      return It->second;
  return of(B).Limit;
}

bool isOver(Budget B, size_t Used) {
  if (Used <= limitOf(B))
    return false;
  if (Recorder && of(B).What != Cuts::Meaning)
    Recorder->Into[B].insert(Recorder->At ? Recorder->At->getQualifiedNameAsString() : "");
  return true;
}

} // namespace tensorleak
