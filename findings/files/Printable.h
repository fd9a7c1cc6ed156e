//===-- Printable.h - What may be shown in a terminal ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names, source lines and messages are other people's, and a terminal obeys what it reads. So
// control characters are written as "\x1b", but for tabs and ends of lines.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_FILES_PRINTABLE_H
#define TENSORLEAK_FINDINGS_FILES_PRINTABLE_H

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace tensorleak {

std::string printable(std::string_view Text);

/// Hands on what may be shown.
class PrintableBuffer : public std::streambuf {
public:
  explicit PrintableBuffer(std::streambuf *Inner) : Inner(Inner) {}
  std::streambuf *inner() const { return Inner; }

protected:
  int_type overflow(int_type C) override;
  std::streamsize xsputn(const char *Text, std::streamsize Size) override;
  int sync() override { return Inner->pubsync(); }

private:
  std::streambuf *Inner;
};

/// Makes a stream one that hands on what may be shown, until the end of its life.
class PrintableStream {
public:
  explicit PrintableStream(std::ostream &Stream) : Stream(Stream), Buffer(Stream.rdbuf()) {
    Stream.rdbuf(&Buffer);
  }
  ~PrintableStream() { Stream.rdbuf(Buffer.inner()); }
  PrintableStream(const PrintableStream &) = delete;
  PrintableStream &operator=(const PrintableStream &) = delete;

private:
  std::ostream &Stream;
  PrintableBuffer Buffer;
};

/// What we say to the terminal itself, such as a colour.
struct TerminalCode {
  std::string_view Code;
  friend std::ostream &operator<<(std::ostream &Out, TerminalCode C);
};

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_FILES_PRINTABLE_H
