//===-- Outputs.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/parse/Outputs.h"

using namespace clang;

namespace tensorleak {

void dropOutputs(CompilerInvocation &Invocation) {
  Invocation.getDependencyOutputOpts() = DependencyOutputOptions();
  Invocation.getCodeGenOpts() = CodeGenOptions();
  FrontendOptions &Frontend = Invocation.getFrontendOpts();
  for (std::string *File : {&Frontend.OutputFile, &Frontend.StatsFile, &Frontend.TimeTracePath})
    File->clear();
  DiagnosticOptions &Diagnostics = Invocation.getDiagnosticOpts();
  Diagnostics.DiagnosticLogFile.clear();
  Diagnostics.DiagnosticSerializationFile.clear();
}

} // namespace tensorleak
