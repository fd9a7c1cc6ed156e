//===-- PrintableTest.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/files/Printable.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace tensorleak;

TEST(Printable, ControlCharactersAreSpelled) {
  EXPECT_EQ(printable("a\x1b[31m\x07\r\x7f.cpp"), "a\\x1b[31m\\x07\\x0d\\x7f.cpp");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m");
}

TEST(Printable, TextStaysAsItIs) {
  const std::string Text = "for (;;)\tx; // \xc3\xa4\xc2\xa0\n";
  EXPECT_EQ(printable(Text), Text);
}

TEST(Printable, AStreamSaysToTheTerminalOnlyWhatIsOurs) {
  std::ostringstream Out;
  {
    PrintableStream Filtered(Out), Twice(Out);
    Out << TerminalCode{"\033[1m"} << "\033[1m" << 'x' << '\033' << TerminalCode{"\033[0m"};
  }
  Out << '\033';
  EXPECT_EQ(Out.str(), "\033[1m\\x1b[1mx\\x1b\033[0m\033");
}
