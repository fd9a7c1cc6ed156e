//===-- Printable.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/files/Printable.h"

#include <algorithm>
#include <iterator>

namespace tensorleak {

static bool isControl(char C) {
  auto Byte = static_cast<unsigned char>(C);
  return (Byte < 0x20 && C != '\n' && C != '\t') || Byte == 0x7f;
}

static std::string escaped(char C) {
  constexpr char Digits[] = "0123456789abcdef";
  auto Byte = static_cast<unsigned char>(C);
  return {'\\', 'x', Digits[Byte >> 4], Digits[Byte & 15]};
}

/// The others in UTF-8: U+0080 to U+009F, of which U+009B is what ESC [ is.
static bool isControlInUtf8(std::string_view Text) {
  return Text.size() > 1 && Text[0] == '\xc2' && static_cast<unsigned char>(Text[1]) < 0xa0;
}

std::string printable(std::string_view Text) {
  std::string Out;
  for (size_t I = 0; I < Text.size(); ++I) {
    bool IsFirst = isControlInUtf8(Text.substr(I)),
         IsSecond = I && isControlInUtf8(Text.substr(I - 1));
    if (IsFirst || IsSecond || isControl(Text[I]))
      Out += escaped(Text[I]);
    else
      Out += Text[I];
  }
  return Out;
}

PrintableBuffer::int_type PrintableBuffer::overflow(int_type C) {
  if (traits_type::eq_int_type(C, traits_type::eof()))
    return Inner->pubsync() == 0 ? traits_type::not_eof(C) : C;
  char One = traits_type::to_char_type(C);
  return xsputn(&One, 1) == 1 ? C : traits_type::eof();
}

std::streamsize PrintableBuffer::xsputn(const char *Text, std::streamsize Size) {
  std::string Shown = printable({Text, static_cast<size_t>(Size)});
  auto Wanted = static_cast<std::streamsize>(Shown.size());
  return Inner->sputn(Shown.data(), Wanted) == Wanted ? Size : 0;
}

std::ostream &operator<<(std::ostream &Out, TerminalCode C) {
  std::streambuf *Raw = Out.rdbuf();
  while (const auto *Filter = dynamic_cast<PrintableBuffer *>(Raw))
    Raw = Filter->inner();
  auto Size = static_cast<std::streamsize>(C.Code.size());
  if (Raw->sputn(C.Code.data(), Size) != Size)
    Out.setstate(std::ios_base::badbit);
  return Out;
}

} // namespace tensorleak
