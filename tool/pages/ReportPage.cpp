//===-- ReportPage.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "pages/ReportPage.h"
#include "Command.h"
#include "Output.h"
#include "findings/files/ReplaceFile.h"
#include "runtime/report/page/Page.h"
#include "runtime/report/page/ReportData.h"

#include <filesystem>
#include <system_error>

namespace tensorleak {

bool isPageName(const std::string &File) {
  std::string Ending = std::filesystem::path(File).extension();
  return Ending == ".html" || Ending == ".htm";
}

FindingSet findingsOf(const Job &J) {
  return J.Parts.size() == 1 ? J.Parts.front().Findings : mergeFindings(J);
}

void writeReportPage(const Job &J, const FindingSet &Findings, const std::string &File,
                     const std::optional<EarlierRun> &Before) {
  SourceText Sources;
  nlohmann::json Data = reportData(J, Findings, Sources);
  if (Before)
    Data["comparison"] = comparisonData(Before->Name, Before->TheJob, J);
  try {
    replaceFile(File, htmlPage(Data));
  } catch (const std::system_error &E) {
    throw UsageError("cannot write to '" + File + "': " + E.code().message());
  }
  sayWhere("the report for a browser is", File);
}

} // namespace tensorleak
