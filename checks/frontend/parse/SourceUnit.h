//===-- SourceUnit.h - Parses one compile command, runs the rules on it ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. One unit is one compile command: parsed as a prefix, without
// the bodies of foreign functions, with the user's templates instantiated, and
// handed to the analyses.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PARSE_SOURCEUNIT_H
#define TENSORLEAK_CHECKS_FRONTEND_PARSE_SOURCEUNIT_H

#include "checks/Analyzer.h"
#include "checks/DumpRequest.h"
#include "checks/frontend/cache/FileStates.h"
#include "checks/frontend/commands/Flags.h"
#include "findings/FindingSet.h"
#include <memory>
#include <string>

namespace tensorleak {

/// Whose declarations of CUDA a unit was read with.
enum class CudaHeaders : uint8_t {
  NotOurs,        ///< a toolkit's, or none
  Bundled,        ///< our own
  BundledInstead, ///< our own, with which there are fewer errors than with the toolkit's
};

/// How a unit takes part in its project.
struct ProjectContext {
  ProjectView *View = nullptr; ///< null: it is alone
};

struct UnitResult {
  std::vector<Finding> Findings;
  std::map<std::string, std::string> SourceHashes;
  /// Why the unit is not wholly analysed, in one sentence; "" when it is.
  std::string Incomplete;
  CudaHeaders Cuda = CudaHeaders::NotOurs;
  bool ReadsToolkit = false; ///< of UnitOptions::Toolkit
  bool LacksPython = false;  ///< it was read with our declarations of pybind11
  size_t ErrorCount = 0;
  FileFacts Facts;   ///< what it exports to the rest of its project
  std::string Reads; ///< what was asked of the file system for all this, see FileStates.h
  bool Crashed = false;
  AnalyzerStats Stats;
  std::string Dump; ///< what UnitOptions::Dump asks for
};

struct UnitOptions {
  AnalyzerOptions Analysis;
  bool UseCache = true;
  std::shared_ptr<FileStates> States; ///< one for all units; needed where the cache is used
  DumpRequest Dump;
  std::string Toolkit; ///< the CUDA toolkit whose headers are added; "" for none
};

UnitResult checkUnit(const SourceUnit &TheUnit, const UnitOptions &Options,
                     const ProjectContext &Context = {});

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PARSE_SOURCEUNIT_H
