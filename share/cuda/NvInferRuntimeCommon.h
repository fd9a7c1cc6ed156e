//===-- NvInferRuntimeCommon.h - TensorRT: types, and what programs derive from -===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NV_INFER_RUNTIME_COMMON_H
#define NV_INFER_RUNTIME_COMMON_H
#define NV_INFER_VERSION_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#define NV_TENSORRT_MAJOR 8
#define NV_TENSORRT_MINOR 6
#define NV_TENSORRT_PATCH 1
#define NV_TENSORRT_BUILD 6
#define NV_TENSORRT_SONAME_MAJOR 8
#define NV_TENSORRT_VERSION 8601
#define TENSORRTAPI
#define TRT_NOEXCEPT noexcept
#define TRT_DEPRECATED
#define TRT_DEPRECATED_API

namespace nvinfer1 {

using char_t = char;
using AsciiChar = char_t;
using TensorFormats = uint32_t;
using NetworkDefinitionCreationFlags = uint32_t;
using BuilderFlags = uint32_t;
using TacticSources = uint32_t;

class IBuilder;
class IBuilderConfig;
class ICudaEngine;
class IExecutionContext;
class INetworkDefinition;
class IOptimizationProfile;
class IPluginV2;
class IPluginCreator;

enum class DataType : int32_t {
  kFLOAT = 0,
  kHALF = 1,
  kINT8 = 2,
  kINT32 = 3,
  kBOOL = 4,
  kUINT8 = 5,
  kFP8 = 6,
  kBF16 = 7,
  kINT64 = 8,
  kINT4 = 9
};
enum class TensorFormat : int32_t {
  kLINEAR = 0,
  kNCHW = 0,
  kCHW2 = 1,
  kNC2HW2 = 1,
  kHWC8 = 2,
  kNHWC8 = 2,
  kCHW4 = 3,
  kCHW16 = 4,
  kCHW32 = 5,
  kDHWC8 = 6,
  kCDHW32 = 7,
  kHWC = 8,
  kDLA_LINEAR = 9,
  kDLA_HWC4 = 10,
  kHWC16 = 11
};
using PluginFormat = TensorFormat;
enum class TensorIOMode : int32_t { kNONE = 0, kINPUT = 1, kOUTPUT = 2 };
enum class TensorLocation : int32_t { kDEVICE = 0, kHOST = 1 };
enum class DeviceType : int32_t { kGPU, kDLA };
enum class OptProfileSelector : int32_t { kMIN = 0, kOPT = 1, kMAX = 2 };
enum class WeightsRole : int32_t { kKERNEL = 0, kBIAS, kSHIFT, kSCALE, kCONSTANT, kANY };
enum class BuilderFlag : int32_t {
  kFP16 = 0,
  kINT8 = 1,
  kDEBUG = 2,
  kGPU_FALLBACK = 3,
  kSTRICT_TYPES = 4,
  kREFIT = 5,
  kDISABLE_TIMING_CACHE = 6,
  kTF32 = 7,
  kSPARSE_WEIGHTS = 8,
  kSAFETY_SCOPE = 9,
  kOBEY_PRECISION_CONSTRAINTS = 10,
  kPREFER_PRECISION_CONSTRAINTS = 11,
  kVERSION_COMPATIBLE = 14,
  kBF16,
  kFP8
};
enum class NetworkDefinitionCreationFlag : int32_t {
  kEXPLICIT_BATCH = 0,
  kEXPLICIT_PRECISION = 1,
  kSTRONGLY_TYPED = 1
};
enum class MemoryPoolType : int32_t {
  kWORKSPACE = 0,
  kDLA_MANAGED_SRAM = 1,
  kDLA_LOCAL_DRAM = 2,
  kDLA_GLOBAL_DRAM = 3,
  kTACTIC_DRAM = 4
};
enum class TacticSource : int32_t {
  kCUBLAS = 0,
  kCUBLAS_LT = 1,
  kCUDNN = 2,
  kEDGE_MASK_CONVOLUTIONS = 3,
  kJIT_CONVOLUTIONS = 4
};
enum class EngineCapability : int32_t { kDEFAULT = 0, kSTANDARD = 0, kSAFETY = 1, kDLA_STANDALONE };
enum class ProfilingVerbosity : int32_t { kLAYER_NAMES_ONLY = 0, kDEFAULT = 0, kNONE, kDETAILED };
enum class LayerInformationFormat : int32_t { kONELINE = 0, kJSON = 1 };
enum class ExecutionContextAllocationStrategy : int32_t {
  kSTATIC = 0,
  kON_PROFILE_CHANGE = 1,
  kUSER_MANAGED = 2
};
enum class HardwareCompatibilityLevel : int32_t { kNONE = 0, kAMPERE_PLUS = 1 };
enum class CalibrationAlgoType : int32_t {
  kLEGACY_CALIBRATION = 0,
  kENTROPY_CALIBRATION = 1,
  kENTROPY_CALIBRATION_2 = 2,
  kMINMAX_CALIBRATION = 3
};
enum class ActivationType : int32_t {
  kRELU = 0,
  kSIGMOID,
  kTANH,
  kLEAKY_RELU,
  kELU,
  kSELU,
  kSOFTSIGN,
  kSOFTPLUS,
  kCLIP,
  kHARD_SIGMOID,
  kSCALED_TANH,
  kTHRESHOLDED_RELU
};
enum class PoolingType : int32_t { kMAX = 0, kAVERAGE, kMAX_AVERAGE_BLEND };
enum class ScaleMode : int32_t { kUNIFORM = 0, kCHANNEL, kELEMENTWISE };
enum class PaddingMode : int32_t {
  kEXPLICIT_ROUND_DOWN = 0,
  kEXPLICIT_ROUND_UP,
  kSAME_UPPER,
  kSAME_LOWER,
  kCAFFE_ROUND_DOWN,
  kCAFFE_ROUND_UP
};
enum class ElementWiseOperation : int32_t {
  kSUM = 0,
  kPROD,
  kMAX,
  kMIN,
  kSUB,
  kDIV,
  kPOW,
  kFLOOR_DIV,
  kAND,
  kOR,
  kXOR,
  kEQUAL,
  kGREATER,
  kLESS
};
enum class UnaryOperation : int32_t { kEXP = 0, kLOG, kSQRT, kRECIP, kABS, kNEG, kSIN, kCOS };
enum class ReduceOperation : int32_t { kSUM = 0, kPROD, kMAX, kMIN, kAVG };
enum class TopKOperation : int32_t { kMAX = 0, kMIN };
enum class MatrixOperation : int32_t { kNONE = 0, kTRANSPOSE, kVECTOR };
enum class ResizeMode : int32_t { kNEAREST = 0, kLINEAR, kCUBIC };
using InterpolationMode = ResizeMode;
enum class PluginFieldType : int32_t {
  kFLOAT16 = 0,
  kFLOAT32,
  kFLOAT64,
  kINT8,
  kINT16,
  kINT32,
  kCHAR,
  kDIMS,
  kUNKNOWN
};
enum class PluginVersion : uint8_t { kV2 = 0, kV2_EXT = 1, kV2_IOEXT = 2, kV2_DYNAMICEXT = 3 };
enum class ErrorCode : int32_t { kSUCCESS = 0, kUNSPECIFIED_ERROR, kINTERNAL_ERROR };

class Dims32 {
public:
  static constexpr int32_t MAX_DIMS{8};
  int32_t nbDims;
  int32_t d[MAX_DIMS];
};
using Dims = Dims32;
class Dims2 : public Dims {
public:
  Dims2();
  Dims2(int32_t, int32_t);
};
class DimsHW : public Dims2 {
public:
  DimsHW();
  DimsHW(int32_t, int32_t);
  int32_t &h();
  int32_t h() const;
  int32_t &w();
  int32_t w() const;
};
class Dims3 : public Dims2 {
public:
  Dims3();
  Dims3(int32_t, int32_t, int32_t);
};
using DimsCHW = Dims3;
class Dims4 : public Dims3 {
public:
  Dims4();
  Dims4(int32_t, int32_t, int32_t, int32_t);
};
using DimsNCHW = Dims4;
class Permutation {
public:
  int32_t order[Dims::MAX_DIMS];
};
class Weights {
public:
  DataType type;
  const void *values;
  int64_t count;
};
struct PluginTensorDesc {
  Dims dims;
  DataType type;
  TensorFormat format;
  float scale;
};
struct DynamicPluginTensorDesc {
  PluginTensorDesc desc;
  Dims min, max;
};
class IDimensionExpr {
public:
  bool isConstant() const noexcept;
  int32_t getConstantValue() const noexcept;
};
class DimsExprs {
public:
  int32_t nbDims;
  const IDimensionExpr *d[Dims::MAX_DIMS];
};
enum class DimensionOperation : int32_t { kSUM = 0, kPROD, kMAX, kMIN, kSUB, kEQUAL, kLESS };
class IExprBuilder {
public:
  const IDimensionExpr *constant(int32_t) noexcept;
  const IDimensionExpr *operation(DimensionOperation, const IDimensionExpr &,
                                  const IDimensionExpr &) noexcept;
};
class PluginField {
public:
  const AsciiChar *name;
  const void *data;
  PluginFieldType type;
  int32_t length;
  PluginField(const AsciiChar * = nullptr, const void * = nullptr,
              PluginFieldType = PluginFieldType::kUNKNOWN, int32_t = 0) noexcept;
};
struct PluginFieldCollection {
  int32_t nbFields;
  const PluginField *fields;
};

//===-- What programs derive from -------------------------------------------===//

class ILogger {
public:
  enum class Severity : int32_t {
    kINTERNAL_ERROR = 0,
    kERROR = 1,
    kWARNING = 2,
    kINFO = 3,
    kVERBOSE = 4
  };
  virtual void log(Severity, const AsciiChar *) noexcept = 0;
  ILogger() = default;
  virtual ~ILogger() = default;
};
class IProfiler {
public:
  virtual void reportLayerTime(const char *, float) noexcept = 0;
  virtual ~IProfiler() noexcept {}
};
class IErrorRecorder {
public:
  virtual ~IErrorRecorder() noexcept = default;
};
class IGpuAllocator {
public:
  virtual void *allocate(uint64_t, uint64_t, uint32_t) noexcept = 0;
  virtual void free(void *) noexcept {}
  virtual void *reallocate(void *, uint64_t, uint64_t) noexcept { return nullptr; }
  virtual bool deallocate(void *) noexcept { return false; }
  virtual ~IGpuAllocator() = default;
};
class IOutputAllocator {
public:
  virtual int32_t getInterfaceVersion() const noexcept { return 1; }
  virtual void *reallocateOutput(const char *, void *, uint64_t, uint64_t) noexcept = 0;
  virtual void notifyShape(const char *, const Dims &) noexcept = 0;
  virtual ~IOutputAllocator() = default;
};
class IStreamReader {
public:
  virtual ~IStreamReader() = default;
  virtual int64_t read(void *, int64_t) = 0;
};
class IInt8Calibrator {
public:
  virtual int32_t getBatchSize() const noexcept = 0;
  virtual bool getBatch(void *[], const char *[], int32_t) noexcept = 0;
  virtual const void *readCalibrationCache(size_t &) noexcept = 0;
  virtual void writeCalibrationCache(const void *, size_t) noexcept = 0;
  virtual CalibrationAlgoType getAlgorithm() noexcept = 0;
  virtual ~IInt8Calibrator() noexcept = default;
};
class IInt8EntropyCalibrator : public IInt8Calibrator {
public:
  CalibrationAlgoType getAlgorithm() noexcept override;
};
class IInt8EntropyCalibrator2 : public IInt8Calibrator {
public:
  CalibrationAlgoType getAlgorithm() noexcept override;
};
class IInt8MinMaxCalibrator : public IInt8Calibrator {
public:
  CalibrationAlgoType getAlgorithm() noexcept override;
};
class IPluginV2 {
public:
  virtual int32_t getTensorRTVersion() const noexcept { return 0; }
  virtual const AsciiChar *getPluginType() const noexcept = 0;
  virtual const AsciiChar *getPluginVersion() const noexcept = 0;
  virtual int32_t getNbOutputs() const noexcept = 0;
  virtual Dims getOutputDimensions(int32_t, const Dims *, int32_t) noexcept { return Dims{}; }
  virtual bool supportsFormat(DataType, PluginFormat) const noexcept { return false; }
  virtual void configureWithFormat(const Dims *, int32_t, const Dims *, int32_t, DataType,
                                   PluginFormat, int32_t) noexcept {}
  virtual int32_t initialize() noexcept = 0;
  virtual void terminate() noexcept = 0;
  virtual size_t getWorkspaceSize(int32_t) const noexcept { return 0; }
  virtual int32_t enqueue(int32_t, const void *const *, void *const *, void *,
                          cudaStream_t) noexcept {
    return 0;
  }
  virtual size_t getSerializationSize() const noexcept = 0;
  virtual void serialize(void *) const noexcept = 0;
  virtual void destroy() noexcept = 0;
  virtual IPluginV2 *clone() const noexcept = 0;
  virtual void setPluginNamespace(const AsciiChar *) noexcept = 0;
  virtual const AsciiChar *getPluginNamespace() const noexcept = 0;
  virtual ~IPluginV2() noexcept = default;
};
class IPluginV2Ext : public IPluginV2 {
public:
  virtual DataType getOutputDataType(int32_t, const DataType *, int32_t) const noexcept = 0;
  virtual bool isOutputBroadcastAcrossBatch(int32_t, const bool *, int32_t) const noexcept {
    return false;
  }
  virtual bool canBroadcastInputAcrossBatch(int32_t) const noexcept { return false; }
  virtual void configurePlugin(const Dims *, int32_t, const Dims *, int32_t, const DataType *,
                               const DataType *, const bool *, const bool *, PluginFormat,
                               int32_t) noexcept {}
  virtual void attachToContext(struct cudnnContext *, struct cublasContext *,
                               IGpuAllocator *) noexcept {}
  virtual void detachFromContext() noexcept {}
};
class IPluginV2IOExt : public IPluginV2Ext {
public:
  using IPluginV2Ext::configurePlugin;
  virtual void configurePlugin(const PluginTensorDesc *, int32_t, const PluginTensorDesc *,
                               int32_t) noexcept = 0;
  virtual bool supportsFormatCombination(int32_t, const PluginTensorDesc *, int32_t,
                                         int32_t) const noexcept = 0;
};
class IPluginV2DynamicExt : public IPluginV2Ext {
public:
  using IPluginV2::enqueue;
  using IPluginV2::getOutputDimensions;
  using IPluginV2::getWorkspaceSize;
  using IPluginV2Ext::configurePlugin;
  virtual DimsExprs getOutputDimensions(int32_t, const DimsExprs *, int32_t,
                                        IExprBuilder &) noexcept = 0;
  virtual bool supportsFormatCombination(int32_t, const PluginTensorDesc *, int32_t,
                                         int32_t) noexcept = 0;
  virtual void configurePlugin(const DynamicPluginTensorDesc *, int32_t,
                               const DynamicPluginTensorDesc *, int32_t) noexcept = 0;
  virtual size_t getWorkspaceSize(const PluginTensorDesc *, int32_t, const PluginTensorDesc *,
                                  int32_t) const noexcept = 0;
  virtual int32_t enqueue(const PluginTensorDesc *, const PluginTensorDesc *, const void *const *,
                          void *const *, void *, cudaStream_t) noexcept = 0;
};
class IPluginCreator {
public:
  virtual const AsciiChar *getPluginName() const noexcept = 0;
  virtual const AsciiChar *getPluginVersion() const noexcept = 0;
  virtual const PluginFieldCollection *getFieldNames() noexcept = 0;
  virtual IPluginV2 *createPlugin(const AsciiChar *, const PluginFieldCollection *) noexcept = 0;
  virtual IPluginV2 *deserializePlugin(const AsciiChar *, const void *, size_t) noexcept = 0;
  virtual void setPluginNamespace(const AsciiChar *) noexcept = 0;
  virtual const AsciiChar *getPluginNamespace() const noexcept = 0;
  virtual ~IPluginCreator() = default;
};
class IPluginRegistry {
public:
  bool registerCreator(IPluginCreator &, const AsciiChar *) noexcept;
  IPluginCreator *getPluginCreator(const AsciiChar *, const AsciiChar *,
                                   const AsciiChar * = "") noexcept;
  IPluginCreator *const *getPluginCreatorList(int32_t *) const noexcept;
};
template <typename T> class PluginRegistrar {
public:
  PluginRegistrar();

private:
  T instance{};
};
#define REGISTER_TENSORRT_PLUGIN(name)                                                             \
  static nvinfer1::PluginRegistrar<name> pluginRegistrar##name {}

} // namespace nvinfer1

#endif // NV_INFER_RUNTIME_COMMON_H
