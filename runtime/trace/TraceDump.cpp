//===-- TraceDump.cpp - A trace as text -----------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line per record, for tests and for people who work on the probe. Not a
// report: nothing is symbolized or judged.
//
//===----------------------------------------------------------------------===//
#include "runtime/trace/Reader.h"

#include <cstdio>
#include <iostream>
#include <type_traits>

using namespace tensorleak::trace;

namespace {

/// The archive that prints fields instead of coding them.
class FieldPrinter {
public:
  template <typename... Ts> void operator()(const Ts &...Fields) { (put(Fields), ...); }

private:
  void put(const std::string &S) { std::cout << " \"" << S << '"'; }
  template <typename T> void put(const std::vector<T> &List) {
    std::cout << " [";
    for (const T &Element : List)
      put(Element);
    std::cout << " ]";
  }
  template <typename T> void put(const T &V) {
    if constexpr (std::is_enum_v<T> || std::is_integral_v<T>)
      std::cout << ' ' << int64_t(V);
    else
      T::fields(V, *this);
  }
};

class DumpVisitor : public TraceVisitor {
public:
  void visit(const Process &R) override { print("process", R); }
  void visit(const Module &R) override {
    Module Readable = R;
    Readable.BuildId = hex(R.BuildId);
    print("module", Readable);
  }
  void visit(const Stack &R) override {
    std::cout << "stack " << R.Id << std::hex;
    for (uint64_t Frame : R.Frames)
      std::cout << " 0x" << Frame;
    std::cout << std::dec << '\n';
  }
  void visit(const OpName &R) override { print("op", R); }
  void visit(const Site &R) override { print("site", R); }
  void visit(const Born &R) override { print("born", R); }
  void visit(const Died &R) override { print("died", R); }
  void visit(const SiteCounters &R) override { print("counters", R); }
  void visit(const SitePulse &R) override { print("pulse", R); }
  void visit(const Boundary &R) override { print("boundary", R); }
  void visit(const HostHeap &R) override { print("heap", R); }
  void visit(const PeakSnapshot &R) override { print("peak", R); }
  void visit(const HookState &R) override { print("hook", R); }
  void visit(const PointState &R) override { print("point", R); }
  void visit(const NodeClass &R) override { print("class", R); }
  void visit(const Census &R) override { print("census", R); }
  void visit(const OutOfMemory &R) override { print("oom", R); }
  void visit(const Optimizer &R) override { print("optimizer", R); }
  void visit(const End &R) override { print("end", R); }
  void visit(const Setting &R) override { print("setting", R); }
  void visit(const HolderPath &R) override { print("holder", R); }
  void visit(const Search &R) override { print("search", R); }
  void visit(const GraphCycles &R) override { print("cycles", R); }
  void visit(const CycleSample &R) override { print("cycle", R); }
  void visit(const PythonLines &R) override { print("python", R); }
  void visit(const DeviceMemory &R) override { print("pool", R); }
  void visit(const LiveMemory &R) override { print("live", R); }
  void visit(const Symbol &R) override { print("symbol", R); }
  void visit(const Expected &R) override { print("expected", R); }
  void visit(const Assertion &R) override { print("assertion", R); }
  void visit(const ThreadEnd &R) override { print("thread-end", R); }

private:
  template <typename R> static void print(const char *Name, const R &Record) {
    std::cout << Name;
    FieldPrinter P;
    R::fields(Record, P);
    std::cout << '\n';
  }
  static std::string hex(const std::string &Raw) {
    std::string Text;
    char Two[3];
    for (unsigned char C : Raw) {
      std::snprintf(Two, sizeof(Two), "%02x", C);
      Text += Two;
    }
    return Text;
  }
};

} // namespace

int main(int Argc, char **Argv) {
  if (Argc != 2) {
    std::cerr << "usage: tensorleak-trace-dump TRACE\n";
    return 2;
  }
  DumpVisitor Visitor;
  ReadResult Result = readTrace(Argv[1], Visitor);
  if (!Result) {
    std::cerr << "tensorleak-trace-dump: " << Result.Error << '\n';
    return 2;
  }
  const Totals &Now = Result.Now;
  std::cout << "totals tick=" << Now.Tick << " generation=" << Now.Generation
            << " allocations=" << Now.Allocations << " frees=" << Now.Frees
            << " unknown-frees=" << Now.UnknownFrees << " ops=" << Now.Ops
            << " nodes-made=" << Now.NodesMade << " nodes-freed=" << Now.NodesFreed
            << " flags=" << Result.Flags << " torn=" << Result.Torn
            << " complete=" << Result.Complete << '\n';
  return 0;
}
