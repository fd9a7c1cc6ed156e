//===-- StatusArea.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sequences are those of the VT100, which every terminal emulator knows. The cursor is
// put back where the program had it; each change is one write.
//
//===----------------------------------------------------------------------===//
#include "live/StatusArea.h"

#include "findings/files/Printable.h"

#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace tensorleak {
namespace {

constexpr size_t MinRowsAbove = 4;

struct Size {
  size_t Rows = 0, Columns = 0;
};

Size terminalSize() {
  winsize Window{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &Window) != 0)
    return {};
  return {Window.ws_row, Window.ws_col};
}

constexpr const char *SaveCursor = "\0337", *RestoreCursor = "\0338", *ClearLine = "\033[K",
                     *Down = "\033D"; ///< in the same column, and scrolls if need be

std::string atRow(size_t Row) { return "\033[" + std::to_string(Row) + ";1H"; }

std::string scrollOnly(size_t First, size_t Last) {
  return "\033[" + std::to_string(First) + ";" + std::to_string(Last) + "r";
}

void put(const std::string &Text) {
  [[maybe_unused]] ssize_t Written = write(STDERR_FILENO, Text.data(), Text.size());
}

/// Without a half of a character at its end.
std::string cutTo(const std::string &Text, size_t Columns) {
  if (Text.size() <= Columns)
    return Text;
  size_t End = Columns;
  while (End && (static_cast<unsigned char>(Text[End]) & 0xc0) == 0x80)
    --End;
  return Text.substr(0, End);
}

} // namespace

bool StatusArea::isPossible() {
  const char *Terminal = std::getenv("TERM");
  bool Dumb = !Terminal || !*Terminal || std::string_view(Terminal) == "dumb";
  // In the background we would be stopped for writing.
  return !Dumb && isatty(STDERR_FILENO) == 1 && tcgetpgrp(STDERR_FILENO) == getpgrp();
}

size_t StatusArea::room() {
  size_t Rows = terminalSize().Rows;
  return Rows > MinRowsAbove ? (Rows - MinRowsAbove) / 2 + 1 : 0;
}

StatusArea::~StatusArea() { giveBack(); }

void StatusArea::reserve(size_t Wanted, size_t OfRows) {
  giveBack();
  Lines = Wanted;
  Rows = OfRows;
  std::string Text;
  for (size_t I = 0; I < Lines; ++I)
    Text += Down;
  put(Text + SaveCursor + scrollOnly(1, Rows - Lines) + RestoreCursor + "\033[" +
      std::to_string(Lines) + "A");
}

void StatusArea::giveBack() {
  if (!Lines)
    return;
  std::string Text = SaveCursor + scrollOnly(1, Rows);
  for (size_t Row = Rows - Lines + 1; Row <= Rows; ++Row)
    Text += atRow(Row) + ClearLine;
  put(Text + RestoreCursor);
  Lines = 0;
}

void StatusArea::show(const std::vector<std::string> &Wanted) {
  Size Now = terminalSize();
  if (Wanted.empty() || Wanted.size() > room() || !isPossible())
    return giveBack();
  if (Wanted.size() > Lines || Now.Rows != Rows)
    reserve(Wanted.size(), Now.Rows);
  std::string Text = SaveCursor;
  for (size_t I = 0; I < Lines; ++I)
    Text += atRow(Rows - Lines + 1 + I) +
            (I < Wanted.size() ? cutTo(printable(Wanted[I]), Now.Columns - 1) : "") + ClearLine;
  put(Text + RestoreCursor);
}

} // namespace tensorleak
