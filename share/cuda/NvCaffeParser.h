//===-- NvCaffeParser.h - TensorRT: networks from Caffe, until 8 ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NV_CAFFE_PARSER_H
#define NV_CAFFE_PARSER_H

#include "NvInfer.h"

namespace nvcaffeparser1 {

class IBlobNameToTensor {
public:
  nvinfer1::ITensor *find(const char *) const noexcept;
};
class IBinaryProtoBlob {
public:
  const void *getData() noexcept;
  nvinfer1::Dims4 getDimensions() noexcept;
  void destroy() noexcept;
};
class IPluginFactoryV2;
class ICaffeParser {
public:
  virtual ~ICaffeParser() noexcept = default;
  void destroy() noexcept;
  const IBlobNameToTensor *parse(const char *, const char *, nvinfer1::INetworkDefinition &,
                                 nvinfer1::DataType) noexcept;
  const IBlobNameToTensor *parseBuffers(const char *, size_t, const char *, size_t,
                                        nvinfer1::INetworkDefinition &,
                                        nvinfer1::DataType) noexcept;
  IBinaryProtoBlob *parseBinaryProto(const char *) noexcept;
  void setPluginFactoryV2(IPluginFactoryV2 *) noexcept;
  void setPluginNamespace(const char *) noexcept;
};
ICaffeParser *createCaffeParser() noexcept;
void shutdownProtobufLibrary() noexcept;

} // namespace nvcaffeparser1

#endif // NV_CAFFE_PARSER_H
