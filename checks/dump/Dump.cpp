//===-- Dump.cpp -----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/dump/Dump.h"

#include "checks/dump/Sections.h"
#include "checks/dump/Words.h"
#include "checks/resources/FileAnalyses.h"

using namespace clang;

namespace tensorleak {
namespace {

class Dumper {
public:
  Dumper(Unit &U, const ResourceUnit &Resources, const DumpRequest &Request, llvm::raw_ostream &Out)
      : U(U), Resources(Resources), Request(Request), Out(Out) {}

  void run() {
    for (const FunctionUnit &F : U.functions())
      if (nameOf(F).find(Request.Filter) != std::string::npos)
        dumpFunction(F);
  }

private:
  static std::string nameOf(const FunctionUnit &F) {
    return F.Facts->Function->getQualifiedNameAsString();
  }

  const FunctionResources *resourcesOf(const FunctionUnit &F) const {
    for (const auto &R : Resources.functions())
      if (R->Facts.Function == F.Facts->Function)
        return R.get();
    return nullptr;
  }

  void dumpFunction(const FunctionUnit &F) {
    const SourceManager &SM = U.context().getSourceManager();
    Out << placeInSource(F.Facts->Function->getLocation(), SM) << ": function " << nameOf(F)
        << '\n';
    const FunctionResources *R = resourcesOf(F);
    if (Request.Facts)
      dumpFacts(F, R);
    if (Request.Flow)
      dumpFlow(F, R);
  }

  void dumpFacts(const FunctionUnit &F, const FunctionResources *R) {
    dumpCalls(U, Resources.model(), F, Out);
    dumpEvents(U, F, Out);
    if (R)
      dumpResourceEvents(U, *R, Out);
  }

  void dumpFlow(const FunctionUnit &F, const FunctionResources *R) {
    dumpState(U, F, Out);
    dumpFates(U, F, Out);
    if (R)
      dumpResourceFlow(U, *R, Out);
  }

  Unit &U;
  const ResourceUnit &Resources;
  const DumpRequest &Request;
  llvm::raw_ostream &Out;
};

} // namespace

std::string dump(ASTContext &Context, llvm::ArrayRef<Decl *> Decls, const AnalyzerOptions &Options,
                 const DumpRequest &Request) {
  AnalyzerStats Stats;
  BudgetRecorder Recorder(Stats.OverBudget, Options.Limits);
  FileAnalyses All(Context, Decls, Options, Stats);
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  Dumper(All.unit(), All.resources(), Request, Out).run();
  Out.flush();
  return Text;
}

} // namespace tensorleak
