//===-- BoundedJsonTest.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/Json.h"

#include <gtest/gtest.h>

namespace tensorleak {
namespace {

std::string errorOf(const std::string &Text) try {
  parseJson(Text);
  return "";
} catch (const std::runtime_error &E) {
  return E.what();
}

TEST(BoundedJson, ReadsWhatTheLibraryReads) {
  const char *Text = R"({"a": [1, 2.5, -0.5, {"b": null}], "c": "\u00e4", "d": [[], {}]})";
  nlohmann::json J = parseJson(Text);
  EXPECT_EQ(J, nlohmann::json::parse(Text));
  std::string Bytes;
  nlohmann::json::to_cbor(J, Bytes);
  EXPECT_EQ(parseCbor(Bytes), J);
}

TEST(BoundedJson, WhatIsNoneIsRefused) {
  for (const char *Text : {"", "{", "[1,]", "nul", "{} {}"})
    EXPECT_EQ(errorOf(Text), "it is not JSON") << Text;
  EXPECT_TRUE(parseCbor("\x9f").is_discarded()) << "cut short";
  EXPECT_TRUE(parseCbor("").is_discarded());
}

/// The stack would not last: the library calls itself for each level of CBOR.
TEST(BoundedJson, NoSizeIsBelieved) {
  for (const char *Head : {"\x9b", "\xbb", "\x7b", "\x5b"})
    EXPECT_TRUE(parseCbor(std::string(Head) + "\x6cs caffo").is_discarded()) << Head;
}

TEST(BoundedJson, NestingHasAnEnd) {
  constexpr size_t Million = 1000000;
  EXPECT_EQ(errorOf(std::string(Million, '[')), "it is nested too deeply");
  EXPECT_TRUE(parseCbor(std::string(Million, '\x81')).is_discarded());
  EXPECT_EQ(errorOf(std::string(200, '[') + std::string(200, ']')), "");
}

TEST(BoundedJson, NumbersFitWhereTheyAreAskedFor) {
  EXPECT_EQ(parseJson("[0.5]")[0].get<double>(), 0.5);
  EXPECT_EQ(parseJson("[1.5]")[0].get<unsigned>(), 1u);
  EXPECT_EQ(parseJson("[5e9]")[0].get<int64_t>(), 5000000000);
  EXPECT_TRUE(parseJson("[5e9]")[0].is_number_integer()) << "so an unsigned of it is defined";
  EXPECT_TRUE(parseJson("[-7.5]")[0].is_number_integer());
  EXPECT_EQ(errorOf("[5.5e33]"), "it has a number that is too large");
  EXPECT_EQ(errorOf("[-5.5e33]"), "it has a number that is too large");
}

TEST(BoundedJson, NoWordOfTheLibrary) {
  try {
    nlohmann::json J = "text";
    J.at("member");
    FAIL();
  } catch (const nlohmann::json::exception &E) {
    EXPECT_EQ(describe(E), "cannot use at() with string");
  }
}

} // namespace
} // namespace tensorleak
