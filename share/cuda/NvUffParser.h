//===-- NvUffParser.h - TensorRT: networks from UFF, until 8 --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NV_UFF_PARSER_H
#define NV_UFF_PARSER_H

#include "NvInfer.h"

namespace nvuffparser {

enum class UffInputOrder : int { kNCHW = 0, kNHWC = 1, kNC = 2 };
class IUffParser {
public:
  virtual ~IUffParser() noexcept = default;
  void destroy() noexcept;
  bool registerInput(const char *, nvinfer1::Dims, UffInputOrder) noexcept;
  bool registerOutput(const char *) noexcept;
  bool parse(const char *, nvinfer1::INetworkDefinition &,
             nvinfer1::DataType = nvinfer1::DataType::kFLOAT) noexcept;
  bool parseBuffer(const char *, size_t, nvinfer1::INetworkDefinition &,
                   nvinfer1::DataType = nvinfer1::DataType::kFLOAT) noexcept;
  void setPluginNamespace(const char *) noexcept;
};
IUffParser *createUffParser() noexcept;
void shutdownProtobufLibrary() noexcept;

} // namespace nvuffparser

#endif // NV_UFF_PARSER_H
