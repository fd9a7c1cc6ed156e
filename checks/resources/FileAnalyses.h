//===-- FileAnalyses.h - All analyses of one file -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the rules and the exported facts ask. Each analysis is computed at most once, and
// only when something asks for it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_FILEANALYSES_H
#define TENSORLEAK_CHECKS_RESOURCES_FILEANALYSES_H

#include "checks/flow/Unit.h"
#include "checks/resources/records/DestroyedAsBase.h"
#include "checks/resources/records/RecordOwnership.h"

namespace tensorleak {

class FileAnalyses {
public:
  FileAnalyses(clang::ASTContext &Context, llvm::ArrayRef<clang::Decl *> Decls,
               const AnalyzerOptions &Options, AnalyzerStats &Stats)
      : TheUnit(Context, Decls, Options, Stats) {}

  Unit &unit() { return TheUnit; }
  const ResourceUnit &resources();
  const RecordUses &recordUses();
  const std::vector<ForgottenResource> &forgotten();
  const std::vector<DestroyedAsBase> &destroyedAsBase();

private:
  Unit TheUnit;
  std::optional<ResourceUnit> Resources;
  std::optional<RecordUses> Uses; ///< refers to Resources
  std::optional<std::vector<ForgottenResource>> Forgotten;
  std::optional<std::vector<DestroyedAsBase>> Destroyed;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FILEANALYSES_H
