//===-- UnifiedDiff.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/changes/Changes.h"

#include <cstdio>
#include <istream>
#include <stdexcept>

namespace tensorleak {
namespace {

/// The byte that a backslash and what follows stand for, in git's quoted names.
char readEscape(const std::string &Text, size_t &At) {
  constexpr std::string_view Letters = "abtnvfr", Bytes = "\a\b\t\n\v\f\r";
  char C = Text[At++];
  if (C < '0' || C > '7') {
    size_t Letter = Letters.find(C);
    return Letter == Letters.npos ? C : Bytes[Letter];
  }
  size_t End = std::min(At + 2, Text.size());
  int Value = std::stoi(Text.substr(At - 1, End - At + 1), nullptr, 8);
  At = End;
  return static_cast<char>(Value);
}

/// What stands behind --- and +++: a name, perhaps quoted, perhaps with a time behind a tab.
std::string fileName(const std::string &Text) {
  if (Text.empty() || Text.front() != '"')
    return Text.substr(0, Text.find('\t'));
  std::string Out;
  for (size_t At = 1; At < Text.size() && Text[At] != '"';) {
    char C = Text[At++];
    Out += C == '\\' && At < Text.size() ? readEscape(Text, At) : C;
  }
  return Out;
}

bool beginsWith(const std::string &Text, std::string_view Prefix) {
  return Text.compare(0, Prefix.size(), Prefix) == 0;
}

class DiffReader {
public:
  Changes read(std::istream &In);

private:
  void header(const std::string &Line);
  void openHunk(const std::string &Line);
  void inHunk(const std::string &Line);
  void endBlock();

  Changes Out;
  ChangedFile *File = nullptr;
  unsigned OldLeft = 0, NewLeft = 0; ///< lines of the hunk that are still to come
  unsigned Next = 0;                 ///< the number of the next line of the new file
  unsigned Removed = 0, Added = 0;   ///< since the last line that is in both files
  bool IsDiff = false;
};

/// What is replaced is new text; only what is removed for nothing leaves a gap.
void DiffReader::endBlock() {
  if (Added)
    File->Written.push_back({"", Next - Added, Next - 1});
  else if (Removed)
    File->RemovedAt.push_back(Next - 1);
  Added = Removed = 0;
}

void DiffReader::openHunk(const std::string &Line) {
  if (!File)
    throw std::runtime_error("has a hunk without the name of its file ('+++')");
  unsigned OldBegin = 0, OldCount = 1, NewBegin = 0, NewCount = 1;
  const char *Text = Line.c_str();
  if (std::sscanf(Text, "@@ -%u,%u +%u,%u @@", &OldBegin, &OldCount, &NewBegin, &NewCount) != 4) {
    OldCount = NewCount = 1;
    if (std::sscanf(Text, "@@ -%u +%u,%u @@", &OldBegin, &NewBegin, &NewCount) != 3 &&
        std::sscanf(Text, "@@ -%u,%u +%u @@", &OldBegin, &OldCount, &NewBegin) != 3 &&
        std::sscanf(Text, "@@ -%u +%u @@", &OldBegin, &NewBegin) != 2)
      throw std::runtime_error("has a line that is no hunk of a unified diff: '" + Line + "'");
  }
  OldLeft = OldCount;
  NewLeft = NewCount;
  Next = NewCount ? NewBegin : NewBegin + 1;
}

void DiffReader::inHunk(const std::string &Line) {
  char Kind = Line.empty() ? ' ' : Line.front();
  if (Kind == '\\') // No newline at end of file
    return;
  if (Kind == '-') {
    ++Removed;
    --OldLeft;
  } else if (Kind == '+') {
    ++Added;
    ++Next;
    --NewLeft;
  } else {
    endBlock();
    ++Next;
    --OldLeft;
    --NewLeft;
  }
  if (!OldLeft && !NewLeft)
    endBlock();
}

void DiffReader::header(const std::string &Line) {
  IsDiff |= beginsWith(Line, "diff ") || beginsWith(Line, "Index: ");
  if (beginsWith(Line, "@@@"))
    throw std::runtime_error("is the combined diff of a merge; give one against a single commit");
  if (beginsWith(Line, "+++ ")) {
    std::string Name = fileName(Line.substr(4));
    File = Name == "/dev/null" ? nullptr : &Out[Name];
    IsDiff = true;
  } else if (beginsWith(Line, "@@ ") && File) {
    openHunk(Line);
  }
}

Changes DiffReader::read(std::istream &In) {
  bool Empty = true;
  for (std::string Line; std::getline(In, Line);) {
    if (!Line.empty() && Line.back() == '\r')
      Line.pop_back();
    Empty &= Line.empty();
    if (File && (OldLeft || NewLeft))
      inHunk(Line);
    else
      header(Line);
  }
  if (!Empty && !IsDiff)
    throw std::runtime_error("is no unified diff; make one with git diff, or with diff -u");
  return std::move(Out);
}

} // namespace

Changes readUnifiedDiff(std::istream &In) { return DiffReader().read(In); }

} // namespace tensorleak
