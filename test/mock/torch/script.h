//===-- script.h - Stand-in for torch::jit -----------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test input only; see c10/Core.h.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "torch/types.h"

namespace torch {
namespace jit {
struct Module;
}
} // namespace torch

namespace c10 {
struct IValue;
namespace ivalue {
struct TupleElements {
  const IValue &operator[](size_t i) const;
  const IValue &at(size_t i) const;
};
struct Tuple {
  const TupleElements &elements() const;
};
} // namespace ivalue
struct IValue {
  IValue();
  IValue(at::Tensor t);
  IValue(int64_t i);
  IValue(int32_t i);
  IValue(double d);
  IValue(std::vector<at::Tensor> v);
  bool isTensor() const;
  at::Tensor toTensor() const;
  int64_t toInt() const;
  double toDouble() const;
  std::vector<at::Tensor> toTensorVector() const;
  intrusive_ptr<ivalue::Tuple> toTuple() const;
  torch::jit::Module toModule() const;
};
} // namespace c10

namespace torch {
namespace jit {
using c10::IValue;
struct Method {
  IValue operator()(std::vector<IValue> stack) const;
};
struct Object {
  Method get_method(const std::string &name) const;
  template <typename... Types> IValue run_method(const std::string &name, Types &&...args);
  IValue attr(const std::string &name) const;
};
struct Module : Object {
  Module();
  IValue forward(std::vector<IValue> inputs);
  void eval();
  void train(bool on = true);
  void to(Device device, bool non_blocking = false);
  std::vector<Tensor> parameters(bool recurse = true) const;
};
namespace script {
using Module = ::torch::jit::Module;
}
Module load(const std::string &filename, optional<Device> device = nullopt);
Module freeze(const Module &module, optional<std::vector<std::string>> preserved_attrs = nullopt,
              bool optimize_numerics = true);
Module optimize_for_inference(Module &module, const std::vector<std::string> &other_methods = {});
} // namespace jit
} // namespace torch
