//===-- SourceLines.h - The lines of source files -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_FILES_SOURCELINES_H
#define TENSORLEAK_FINDINGS_FILES_SOURCELINES_H

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tensorleak {

/// Source files, each read once.
class SourceLines {
public:
  /// The content of a file; "" where there is none. A test brings its own.
  using Reader = std::function<std::string(const std::string &File)>;
  explicit SourceLines(Reader Read = readSource) : Read(std::move(Read)) {}
  SourceLines(SourceLines &&) = default; // a copy's lines would lie in the first one's texts

  /// A line without its end, counted from 1; nothing where the file has no such line, or
  /// cannot be read.
  std::optional<std::string_view> line(const std::string &File, unsigned Number);

  /// All of them.
  const std::vector<std::string_view> &lines(const std::string &File) { return source(File).Lines; }

  /// The whole file; "" where it cannot be read.
  const std::string &text(const std::string &File) { return source(File).Text; }

private:
  static std::string readSource(const std::string &File);
  struct Source {
    std::string Text;
    std::vector<std::string_view> Lines;
  };
  const Source &source(const std::string &File);

  Reader Read;
  std::map<std::string, Source> Sources;
};

/// The lines of \p Text, without their ends.
std::vector<std::string_view> linesOf(std::string_view Text);

/// Where the name or number that begins at \p Begin ends; anything else is one character.
size_t endOfWord(std::string_view Line, size_t Begin);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_FILES_SOURCELINES_H
