//===-- optim.h - Stand-in for torch::optim ----------------------------------===//
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
namespace optim {

class OptimizerOptions {
public:
  virtual std::unique_ptr<OptimizerOptions> clone() const;
  virtual ~OptimizerOptions() = default;
  virtual double get_lr() const;
  virtual void set_lr(const double lr);
};

class OptimizerParamGroup {
public:
  OptimizerParamGroup(const OptimizerParamGroup &param_group);
  OptimizerParamGroup(std::vector<Tensor> params);
  OptimizerParamGroup(std::vector<Tensor> params, std::unique_ptr<OptimizerOptions> options);
  OptimizerOptions &options();
  std::vector<Tensor> &params();
  const std::vector<Tensor> &params() const;
};

class Optimizer {
public:
  Optimizer(const Optimizer &optimizer) = delete;
  Optimizer(Optimizer &&optimizer) = default;
  explicit Optimizer(std::vector<OptimizerParamGroup> param_groups,
                     std::unique_ptr<OptimizerOptions> defaults);
  explicit Optimizer(std::vector<Tensor> parameters, std::unique_ptr<OptimizerOptions> defaults);
  void add_param_group(const OptimizerParamGroup &param_group);
  virtual ~Optimizer() = default;
  using LossClosure = std::function<Tensor()>;
  virtual Tensor step(LossClosure closure = nullptr) = 0;
  void add_parameters(const std::vector<Tensor> &parameters);
  void zero_grad(bool set_to_none = true);
  const std::vector<Tensor> &parameters() const noexcept;
  std::vector<Tensor> &parameters() noexcept;
  std::vector<OptimizerParamGroup> &param_groups() noexcept;
  OptimizerOptions &defaults() noexcept;
};

#define OPTIMIZER(NAME)                                                                            \
  class NAME : public Optimizer {                                                                  \
  public:                                                                                          \
    explicit NAME(std::vector<OptimizerParamGroup> param_groups, NAME##Options defaults = {});     \
    explicit NAME(std::vector<Tensor> params, NAME##Options defaults = {});                        \
    Tensor step(LossClosure closure = nullptr) override;                                           \
  };

struct SGDOptions : public OptimizerOptions {
  SGDOptions(double lr = 1e-3);
  TORCH_ARG(double, lr) = 1e-3;
  TORCH_ARG(double, momentum) = 0;
  TORCH_ARG(double, dampening) = 0;
  TORCH_ARG(double, weight_decay) = 0;
  TORCH_ARG(bool, nesterov) = false;
};
OPTIMIZER(SGD)

struct AdamOptions : public OptimizerOptions {
  AdamOptions(double lr = 1e-3);
  typedef std::tuple<double, double> betas_t;
  TORCH_ARG(double, lr) = 1e-3;
  TORCH_ARG(betas_t, betas) = std::make_tuple(0.9, 0.999);
  TORCH_ARG(double, eps) = 1e-8;
  TORCH_ARG(double, weight_decay) = 0;
  TORCH_ARG(bool, amsgrad) = false;
};
OPTIMIZER(Adam)

struct AdamWOptions : public OptimizerOptions {
  AdamWOptions(double lr = 1e-3);
  TORCH_ARG(double, lr) = 1e-3;
  TORCH_ARG(double, weight_decay) = 1e-2;
  TORCH_ARG(bool, amsgrad) = false;
};
OPTIMIZER(AdamW)

struct RMSpropOptions : public OptimizerOptions {
  RMSpropOptions(double lr = 1e-2);
  TORCH_ARG(double, lr) = 1e-2;
  TORCH_ARG(double, momentum) = 0;
};
OPTIMIZER(RMSprop)

struct AdagradOptions : public OptimizerOptions {
  AdagradOptions(double lr = 1e-2);
  TORCH_ARG(double, lr) = 1e-2;
};
OPTIMIZER(Adagrad)
#undef OPTIMIZER

struct LBFGSOptions : public OptimizerOptions {
  LBFGSOptions(double lr = 1);
  TORCH_ARG(double, lr) = 1;
  TORCH_ARG(int64_t, max_iter) = 20;
};
class LBFGS : public Optimizer {
public:
  explicit LBFGS(std::vector<OptimizerParamGroup> param_groups, LBFGSOptions defaults = {});
  explicit LBFGS(std::vector<Tensor> params, LBFGSOptions defaults = {});
  Tensor step(LossClosure closure) override;
};

class LRScheduler {
public:
  LRScheduler(Optimizer &optimizer);
  virtual ~LRScheduler() = default;
  void step();
};
class StepLR : public LRScheduler {
public:
  StepLR(Optimizer &optimizer, const unsigned step_size, const double gamma = 0.1);
};

} // namespace optim
} // namespace torch
