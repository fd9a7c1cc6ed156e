// Calls of TensorRT, one a line: what the model says of each. Its functions and methods only use
// what they are given.
//
// RUN: %check_facts %s
#include <NvCaffeParser.h>
#include <NvInfer.h>
#include <NvOnnxParser.h>
#include <NvUffParser.h>

using namespace nvinfer1;
using namespace nvcaffeparser1;
using namespace nvonnxparser;
using namespace nvuffparser;

struct Log : ILogger {
  void log(Severity, const char *) noexcept override {}
};

//===-- nvinfer1 ----------------------------------------------------------===//

void nvinfer1_lines(Log log, IRuntime *runtime, ICudaEngine *engine, IBuilder *builder,
                    INetworkDefinition *network, IBuilderConfig *config,
                    ISerializationConfig *how, const void *plan, void **buffers) {
  { auto *p = createInferRuntime(log); } // FACTS: call createInferRuntime: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
  { auto *p = createInferBuilder(log); } // FACTS: call createInferBuilder: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
  { auto *p = createInferRefitter(*engine, log); } // FACTS: call createInferRefitter: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
  { auto *p = runtime->IRuntime::deserializeCudaEngine(plan, 1); } // FACTS: call deserializeCudaEngine: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
  { auto *p = engine->ICudaEngine::createExecutionContext(); } // FACTS: call createExecutionContext: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
  { auto *p = engine->ICudaEngine::createExecutionContextWithoutDeviceMemory(); } // FACTS: call createExecutionContextWithoutDeviceMemory: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
  { auto *p = engine->ICudaEngine::serialize(); } // FACTS: call serialize: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
  { auto *p = engine->ICudaEngine::serializeWithConfig(*how); } // FACTS: call serializeWithConfig: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
  { auto *p = engine->ICudaEngine::createEngineInspector(); } // FACTS: call createEngineInspector: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
  { auto *p = engine->ICudaEngine::createRuntimeConfig(); } // FACTS: call createRuntimeConfig: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
  { auto *p = engine->ICudaEngine::createSerializationConfig(); } // FACTS: call createSerializationConfig: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
  { auto *p = builder->IBuilder::createNetworkV2(1); } // FACTS: call createNetworkV2: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
  { auto *p = builder->IBuilder::createNetwork(); } // FACTS: call createNetwork: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
  { auto *p = builder->IBuilder::createBuilderConfig(); } // FACTS: call createBuilderConfig: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
  { auto *p = builder->IBuilder::buildEngineWithConfig(*network, *config); } // FACTS: call buildEngineWithConfig: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
  { auto *p = builder->IBuilder::buildCudaEngine(*network); } // FACTS: call buildCudaEngine: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
  { auto *p = builder->IBuilder::buildSerializedNetwork(*network, *config); } // FACTS: call buildSerializedNetwork: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
}

void nvinfer1_releases(IRuntime *runtime, ICudaEngine *engine, IExecutionContext *context,
                       IHostMemory *plan, IBuilder *builder, INetworkDefinition *network,
                       IBuilderConfig *config, IRefitter *refitter, void **buffers) {
  context->enqueueV2(buffers, nullptr, nullptr); // FACTS: call enqueueV2: not in the model
  runtime->IRuntime::destroy(); // FACTS: call destroy: FreeSelf TensorRt; resource Release runtime
  engine->ICudaEngine::destroy(); // FACTS: call destroy: FreeSelf TensorRt; resource Release engine
  context->IExecutionContext::destroy(); // FACTS: call destroy: FreeSelf TensorRt; resource Release context
  plan->IHostMemory::destroy(); // FACTS: call destroy: FreeSelf TensorRt; resource Release plan
  builder->IBuilder::destroy(); // FACTS: call destroy: FreeSelf TensorRt; resource Release builder
  network->INetworkDefinition::destroy(); // FACTS: call destroy: FreeSelf TensorRt; resource Release network
  config->IBuilderConfig::destroy(); // FACTS: call destroy: FreeSelf TensorRt; resource Release config
  refitter->IRefitter::destroy(); // FACTS: call destroy: FreeSelf TensorRt; resource Release refitter
  delete context; // FACTS: resource Release context
}

//===-- nvonnxparser ------------------------------------------------------===//

void nvonnxparser_lines(INetworkDefinition *network, Log log) {
  { auto *p = createParser(*network, log); } // FACTS: call createParser: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
}
void nvonnxparser_releases(nvonnxparser::IParser *parser) {
  parser->IParser::destroy(); // FACTS: call destroy: FreeSelf TensorRt; resource Release parser
}

//===-- nvcaffeparser1 ----------------------------------------------------===//

void nvcaffeparser1_lines() {
  { auto *p = createCaffeParser(); } // FACTS: call createCaffeParser: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
}
void nvcaffeparser1_releases(nvcaffeparser1::ICaffeParser *parser) {
  parser->ICaffeParser::destroy(); // FACTS: call destroy: FreeSelf TensorRt; resource Release parser
}

//===-- nvuffparser -------------------------------------------------------===//

void nvuffparser_lines() {
  { auto *p = createUffParser(); } // FACTS: call createUffParser: Result TensorRt (a TensorRT object, delete); resource Acquire := TensorRt; resource Assign p := TensorRt
}
void nvuffparser_releases(nvuffparser::IUffParser *parser) {
  parser->IUffParser::destroy(); // FACTS: call destroy: FreeSelf TensorRt; resource Release parser
}
