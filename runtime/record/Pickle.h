//===-- Pickle.h - Values as Python's pickle writes them ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PyTorch's memory viewer reads nothing but pickles, and there is no C++ library that
// writes them. This is the part of protocol 4 that plain data needs: dictionaries,
// lists, text, integers, true and false. What is written often can be written once and
// then be named.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_RECORD_PICKLE_H
#define TENSORLEAK_RUNTIME_RECORD_PICKLE_H

#include <nlohmann/json.hpp>
#include <string>

namespace tensorleak {

class Pickle {
public:
  /// A value that was written with share().
  using Shared = uint32_t;

  Pickle();
  void put(const nlohmann::json &Value);
  /// Writes \p Value and gives it a number. It stands where it is written.
  Shared share(const nlohmann::json &Value);
  void putShared(Shared Number);

  void beginDictionary();
  void key(const std::string &Name) { putText(Name); }
  void endDictionary();
  /// Between these, call element() before each element.
  void beginList();
  void element();
  void endList();

  /// The whole, ended. To be called once.
  std::string finish();

private:
  void putText(const std::string &Text);
  void putNumber(int64_t Number);
  void putBytes(uint64_t Value, unsigned Count);

  std::string Out;
  Shared SharedCount = 0;
  std::vector<unsigned> Pending; ///< elements since the last batch, per open list
};

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_RECORD_PICKLE_H
