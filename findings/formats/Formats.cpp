//===-- Formats.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/formats/Formats.h"
#include "findings/files/ReplaceFile.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

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

/// Where nothing new may stand beside it, a file of the user's can only be written over.
static void writeOver(const std::string &Path, const std::string &Text) {
  std::ofstream Out(Path, std::ios::binary);
  Out << Text;
  Out.close();
  if (!Out)
    throw std::runtime_error("'" + Path + "' cannot be written completely; is the disk full?");
}

static bool mayAddTo(const std::filesystem::path &Folder) {
  return access(Folder.empty() ? "." : Folder.c_str(), W_OK) == 0;
}

void writeFile(const Report &R, const std::string &Path) {
  std::ostringstream Text;
  R.write(Text);
  if (!mayAddTo(std::filesystem::path(Path).parent_path()))
    return writeOver(Path, Text.str());
  try {
    replaceFile(Path, Text.str());
  } catch (const std::system_error &E) {
    throw std::runtime_error("'" + Path + "' is left as it was: " + E.code().message());
  }
}

} // namespace tensorleak
