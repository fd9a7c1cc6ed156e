// Objects of TensorRT: what makes one, what ends one, and what only uses it.
//
// RUN: %check_tensor %s
#include <NvInfer.h>
#include <NvOnnxParser.h>
#include <cuda_runtime_api.h>
#include <memory>
#include <vector>

using namespace nvinfer1;

class Log : public ILogger {
  void log(Severity, const char *) noexcept override {}
};
static Log logger;

//===-- In a class ----------------------------------------------------------===//

class Detector {
public:
  Detector(const void *plan, size_t bytes) {
    runtime = createInferRuntime(logger);
    engine = runtime->deserializeCudaEngine(plan, bytes);
    context = engine->createExecutionContext(); // expected-warning {{a TensorRT object in 'context' is never given back; '~Detector' frees}} [tensor-unfreed-device-memory]
    cudaMalloc(&buffers[0], 1024);
    cudaMalloc(&buffers[1], 1024);
  }
  ~Detector() { // expected-path {{'~Detector' is here}}
    cudaFree(buffers[0]);
    cudaFree(buffers[1]);
    delete engine;
    delete runtime;
  }
  void infer(cudaStream_t stream) { context->enqueueV2(buffers, stream, nullptr); }

private:
  IRuntime *runtime;
  ICudaEngine *engine;
  IExecutionContext *context;
  void *buffers[2];
};

// Near misses: all are deleted, or owned.

class Owned {
public:
  Owned(const void *plan, size_t bytes)
      : runtime(createInferRuntime(logger)), engine(runtime->deserializeCudaEngine(plan, bytes)),
        context(engine->createExecutionContext()) {}

private:
  std::unique_ptr<IRuntime> runtime;
  std::shared_ptr<ICudaEngine> engine;
  std::unique_ptr<IExecutionContext> context;
};

class Pool {
public:
  Pool(ICudaEngine &engine, int n) {
    for (int i = 0; i < n; ++i)
      contexts.push_back(engine.createExecutionContext());
  }
  ~Pool() {
    for (IExecutionContext *each : contexts)
      delete each;
  }

private:
  std::vector<IExecutionContext *> contexts;
};

//===-- In a function -------------------------------------------------------===//

bool build(const char *file) {
  IBuilder *builder = createInferBuilder(logger);
  INetworkDefinition *network = builder->createNetworkV2(1);
  nvonnxparser::IParser *parser = nvonnxparser::createParser(*network, logger);
  IBuilderConfig *config = builder->createBuilderConfig(); // expected-warning {{a TensorRT object in 'config' is not given back}} [tensor-unfreed-device-memory]
  parser->parseFromFile(file, 1);
  ICudaEngine *engine = builder->buildEngineWithConfig(*network, *config);
  engine->destroy(); // expected-path {{others are freed here}}
  parser->destroy();
  network->destroy();
  builder->destroy();
  return true;
}

bool build_and_destroy(const char *file) {
  IBuilder *builder = createInferBuilder(logger);
  INetworkDefinition *network = builder->createNetworkV2(1);
  IBuilderConfig *config = builder->createBuilderConfig();
  IHostMemory *plan = builder->buildSerializedNetwork(*network, *config);
  delete plan;
  delete config;
  delete network;
  delete builder;
  return true;
}

ICudaEngine *loaded(IRuntime &runtime, const void *plan, size_t bytes) {
  return runtime.deserializeCudaEngine(plan, bytes);
}

// Who runs a network with memory keeps none of it.
bool infer(IExecutionContext *context, const float *host, size_t bytes, cudaStream_t stream) {
  void *bindings[2];
  cudaMalloc(&bindings[0], bytes);
  cudaMalloc(&bindings[1], bytes); // expected-warning {{'bindings[1]' is not given back}} [tensor-unfreed-device-memory]
  cudaMemcpyAsync(bindings[0], host, bytes, cudaMemcpyHostToDevice, stream);
  context->setTensorAddress("out", bindings[1]);
  bool done = context->enqueueV2(bindings, stream, nullptr);
  cudaFree(bindings[0]); // expected-path {{others are freed here}}
  return done;
}

// A plugin of the program's own may keep what it is given, wherever it stands.
namespace nvinfer1 {
class Sink {
public:
  void keep(void *data);
};
} // namespace nvinfer1

void handed_to_a_plugin(Sink &sink, size_t bytes) {
  void *data;
  cudaMalloc(&data, bytes);
  sink.keep(data);
}

// Deletes what is no object of TensorRT's.
struct Plain {
  float *data;
};
void plain(int n) {
  Plain *p = new Plain;
  cudaMalloc((void **)&p->data, n);
  cudaFree(p->data);
  delete p;
}
