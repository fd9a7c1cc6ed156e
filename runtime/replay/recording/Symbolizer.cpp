//===-- Symbolizer.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/recording/Symbolizer.h"
#include "runtime/trace/UserCode.h"

#include <algorithm>

namespace tensorleak {

DebugInfo &DebugFiles::open(const std::string &Path) {
  std::unique_ptr<DebugInfo> &Entry = Files[Path];
  if (!Entry)
    Entry = std::make_unique<DebugInfo>(Path);
  return *Entry;
}

Symbolizer::Symbolizer(const std::vector<trace::Module> &TheModules, DebugFiles &Files)
    : Modules(TheModules), Files(Files) {
  std::sort(Modules.begin(), Modules.end(),
            [](const trace::Module &A, const trace::Module &B) { return A.Low < B.Low; });
}

/// Python names a script as it was called.
static std::string fileOf(const Recording &R, const std::string &Name) {
  bool IsRelative = !Name.empty() && Name.front() != '/' && Name.front() != '<';
  return IsRelative ? R.TheProcess.WorkingDirectory + '/' + Name : Name;
}

Symbolizer::Symbolizer(const Recording &R, DebugFiles &Files) : Symbolizer(R.Modules, Files) {
  for (const trace::Symbol &S : R.Symbols)
    for (const trace::SymbolFrame &F : S.Frames)
      Known[S.Address].push_back(
          {F.Function,
           {fileOf(R, F.File), static_cast<unsigned>(F.Line), static_cast<unsigned>(F.Column)}});
}

const trace::Module *Symbolizer::moduleAt(uint64_t Address) const {
  auto After = std::upper_bound(Modules.begin(), Modules.end(), Address,
                                [](uint64_t A, const trace::Module &M) { return A < M.Low; });
  if (After == Modules.begin() || std::prev(After)->High <= Address)
    return nullptr;
  return &*std::prev(After);
}

const std::vector<Frame> &Symbolizer::framesAt(uint64_t Address) {
  auto [Entry, IsNew] = Known.try_emplace(Address);
  const trace::Module *Module = IsNew ? moduleAt(Address) : nullptr;
  if (!Module || !isUserModule(Module->Path))
    return Entry->second;
  DebugInfo &Info = Files.open(Module->Path);
  std::vector<Frame> All = Info.framesAt(Address - Module->Base);
  for (Frame &F : All)
    if (isUserSource(F.Where.File))
      Entry->second.push_back(std::move(F));
  if (!All.empty())
    return Entry->second;
  if (std::string Symbol = Info.symbolAt(Address - Module->Base); !Symbol.empty())
    Entry->second.push_back({Symbol, {Module->Path, 0, 0}});
  return Entry->second;
}

std::vector<Frame> Symbolizer::framesOf(const trace::Stack &Stack, bool WithLines) {
  std::vector<Frame> Out;
  for (uint64_t ReturnAddress : Stack.Frames) {
    // The call stands before the address to which it returns.
    for (const Frame &F : framesAt(ReturnAddress - 1))
      if (Out.size() < MaxUserFrames && F.Where.isValid() == WithLines)
        Out.push_back(F);
  }
  return Out;
}

std::vector<Frame> Symbolizer::userFrames(const trace::Stack &Stack) {
  return framesOf(Stack, /*WithLines=*/true);
}

std::vector<Frame> Symbolizer::userSymbols(const trace::Stack &Stack) {
  return framesOf(Stack, /*WithLines=*/false);
}

} // namespace tensorleak
