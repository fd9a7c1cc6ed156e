//===-- data.h - Stand-in for torch::data ------------------------------------===//
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
namespace data {

template <typename Data = Tensor, typename Target = Tensor> struct Example {
  Example() = default;
  Example(Data data, Target target);
  Data data;
  Target target;
};

namespace transforms {
template <typename E = Example<>> struct Stack {
  using InputBatchType = std::vector<E>;
  using OutputBatchType = E;
};
template <typename Target = Tensor> struct Normalize {
  using OutputBatchType = std::vector<Example<Tensor, Target>>;
  Normalize(ArrayRef<double> mean, ArrayRef<double> stddev);
};
} // namespace transforms

namespace samplers {
class RandomSampler {
public:
  explicit RandomSampler(int64_t size);
};
class SequentialSampler {
public:
  explicit SequentialSampler(size_t size);
};
} // namespace samplers

namespace datasets {
template <typename SourceDataset, typename AppliedTransform> class MapDataset {
public:
  using BatchType = typename AppliedTransform::OutputBatchType;
  template <typename TransformType> MapDataset<MapDataset, TransformType> map(TransformType) && {
    return {};
  }
  template <typename TransformType>
  MapDataset<MapDataset, TransformType> map(TransformType) const & {
    return {};
  }
  optional<size_t> size() const { return nullopt; }
};

template <typename Self, typename SingleExample = Example<>> class Dataset {
public:
  using ExampleType = SingleExample;
  using BatchType = std::vector<SingleExample>;
  virtual ~Dataset() = default;
  virtual ExampleType get(size_t index) = 0;
  virtual optional<size_t> size() const = 0;
  template <typename TransformType> MapDataset<Self, TransformType> map(TransformType) && {
    return {};
  }
  template <typename TransformType> MapDataset<Self, TransformType> map(TransformType) const & {
    return {};
  }
};

class MNIST : public Dataset<MNIST> {
public:
  enum class Mode { kTrain, kTest };
  explicit MNIST(const std::string &root, Mode mode = Mode::kTrain);
  Example<> get(size_t index) override;
  optional<size_t> size() const override;
  bool is_train() const noexcept;
  const Tensor &images() const;
  const Tensor &targets() const;
};

class TensorDataset : public Dataset<TensorDataset> {
public:
  explicit TensorDataset(Tensor tensor);
  Example<> get(size_t index) override;
  optional<size_t> size() const override;
};
} // namespace datasets

template <typename Batch> class Iterator {
public:
  using difference_type = std::ptrdiff_t;
  using value_type = Batch;
  using pointer = Batch *;
  using reference = Batch &;
  using iterator_category = std::input_iterator_tag;
  Iterator &operator++() { return *this; }
  Batch &operator*() { return *Current; }
  Batch *operator->() { return Current; }
  bool operator==(const Iterator &) const { return true; }
  bool operator!=(const Iterator &) const { return false; }

private:
  Batch *Current = nullptr;
};

struct DataLoaderOptions {
  DataLoaderOptions() = default;
  /* implicit */ DataLoaderOptions(size_t batch_size);
  TORCH_ARG(size_t, batch_size) = 1;
  TORCH_ARG(size_t, workers) = 0;
  TORCH_ARG(bool, drop_last) = false;
};

template <typename Dataset, typename Sampler> class StatelessDataLoader {
public:
  using BatchType = typename Dataset::BatchType;
  Iterator<BatchType> begin() { return {}; }
  Iterator<BatchType> end() { return {}; }
};

template <typename Dataset, typename Sampler>
std::unique_ptr<StatelessDataLoader<Dataset, Sampler>> make_data_loader(Dataset, Sampler,
                                                                        DataLoaderOptions) {
  return nullptr;
}
template <typename Sampler = samplers::RandomSampler, typename Dataset>
std::unique_ptr<StatelessDataLoader<Dataset, Sampler>>
make_data_loader(Dataset, DataLoaderOptions = DataLoaderOptions()) {
  return nullptr;
}

} // namespace data
} // namespace torch
