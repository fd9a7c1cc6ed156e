//===-- Json.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/Json.h"

#include <cmath>
#include <cstdint>
#include <ostream>
#include <stdexcept>

using nlohmann::json;

namespace tensorleak {
namespace {

/// Makes the value, as the library does, but no deeper than that.
class BoundedReader : public nlohmann::detail::json_sax_dom_parser<json> {
  using Base = nlohmann::detail::json_sax_dom_parser<json>;

public:
  explicit BoundedReader(json &Out) : Base(Out, /*allow_exceptions_=*/false) {}

  // The size that a file names is not passed on: of one that is too large the library throws.
  bool start_object(std::size_t) { return enters() && Base::start_object(Unknown); }
  bool start_array(std::size_t) { return enters() && Base::start_array(Unknown); }
  bool end_object() { return --Depth, Base::end_object(); }
  bool end_array() { return --Depth, Base::end_array(); }
  bool number_float(double Value, const std::string &Text);
  const char *whatIsWrong() const {
    return Depth > MaxDepth ? "it is nested too deeply"
           : IsTooLarge     ? "it has a number that is too large"
                            : "it is not JSON";
  }

private:
  bool enters() { return ++Depth <= MaxDepth; }

  static constexpr unsigned MaxDepth = 256;
  static constexpr std::size_t Unknown = ~std::size_t(0);
  unsigned Depth = 0;
  bool IsTooLarge = false;
};

/// The library turns a fraction into an integer wherever one is asked for, whether it fits or not.
/// What need not fit is an integer from the start: at the price of the fraction of numbers that
/// are negative or large, of which we write none that matters.
bool BoundedReader::number_float(double Value, const std::string &Text) {
  constexpr double FitsAnyInteger = 2147483648.0, FitsNone = 9223372036854775808.0;
  IsTooLarge = !(std::abs(Value) < FitsNone);
  if (IsTooLarge)
    return false;
  if (Value > -1 && Value < FitsAnyInteger)
    return Base::number_float(Value, Text);
  return Base::number_integer(static_cast<int64_t>(Value));
}

} // namespace

std::string validUtf8(const std::string &Text) {
  return json::parse(json(Text).dump(-1, ' ', false, json::error_handler_t::replace));
}

void printJson(std::ostream &Out, const json &Value) {
  constexpr int Indent = 2;
  Out << Value.dump(Indent, ' ', false, json::error_handler_t::replace) << '\n';
}

json parseJson(std::string_view Text) {
  json Out;
  BoundedReader Reader(Out);
  if (!json::sax_parse(Text.begin(), Text.end(), &Reader))
    throw std::runtime_error(Reader.whatIsWrong());
  return Out;
}

json parseCbor(std::string_view Bytes) {
  json Out;
  BoundedReader Reader(Out);
  if (!json::sax_parse(Bytes.begin(), Bytes.end(), &Reader, json::input_format_t::cbor))
    return json(json::value_t::discarded);
  return Out;
}

/// "[json.exception.type_error.302] type must be string, but is number"
std::string describe(const json::exception &E) {
  std::string_view Text = E.what();
  if (size_t End = Text.find("] "); !Text.empty() && Text.front() == '[' && End != Text.npos)
    Text.remove_prefix(End + 2);
  return std::string(Text);
}

} // namespace tensorleak
