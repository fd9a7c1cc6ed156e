//===-- NvOnnxParser.h - TensorRT: networks from ONNX ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NV_ONNX_PARSER_H
#define NV_ONNX_PARSER_H

#include "NvInfer.h"

#define NV_ONNX_PARSER_MAJOR 0
#define NV_ONNX_PARSER_MINOR 1

namespace nvonnxparser {

class IParserError {
public:
  int code() const;
  const char *desc() const;
  const char *file() const;
  int line() const;
  const char *func() const;
  int node() const;
};
class IParser {
public:
  virtual ~IParser() noexcept = default;
  void destroy() noexcept;
  bool parse(const void *, size_t, const char * = nullptr) noexcept;
  bool parseFromFile(const char *, int) noexcept;
  bool parseWithWeightDescriptors(const void *, size_t) noexcept;
  bool supportsOperator(const char *) const noexcept;
  int getNbErrors() const noexcept;
  const IParserError *getError(int) const noexcept;
  void clearErrors() noexcept;
  void setFlags(uint32_t) noexcept;
  nvinfer1::ITensor *getLayerOutputTensor(const char *, int64_t) noexcept;
};
IParser *createParser(nvinfer1::INetworkDefinition &, nvinfer1::ILogger &) noexcept;

} // namespace nvonnxparser

#endif // NV_ONNX_PARSER_H
