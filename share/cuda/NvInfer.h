//===-- NvInfer.h - TensorRT: building and running networks -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What TensorRT 7 to 10 declare: methods that later releases dropped stay, as destroy().
//
//===----------------------------------------------------------------------===//
#ifndef NV_INFER_H
#define NV_INFER_H
#define NV_INFER_RUNTIME_H

#include "NvInferRuntimeCommon.h"

namespace nvinfer1 {

//===-- Networks -------------------------------------------------------------===//

class ITensor {
public:
  void setName(const char *) noexcept;
  const char *getName() const noexcept;
  void setDimensions(const Dims &) noexcept;
  Dims getDimensions() const noexcept;
  void setType(DataType) noexcept;
  DataType getType() const noexcept;
  bool setDynamicRange(float, float) noexcept;
  bool isNetworkInput() const noexcept;
  bool isNetworkOutput() const noexcept;
  void setLocation(TensorLocation) noexcept;
  void setAllowedFormats(TensorFormats) noexcept;
};
class ILayer {
public:
  void setName(const char *) noexcept;
  const char *getName() const noexcept;
  int32_t getNbInputs() const noexcept;
  ITensor *getInput(int32_t) const noexcept;
  int32_t getNbOutputs() const noexcept;
  ITensor *getOutput(int32_t) const noexcept;
  void setInput(int32_t, ITensor &) noexcept;
  void setPrecision(DataType) noexcept;
  void setOutputType(int32_t, DataType) noexcept;
  void setStride(DimsHW) noexcept;
  void setStrideNd(const Dims &) noexcept;
  void setPadding(DimsHW) noexcept;
  void setPaddingNd(const Dims &) noexcept;
  void setPrePadding(const Dims &) noexcept;
  void setPostPadding(const Dims &) noexcept;
  void setPaddingMode(PaddingMode) noexcept;
  void setDilation(DimsHW) noexcept;
  void setDilationNd(const Dims &) noexcept;
  void setNbGroups(int32_t) noexcept;
  void setAlpha(float) noexcept;
  void setBeta(float) noexcept;
  void setAxis(int32_t) noexcept;
  void setAxes(uint32_t) noexcept;
  void setReshapeDimensions(const Dims &) noexcept;
  void setFirstTranspose(Permutation) noexcept;
  void setSecondTranspose(Permutation) noexcept;
  void setOutputDimensions(const Dims &) noexcept;
  void setScales(const float *, int32_t) noexcept;
  void setResizeMode(ResizeMode) noexcept;
  void setAlignCorners(bool) noexcept;
  void setAverageCountExcludesPadding(bool) noexcept;
  void setKernelWeights(Weights) noexcept;
  void setBiasWeights(Weights) noexcept;
};
using IActivationLayer = ILayer;
using IConcatenationLayer = ILayer;
using IConstantLayer = ILayer;
using IConvolutionLayer = ILayer;
using IDeconvolutionLayer = ILayer;
using IElementWiseLayer = ILayer;
using IFullyConnectedLayer = ILayer;
using IGatherLayer = ILayer;
using IIdentityLayer = ILayer;
using IMatrixMultiplyLayer = ILayer;
using IPaddingLayer = ILayer;
using IPluginV2Layer = ILayer;
using IPoolingLayer = ILayer;
using IReduceLayer = ILayer;
using IResizeLayer = ILayer;
using IScaleLayer = ILayer;
using IShuffleLayer = ILayer;
using ISliceLayer = ILayer;
using ISoftMaxLayer = ILayer;
using ITopKLayer = ILayer;
using IUnaryLayer = ILayer;

class INetworkDefinition {
public:
  virtual ~INetworkDefinition() noexcept = default;
  void destroy() noexcept;
  ITensor *addInput(const char *, DataType, const Dims &) noexcept;
  void markOutput(ITensor &) noexcept;
  void unmarkOutput(ITensor &) noexcept;
  IActivationLayer *addActivation(ITensor &, ActivationType) noexcept;
  IConcatenationLayer *addConcatenation(ITensor *const *, int32_t) noexcept;
  IConstantLayer *addConstant(const Dims &, Weights) noexcept;
  IConvolutionLayer *addConvolution(ITensor &, int32_t, DimsHW, Weights, Weights) noexcept;
  IConvolutionLayer *addConvolutionNd(ITensor &, int32_t, const Dims &, Weights, Weights) noexcept;
  IDeconvolutionLayer *addDeconvolution(ITensor &, int32_t, DimsHW, Weights, Weights) noexcept;
  IDeconvolutionLayer *addDeconvolutionNd(ITensor &, int32_t, const Dims &, Weights,
                                          Weights) noexcept;
  IElementWiseLayer *addElementWise(ITensor &, ITensor &, ElementWiseOperation) noexcept;
  IFullyConnectedLayer *addFullyConnected(ITensor &, int32_t, Weights, Weights) noexcept;
  IGatherLayer *addGather(ITensor &, ITensor &, int32_t) noexcept;
  IIdentityLayer *addIdentity(ITensor &) noexcept;
  IMatrixMultiplyLayer *addMatrixMultiply(ITensor &, MatrixOperation, ITensor &,
                                          MatrixOperation) noexcept;
  IPaddingLayer *addPaddingNd(ITensor &, const Dims &, const Dims &) noexcept;
  IPluginV2Layer *addPluginV2(ITensor *const *, int32_t, IPluginV2 &) noexcept;
  IPoolingLayer *addPooling(ITensor &, PoolingType, DimsHW) noexcept;
  IPoolingLayer *addPoolingNd(ITensor &, PoolingType, const Dims &) noexcept;
  IReduceLayer *addReduce(ITensor &, ReduceOperation, uint32_t, bool) noexcept;
  IResizeLayer *addResize(ITensor &) noexcept;
  IScaleLayer *addScale(ITensor &, ScaleMode, Weights, Weights, Weights) noexcept;
  IShuffleLayer *addShuffle(ITensor &) noexcept;
  ISliceLayer *addSlice(ITensor &, const Dims &, const Dims &, const Dims &) noexcept;
  ISoftMaxLayer *addSoftMax(ITensor &) noexcept;
  ITopKLayer *addTopK(ITensor &, TopKOperation, int32_t, uint32_t) noexcept;
  IUnaryLayer *addUnary(ITensor &, UnaryOperation) noexcept;
  int32_t getNbLayers() const noexcept;
  ILayer *getLayer(int32_t) const noexcept;
  int32_t getNbInputs() const noexcept;
  ITensor *getInput(int32_t) const noexcept;
  int32_t getNbOutputs() const noexcept;
  ITensor *getOutput(int32_t) const noexcept;
  void setName(const char *) noexcept;
  const char *getName() const noexcept;
  bool hasImplicitBatchDimension() const noexcept;
};
class IOptimizationProfile {
public:
  bool setDimensions(const char *, OptProfileSelector, const Dims &) noexcept;
  bool isValid() const noexcept;
};
class ITimingCache {
public:
  virtual ~ITimingCache() noexcept = default;
};
class IBuilderConfig {
public:
  virtual ~IBuilderConfig() noexcept = default;
  void destroy() noexcept;
  void setFlag(BuilderFlag) noexcept;
  void clearFlag(BuilderFlag) noexcept;
  bool getFlag(BuilderFlag) const noexcept;
  void setFlags(BuilderFlags) noexcept;
  void setMaxWorkspaceSize(size_t) noexcept;
  void setMemoryPoolLimit(MemoryPoolType, size_t) noexcept;
  void setAvgTimingIterations(int32_t) noexcept;
  void setMinTimingIterations(int32_t) noexcept;
  void setBuilderOptimizationLevel(int32_t) noexcept;
  void setInt8Calibrator(IInt8Calibrator *) noexcept;
  bool setCalibrationProfile(const IOptimizationProfile *) noexcept;
  int32_t addOptimizationProfile(const IOptimizationProfile *) noexcept;
  void setDefaultDeviceType(DeviceType) noexcept;
  void setDLACore(int32_t) noexcept;
  void setProfileStream(cudaStream_t) noexcept;
  void setProfilingVerbosity(ProfilingVerbosity) noexcept;
  bool setTacticSources(TacticSources) noexcept;
  void setHardwareCompatibilityLevel(HardwareCompatibilityLevel) noexcept;
  void setEngineCapability(EngineCapability) noexcept;
};
class IHostMemory {
public:
  virtual ~IHostMemory() noexcept = default;
  void destroy() noexcept;
  void *data() const noexcept;
  size_t size() const noexcept;
  DataType type() const noexcept;
};
class IBuilder {
public:
  virtual ~IBuilder() noexcept = default;
  void destroy() noexcept;
  INetworkDefinition *createNetwork() noexcept;
  INetworkDefinition *createNetworkV2(NetworkDefinitionCreationFlags) noexcept;
  IBuilderConfig *createBuilderConfig() noexcept;
  IOptimizationProfile *createOptimizationProfile() noexcept;
  ICudaEngine *buildCudaEngine(INetworkDefinition &) noexcept;
  ICudaEngine *buildEngineWithConfig(INetworkDefinition &, IBuilderConfig &) noexcept;
  IHostMemory *buildSerializedNetwork(INetworkDefinition &, IBuilderConfig &) noexcept;
  bool isNetworkSupported(const INetworkDefinition &, const IBuilderConfig &) const noexcept;
  void setMaxBatchSize(int32_t) noexcept;
  int32_t getMaxBatchSize() const noexcept;
  void setMaxWorkspaceSize(size_t) noexcept;
  void setFp16Mode(bool) noexcept;
  void setInt8Mode(bool) noexcept;
  void setInt8Calibrator(IInt8Calibrator *) noexcept;
  void setStrictTypeConstraints(bool) noexcept;
  void setDebugSync(bool) noexcept;
  bool platformHasFastFp16() const noexcept;
  bool platformHasFastInt8() const noexcept;
  bool platformHasTf32() const noexcept;
  int32_t getNbDLACores() const noexcept;
  void setGpuAllocator(IGpuAllocator *) noexcept;
  void setErrorRecorder(IErrorRecorder *) noexcept;
  ILogger *getLogger() const noexcept;
};

//===-- Running them -----------------------------------------------------------===//

class IEngineInspector {
public:
  virtual ~IEngineInspector() noexcept = default;
  const AsciiChar *getEngineInformation(LayerInformationFormat) const noexcept;
  const AsciiChar *getLayerInformation(int32_t, LayerInformationFormat) const noexcept;
};
class IRefitter {
public:
  virtual ~IRefitter() noexcept = default;
  void destroy() noexcept;
  bool setWeights(const char *, WeightsRole, Weights) noexcept;
  bool setNamedWeights(const char *, Weights) noexcept;
  bool refitCudaEngine() noexcept;
};
class ISerializationConfig {
public:
  virtual ~ISerializationConfig() noexcept = default;
};
class IRuntimeConfig {
public:
  virtual ~IRuntimeConfig() noexcept = default;
};
class IRuntime {
public:
  virtual ~IRuntime() noexcept = default;
  void destroy() noexcept;
  ICudaEngine *deserializeCudaEngine(const void *, size_t) noexcept;
  ICudaEngine *deserializeCudaEngine(const void *, size_t, void *) noexcept;
  ICudaEngine *deserializeCudaEngine(IStreamReader &);
  void setDLACore(int32_t) noexcept;
  int32_t getNbDLACores() const noexcept;
  void setGpuAllocator(IGpuAllocator *) noexcept;
  void setErrorRecorder(IErrorRecorder *) noexcept;
  void setMaxThreads(int32_t) noexcept;
  ILogger *getLogger() const noexcept;
};
class ICudaEngine {
public:
  virtual ~ICudaEngine() noexcept = default;
  void destroy() noexcept;
  IExecutionContext *createExecutionContext(
      ExecutionContextAllocationStrategy = ExecutionContextAllocationStrategy::kSTATIC) noexcept;
  IExecutionContext *createExecutionContextWithoutDeviceMemory() noexcept;
  IExecutionContext *createExecutionContext(IRuntimeConfig *) noexcept;
  IEngineInspector *createEngineInspector() const noexcept;
  IRuntimeConfig *createRuntimeConfig() noexcept;
  ISerializationConfig *createSerializationConfig() noexcept;
  IHostMemory *serialize() const noexcept;
  IHostMemory *serializeWithConfig(ISerializationConfig &) const noexcept;
  int32_t getNbBindings() const noexcept;
  int32_t getBindingIndex(const char *) const noexcept;
  const char *getBindingName(int32_t) const noexcept;
  bool bindingIsInput(int32_t) const noexcept;
  Dims getBindingDimensions(int32_t) const noexcept;
  DataType getBindingDataType(int32_t) const noexcept;
  TensorFormat getBindingFormat(int32_t) const noexcept;
  int32_t getBindingVectorizedDim(int32_t) const noexcept;
  int32_t getBindingComponentsPerElement(int32_t) const noexcept;
  bool isShapeBinding(int32_t) const noexcept;
  bool isExecutionBinding(int32_t) const noexcept;
  int32_t getMaxBatchSize() const noexcept;
  bool hasImplicitBatchDimension() const noexcept;
  int32_t getNbLayers() const noexcept;
  size_t getWorkspaceSize() const noexcept;
  size_t getDeviceMemorySize() const noexcept;
  int64_t getDeviceMemorySizeV2() const noexcept;
  int32_t getNbIOTensors() const noexcept;
  const char *getIOTensorName(int32_t) const noexcept;
  TensorIOMode getTensorIOMode(const char *) const noexcept;
  Dims getTensorShape(const char *) const noexcept;
  DataType getTensorDataType(const char *) const noexcept;
  TensorFormat getTensorFormat(const char *) const noexcept;
  TensorLocation getTensorLocation(const char *) const noexcept;
  int32_t getTensorBytesPerComponent(const char *) const noexcept;
  int32_t getTensorComponentsPerElement(const char *) const noexcept;
  int32_t getTensorVectorizedDim(const char *) const noexcept;
  int32_t getNbOptimizationProfiles() const noexcept;
  Dims getProfileDimensions(int32_t, int32_t, OptProfileSelector) const noexcept;
  Dims getProfileShape(const char *, int32_t, OptProfileSelector) const noexcept;
  const char *getName() const noexcept;
  bool isRefittable() const noexcept;
};
class IExecutionContext {
public:
  virtual ~IExecutionContext() noexcept = default;
  void destroy() noexcept;
  bool execute(int32_t, void *const *) noexcept;
  bool executeV2(void *const *) noexcept;
  bool enqueue(int32_t, void *const *, cudaStream_t, cudaEvent_t *) noexcept;
  bool enqueueV2(void *const *, cudaStream_t, cudaEvent_t *) noexcept;
  bool enqueueV3(cudaStream_t) noexcept;
  void setDebugSync(bool) noexcept;
  void setProfiler(IProfiler *) noexcept;
  IProfiler *getProfiler() const noexcept;
  const ICudaEngine &getEngine() const noexcept;
  void setName(const char *) noexcept;
  const char *getName() const noexcept;
  void setDeviceMemory(void *) noexcept;
  void setDeviceMemoryV2(void *, int64_t) noexcept;
  bool setBindingDimensions(int32_t, Dims) noexcept;
  Dims getBindingDimensions(int32_t) const noexcept;
  Dims getStrides(int32_t) const noexcept;
  bool setInputShapeBinding(int32_t, const int32_t *) noexcept;
  bool allInputDimensionsSpecified() const noexcept;
  bool allInputShapesSpecified() const noexcept;
  bool setOptimizationProfile(int32_t) noexcept;
  bool setOptimizationProfileAsync(int32_t, cudaStream_t) noexcept;
  int32_t getOptimizationProfile() const noexcept;
  bool setInputShape(const char *, const Dims &) noexcept;
  Dims getTensorShape(const char *) const noexcept;
  Dims getTensorStrides(const char *) const noexcept;
  bool setTensorAddress(const char *, void *) noexcept;
  bool setInputTensorAddress(const char *, const void *) noexcept;
  bool setOutputTensorAddress(const char *, void *) noexcept;
  const void *getTensorAddress(const char *) const noexcept;
  void *getOutputTensorAddress(const char *) const noexcept;
  bool setOutputAllocator(const char *, IOutputAllocator *) noexcept;
  int64_t getMaxOutputSize(const char *) const noexcept;
  int32_t inferShapes(int32_t, const char **) noexcept;
  bool setInputConsumedEvent(cudaEvent_t) noexcept;
  bool setEnqueueEmitsProfile(bool) noexcept;
  bool reportToProfiler() const noexcept;
  void setErrorRecorder(IErrorRecorder *) noexcept;
};

IBuilder *createInferBuilder(ILogger &) noexcept;
IRuntime *createInferRuntime(ILogger &) noexcept;
IRefitter *createInferRefitter(ICudaEngine &, ILogger &) noexcept;

} // namespace nvinfer1

extern "C" nvinfer1::IPluginRegistry *getPluginRegistry() noexcept;
extern "C" int32_t getInferLibVersion() noexcept;
extern "C" nvinfer1::ILogger *getLogger() noexcept;
extern "C" bool initLibNvInferPlugins(void *, const char *);

#endif // NV_INFER_H
