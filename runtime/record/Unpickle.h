//===-- Unpickle.h - Plain data from Python's pickles ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads dictionaries, lists, tuples, text and numbers of protocols 2 to 5. A pickle may
// also ask for functions to be called; such a one is refused, nothing is ever run.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_RECORD_UNPICKLE_H
#define TENSORLEAK_RUNTIME_RECORD_UNPICKLE_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tensorleak {

/// A value; what the pickle shares is shared here.
struct PickleValue {
  using Ref = std::shared_ptr<PickleValue>;
  using List = std::vector<Ref>;
  using Dictionary = std::map<std::string, Ref>;
  std::variant<std::monostate, bool, int64_t, double, std::string, List, Dictionary> Data;

  /// A member of a dictionary; null if it is none or has none of that name.
  const PickleValue *get(const std::string &Name) const;
  /// The elements; none if it is no list.
  const List &elements() const;
  int64_t number(int64_t Otherwise = 0) const;
  std::string text() const;
};

/// \throws std::runtime_error with what is wrong with the pickle.
PickleValue::Ref unpickle(std::string_view Bytes);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_RECORD_UNPICKLE_H
