//===-- nn.h - Stand-in for torch::nn ----------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test input only; see c10/Core.h.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "torch/options.h"

namespace torch {
namespace serialize {
class InputArchive {
public:
  void load_from(const std::string &filename);
};
class OutputArchive {
public:
  void save_to(const std::string &filename);
};
} // namespace serialize

namespace nn {
template <typename Contained> class ModuleHolder;
}

namespace detail {
struct ModuleHolderIndicator {};
template <typename T>
using is_module_holder = std::is_base_of<ModuleHolderIndicator, std::decay_t<T>>;
template <typename T, typename C>
struct is_module_holder_of
    : std::integral_constant<bool,
                             is_module_holder<T>::value &&
                                 std::is_base_of<nn::ModuleHolder<C>, std::decay_t<T>>::value> {};
/// As in LibTorch, void where forward() is a template: Sequential has no operator().
template <typename C, typename... Args> struct return_type_of_forward {
  template <typename T, typename = decltype(&T::forward)>
  static auto test(int) -> decltype(std::declval<T>().forward(std::declval<Args>()...));
  template <typename T> static void test(...);
  using type = decltype(test<C>(0));
};
template <typename C, typename... Args>
using return_type_of_forward_t = typename return_type_of_forward<C, Args...>::type;
} // namespace detail

namespace nn {

class Module : public std::enable_shared_from_this<Module> {
public:
  explicit Module(std::string name);
  Module();
  Module(const Module &) = default;
  Module(Module &&) noexcept = default;
  virtual ~Module() = default;
  const std::string &name() const noexcept;
  virtual std::shared_ptr<Module> clone(const optional<Device> &device = nullopt) const;
  void apply(const std::function<void(Module &)> &function);
  std::vector<Tensor> parameters(bool recurse = true) const;
  OrderedDict<std::string, Tensor> named_parameters(bool recurse = true) const;
  std::vector<Tensor> buffers(bool recurse = true) const;
  OrderedDict<std::string, Tensor> named_buffers(bool recurse = true) const;
  std::vector<std::shared_ptr<Module>> modules(bool include_self = true) const;
  std::vector<std::shared_ptr<Module>> children() const;
  virtual void train(bool on = true);
  void eval();
  virtual bool is_training() const noexcept;
  virtual void to(torch::Device device, torch::Dtype dtype, bool non_blocking = false);
  virtual void to(torch::Dtype dtype, bool non_blocking = false);
  virtual void to(torch::Device device, bool non_blocking = false);
  virtual void zero_grad(bool set_to_none = true);
  template <typename ModuleType> ModuleType *as() noexcept { return nullptr; }
  virtual void save(serialize::OutputArchive &archive) const;
  virtual void load(serialize::InputArchive &archive);
  virtual void pretty_print(std::ostream &stream) const;
  Tensor &register_parameter(std::string name, Tensor tensor, bool requires_grad = true);
  Tensor &register_buffer(std::string name, Tensor tensor);
  template <typename ModuleType>
  std::shared_ptr<ModuleType> register_module(std::string, std::shared_ptr<ModuleType> module) {
    return module;
  }
  template <typename ModuleType>
  std::shared_ptr<ModuleType> register_module(std::string, ModuleHolder<ModuleType> module_holder) {
    return module_holder.ptr();
  }
  template <typename ModuleType>
  std::shared_ptr<ModuleType> replace_module(const std::string &,
                                             std::shared_ptr<ModuleType> module) {
    return module;
  }
  void unregister_module(const std::string &name);

protected:
  OrderedDict<std::string, Tensor> parameters_;
};

template <typename Derived> class Cloneable : public Module {
public:
  using Module::Module;
  virtual void reset() = 0;
  std::shared_ptr<Module> clone(const optional<Device> & = nullopt) const override {
    return nullptr;
  }
};

template <typename Contained> class ModuleHolder : torch::detail::ModuleHolderIndicator {
protected:
  std::shared_ptr<Contained> impl_;

public:
  using ContainedType = Contained;
  ModuleHolder() : impl_(default_construct()) {}
  /* implicit */ ModuleHolder(std::nullptr_t) : impl_(nullptr) {}
  template <typename Head, typename... Tail,
            typename = typename std::enable_if<
                !(torch::detail::is_module_holder_of<Head, ContainedType>::value &&
                  (sizeof...(Tail) == 0))>::type>
  explicit ModuleHolder(Head &&head, Tail &&...tail)
      : impl_(new Contained(std::forward<Head>(head), std::forward<Tail>(tail)...)) {}
  /* implicit */ ModuleHolder(std::shared_ptr<Contained> module) : impl_(std::move(module)) {}
  explicit operator bool() const noexcept { return !is_empty(); }
  Contained *operator->() { return get(); }
  const Contained *operator->() const { return get(); }
  Contained &operator*() { return *get(); }
  const Contained &operator*() const { return *get(); }
  const std::shared_ptr<Contained> &ptr() const { return impl_; }
  Contained *get() { return impl_.get(); }
  const Contained *get() const { return impl_.get(); }
  template <typename... Args>
  auto operator()(Args &&...args) -> torch::detail::return_type_of_forward_t<Contained, Args...> {
    return impl_->forward(::std::forward<Args>(args)...);
  }
  template <typename Arg> decltype(auto) operator[](Arg &&arg) {
    return (*impl_)[::std::forward<Arg>(arg)];
  }
  bool is_empty() const noexcept { return impl_ == nullptr; }

private:
  template <typename T = Contained>
  std::enable_if_t<std::is_default_constructible<T>::value, std::shared_ptr<Contained>>
  default_construct() {
    return std::make_shared<Contained>();
  }
  template <typename T = Contained>
  std::enable_if_t<!std::is_default_constructible<T>::value, std::shared_ptr<Contained>>
  default_construct() {
    return nullptr;
  }
};

#define TORCH_MODULE_IMPL(Name, ImplType)                                                          \
  class Name : public torch::nn::ModuleHolder<ImplType> { /* NOLINT */                             \
  public:                                                                                          \
    using torch::nn::ModuleHolder<ImplType>::ModuleHolder;                                         \
    using Impl = ImplType;                                                                         \
  }
#define TORCH_MODULE(Name) TORCH_MODULE_IMPL(Name, Name##Impl)

} // namespace nn
} // namespace torch

#include "torch/nn/functional.h"
#include "torch/nn/modules.h"
