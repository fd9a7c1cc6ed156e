//===-- LastRun.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/lastrun/LastRun.h"
#include "findings/Sarif.h"
#include "findings/VerdictText.h"

#include <filesystem>
#include <functional>
#include <mutex>
#include <stdexcept>

namespace fs = std::filesystem;

namespace tensorleak {
namespace {

//===-- Which finding of the run is which of now ----------------------------===//

bool isSameRuleAndFile(const Finding &A, const Finding &B) {
  return A.Rule == B.Rule && A.Where.File == B.Where.File;
}
/// The fingerprint has the text of the line in it.
bool isSameLine(const Finding &A, const Finding &B) {
  return !A.Fingerprint.empty() && A.Fingerprint == B.Fingerprint && isSameRuleAndFile(A, B);
}
bool isSameFunction(const Finding &A, const Finding &B) {
  return !A.Function.empty() && A.Function == B.Function && isSameRuleAndFile(A, B);
}

using IsSame = bool (*)(const Finding &, const Finding &);

/// Each finding of the run speaks for one of now.
class Pairing {
public:
  Pairing(const std::vector<Finding> &Run, const std::vector<Finding> &Now)
      : Run(Run), Now(Now), Taken(Run.size()), Partners(Now.size()) {}

  void pairBy(IsSame Same) {
    for (size_t I = 0; I < Now.size(); ++I)
      if (!Partners[I])
        Partners[I] = take(Now[I], Same);
  }
  const Finding *partnerOf(size_t I) const { return Partners[I]; }

private:
  const Finding *take(const Finding &F, IsSame Same) {
    for (size_t I = 0; I < Run.size(); ++I)
      if (!Taken[I] && Run[I].TheVerdict && Same(Run[I], F)) {
        Taken[I] = true;
        return &Run[I];
      }
    return nullptr;
  }

  const std::vector<Finding> &Run, &Now;
  std::vector<bool> Taken;
  std::vector<const Finding *> Partners;
};

//===-- In words ------------------------------------------------------------===//

/// "512 KiB per step (524288 B), ..." or, where nothing was measured, why.
std::string whyOf(const Finding &F) {
  std::string Figures = describeFigures(F.TheEvidence);
  return Figures.empty() ? F.TheEvidence.Reason : Figures;
}

std::string said(const Finding &F, const std::string &When) {
  std::string Why = whyOf(F);
  return "; " + std::string(wordsFor(*F.TheVerdict)) + When + (Why.empty() ? "" : ": ") + Why;
}

std::string saidOfOtherLine(const Finding &F) {
  std::string Why = whyOf(F);
  return "; stale: " + std::string(wordsFor(*F.TheVerdict)) + " before this line changed" +
         (Why.empty() ? "" : " (" + Why + ")");
}

//===-- The files -----------------------------------------------------------===//

fs::path nearestFile(fs::path Folder) {
  std::error_code Error;
  for (;; Folder = Folder.parent_path()) {
    if (fs::path File = Folder / LastRunFolder / LastRunFile; fs::is_regular_file(File, Error))
      return File;
    if (Folder == Folder.parent_path())
      return {};
  }
}

/// Where it was made does not matter: what lies beside it is what it speaks of.
std::shared_ptr<const LastRun> read(const fs::path &File) try {
  return std::make_shared<LastRun>(
      readSarifFile(File.string(), File.parent_path().parent_path().string()));
} catch (const std::runtime_error &) {
  return nullptr; // as good as none: an editor has nowhere to say it
}

/// An editor asks at every keystroke: what was read is kept while the file is unchanged.
struct Known {
  fs::file_time_type Time;
  uintmax_t Size = 0;
  std::shared_ptr<const LastRun> Run;
};

} // namespace

std::shared_ptr<const LastRun> LastRun::around(const std::string &Source) {
  static std::mutex Lock;
  static std::map<fs::path, Known> All;
  fs::path File = nearestFile(fs::path(Source).parent_path());
  if (File.empty())
    return nullptr;
  std::error_code Error;
  fs::file_time_type Time = fs::last_write_time(File, Error);
  uintmax_t Size = fs::file_size(File, Error);
  std::lock_guard<std::mutex> Guard(Lock);
  auto [Entry, IsNew] = All.try_emplace(File);
  if (IsNew || Entry->second.Time != Time || Entry->second.Size != Size)
    Entry->second = {Time, Size, read(File)};
  return Entry->second.Run;
}

std::vector<std::string> LastRun::remarks(const std::vector<Finding> &Now,
                                          const std::map<std::string, std::string> &Hashes) const {
  Pairing Pairs(Judged.Findings, Now);
  Pairs.pairBy(isSameLine);
  Pairing Exact = Pairs;
  Pairs.pairBy(isSameFunction);
  auto IsUnchanged = [&](const std::string &File) {
    auto Then = Judged.SourceHashes.find(File), Given = Hashes.find(File);
    return Then != Judged.SourceHashes.end() &&
           Then->second == (Given == Hashes.end() ? hashFile(File) : Given->second);
  };
  std::vector<std::string> Out;
  for (size_t I = 0; I < Now.size(); ++I)
    if (const Finding *F = Exact.partnerOf(I))
      Out.push_back(said(*F, IsUnchanged(F->Where.File) ? "" : " before this file changed"));
    else if (const Finding *Other = Pairs.partnerOf(I))
      Out.push_back(saidOfOtherLine(*Other));
    else
      Out.emplace_back();
  return Out;
}

} // namespace tensorleak
