//===-- Text.h - Findings as Clang prints its diagnostics ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// file:line:col: warning: message [rule], the source line with a caret, and the
// path as notes. Findings of level note are remarks, so that "note:" always
// belongs to what stands above it. Editors and CI systems parse this form.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_TEXT_H
#define TENSORLEAK_FINDINGS_TEXT_H

#include "findings/Finding.h"

#include <iosfwd>
#include <map>

namespace tensorleak {

class TextWriter {
public:
  /// Paths below \p Folder (absolute, "" for none) are printed relative to it.
  TextWriter(std::ostream &Out, bool Color, std::string Folder);

  void write(const Finding &F);

private:
  void writeLine(const Location &Where, std::string_view Label, std::string_view Style,
                 const std::string &Message, const std::string &Suffix);
  void writeSource(const Location &Where);
  void writeFix(const FixIt &Fix);
  std::string shown(const std::string &Path) const;
  std::string_view style(std::string_view Code) const;
  /// The text of a source line, or nothing where the file cannot be read.
  std::optional<std::string> sourceLine(const Location &Where);

  std::ostream &Out;
  bool Color;
  std::string Folder;
  std::map<std::string, std::vector<std::string>> Sources;
};

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_TEXT_H
