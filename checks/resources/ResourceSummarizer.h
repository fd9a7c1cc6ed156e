//===-- ResourceSummarizer.h - From a function's dataflow to its summary ---===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_RESOURCESUMMARIZER_H
#define TENSORLEAK_CHECKS_RESOURCES_RESOURCESUMMARIZER_H

#include "checks/resources/ResourceState.h"

namespace tensorleak {

/// Told of everything by ResourceFlow; keeps what callers can see.
class ResourceSummarizer {
public:
  ResourceSummarizer(const ResourceFacts &Facts, ResourceSummary &Out) : Facts(Facts), Out(Out) {}

  void release(const ResourceEvent &E, const HeldValues &Values);
  void escape(const ResourceEvent &E, HeldValue V);
  void view(HeldValue V);
  void treeEscape(PathId P);
  void rotate(llvm::ArrayRef<PathId> Places);
  void returned(HeldValue V, llvm::ArrayRef<Step> Part);
  /// The state at one way out, which ends with \p At.
  void exit(const clang::Stmt *At, const ResourceState &S, ResourceTransfer &Transfer);
  /// After all ways out: what the function keeps only where its result says so.
  void judgeAccepted();
  /// After all ways out: what it returns, and what it has left there.
  void judgeReturned();
  /// A way out that may not have come by some that are taken on others.
  void passBy(llvm::function_ref<bool(SiteId)> MayBeMissing);
  /// Whether the return \p At gives zero; nothing where it gives no constant.
  static std::optional<bool> isZero(const clang::Stmt *At, clang::ASTContext &Context);

private:
  std::optional<RelativeResourcePath> relative(PathId P) const;
  void take(RelativeResourcePath Where, SiteId Id, bool Maybe);
  void stored(PathId P, HeldValue V);
  void judgeGetters();
  std::optional<bool> acceptingAnswer(HeldValue V) const;

  /// What one way out returns, and what has become of what the function was given.
  struct Answer {
    std::optional<bool> IsZero;
    HeldValues Kept, Null;
  };
  void addAnswers(const clang::Stmt *At, const ResourceState &S, HeldValues Kept);

  const ResourceFacts &Facts;
  ResourceSummary &Out;
  std::vector<Answer> Answers;
  std::vector<std::pair<PathId, ResourceSummary::Stored>> Returned;
  std::set<PathId> Replaced; ///< some way out leaves another value there
  bool AnyExit = false;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_RESOURCESUMMARIZER_H
