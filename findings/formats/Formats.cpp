//===-- Formats.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/formats/Formats.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace tensorleak {

template <typename ReportT>
static std::unique_ptr<Report> makeReport(const FindingSet &Set, ReportContext Context) {
  return std::make_unique<ReportT>(Set, std::move(Context));
}

const std::vector<Format> &allFormats() {
  static const std::vector<Format> All = {
#define TENSORLEAK_FORMAT(Class, Name, Who, Description)                                           \
  {Name, Reader::Who, Description, makeReport<Class##Report>},
#include "findings/formats/Formats.def"
  };
  return All;
}

const Format &formatNamed(std::string_view Name) {
  auto Found = std::find_if(allFormats().begin(), allFormats().end(),
                            [Name](const Format &F) { return F.Name == Name; });
  if (Found == allFormats().end())
    throw std::invalid_argument("there is no format '" + std::string(Name) + "'");
  return *Found;
}

void writeFile(const Report &R, const std::string &Path) {
  std::ofstream Out(Path, std::ios::binary);
  R.write(Out);
  Out.close();
  if (!Out)
    throw std::runtime_error("'" + Path + "' cannot be written completely; is the disk full?");
}

} // namespace tensorleak
