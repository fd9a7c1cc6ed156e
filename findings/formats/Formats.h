//===-- Formats.h - Reports in any format -----------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every format is a class that has all that it may need and writes itself to a stream.
// The registry is Formats.def.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_FORMATS_FORMATS_H
#define TENSORLEAK_FINDINGS_FORMATS_FORMATS_H

#include "findings/FindingSet.h"
#include "findings/Sarif.h"
#include "findings/files/FileUri.h"

#include <iosfwd>
#include <memory>

namespace tensorleak {

/// What a report may need beside its findings.
struct ReportContext {
  bool Color = false;
  std::string Folder;  ///< where the tool works, absolute; paths below it may be short
  std::string Summary; ///< lines on the run as a whole, for people
  SarifContext Sarif = {};
  unsigned Width = 0; ///< of the terminal, at which sentences are wrapped; 0 where there is none
};

/// A report in one format.
class Report {
public:
  /// \p Set lives longer than the report.
  Report(const FindingSet &Set, ReportContext Context) : Set(Set), Context(std::move(Context)) {}
  virtual ~Report() = default;
  virtual void write(std::ostream &Out) const = 0;

protected:
  const FindingSet &Set;
  ReportContext Context;
};

#define TENSORLEAK_FORMAT(Class, FormatName, Reader, Description)                                  \
  class Class##Report : public Report {                                                            \
  public:                                                                                          \
    static constexpr char Name[] = FormatName;                                                     \
    using Report::Report;                                                                          \
    void write(std::ostream &Out) const override;                                                  \
  };
#include "findings/formats/Formats.def"

/// Who reads a format.
enum class Reader { People, Machines };

/// A line of the registry.
struct Format {
  std::string_view Name;
  Reader ReadBy;
  std::string_view Description;
  std::unique_ptr<Report> (*Make)(const FindingSet &Set, ReportContext Context);
};

/// In the order of the registry.
const std::vector<Format> &allFormats();

/// \p Name is that of a format.
const Format &formatNamed(std::string_view Name);

/// Writes a report to a file. \throws std::runtime_error with one clear sentence that
/// names the file.
void writeFile(const Report &R, const std::string &Path);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_FORMATS_FORMATS_H
