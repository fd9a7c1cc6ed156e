//===-- options.h - Stand-in for TORCH_ARG and OrderedDict -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test input only; see c10/Core.h.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "torch/types.h"

/// An option with LibTorch's fluent setter and its getters.
#define TORCH_ARG(T, name)                                                                         \
public:                                                                                            \
  inline auto name(const T &new_##name) -> decltype(*this) {                                       \
    this->name##_ = new_##name;                                                                    \
    return *this;                                                                                  \
  }                                                                                                \
  inline auto name(T &&new_##name) -> decltype(*this) {                                            \
    this->name##_ = std::move(new_##name);                                                         \
    return *this;                                                                                  \
  }                                                                                                \
  inline const T &name() const noexcept { return this->name##_; }                                  \
  inline T &name() noexcept { return this->name##_; }                                              \
                                                                                                   \
private:                                                                                           \
  T name##_

namespace torch {

template <size_t D> class ExpandingArray {
public:
  ExpandingArray(std::initializer_list<int64_t> list);
  ExpandingArray(std::vector<int64_t> vec);
  ExpandingArray(int64_t single_size);
};

template <typename Key, typename Value> class OrderedDict {
public:
  class Item {
  public:
    Value *operator->();
    const Value *operator->() const;
    Value &operator*();
    const Value &operator*() const;
    const Key &key() const noexcept;
    Value &value() noexcept;
    const Value &value() const noexcept;
    const std::pair<Key, Value> &pair() const noexcept;
  };
  using Iterator = typename std::vector<Item>::iterator;
  using ConstIterator = typename std::vector<Item>::const_iterator;
  Iterator begin();
  Iterator end();
  ConstIterator begin() const;
  ConstIterator end() const;
  size_t size() const noexcept;
  Value &operator[](const Key &key);
  const Value &operator[](const Key &key) const;
  Value *find(const Key &key) noexcept;
  bool contains(const Key &key) const noexcept;
  std::vector<Value> values() const;
  std::vector<Key> keys() const;
};

} // namespace torch
