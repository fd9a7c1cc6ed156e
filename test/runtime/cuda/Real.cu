// The same objects as in Things.cpp from the real CUDA runtime, cuFFT and NCCL. The clean
// lines are in the same loops.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>

#ifdef WITH_LIBRARIES
#include <cufft.h>
#include <nccl.h>
#endif

static cudaArray_t newArray() {
  cudaChannelFormatDesc Floats = cudaCreateChannelDesc<float>();
  cudaArray_t Array;
  cudaMallocArray(&Array, &Floats, 64, 16, cudaArraySurfaceLoadStore);
  return Array;
}

static cudaResourceDesc resourceOf(cudaArray_t Array) {
  cudaResourceDesc Resource{};
  Resource.resType = cudaResourceTypeArray;
  Resource.res.array.array = Array;
  return Resource;
}

static void texture(int Steps) {
  cudaArray_t Array = newArray();
  cudaResourceDesc Resource = resourceOf(Array);
  cudaTextureDesc How{};
  for (int I = 0; I < Steps; ++I) { // loop: texture
    cudaTextureObject_t Kept = 0, Gone = 0;
    cudaSurfaceObject_t Surface = 0, Lost = 0;
    cudaCreateTextureObject(&Kept, &Resource, &How, nullptr); // finding: texture ownership plain texture
    cudaCreateTextureObject(&Gone, &Resource, &How, nullptr); // finding: untextured ownership plain texture
    cudaCreateSurfaceObject(&Surface, &Resource); // finding: surface ownership plain texture
    cudaCreateSurfaceObject(&Lost, &Resource); // finding: lost ownership plain texture
    cudaDestroyTextureObject(Gone);
    cudaDestroySurfaceObject(Surface);
  } // end: texture
  cudaFreeArray(Array);
}

static void graph(int Steps) {
  cudaStream_t Stream;
  cudaStreamCreate(&Stream);
  for (int I = 0; I < Steps; ++I) { // loop: graph
    cudaGraph_t Graph, Captured;
    cudaGraphExec_t Ready, Used;
    cudaGraphCreate(&Graph, 0); // finding: graph ownership plain graph
    cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal);
    cudaStreamEndCapture(Stream, &Captured); // finding: captured ownership plain graph
    cudaGraphInstantiate(&Ready, Graph, 0); // finding: ready ownership plain graph
    cudaGraphInstantiate(&Used, Graph, 0); // finding: used ownership plain graph
    cudaGraphDestroy(Graph);
    cudaGraphExecDestroy(Used);
  } // end: graph
  cudaStreamDestroy(Stream);
}

static void registered(int Steps) {
  for (int I = 0; I < Steps; ++I) { // loop: registered
    void *Data = std::aligned_alloc(4096, 4096), *Other = std::aligned_alloc(4096, 4096);
    cudaHostRegister(Data, 4096, 0); // finding: registered ownership plain registered
    cudaHostRegister(Other, 4096, 0); // finding: undone ownership plain registered
    cudaHostUnregister(Other);
    std::free(Other);
  } // end: registered
}

static void array(int Steps) {
  cudaChannelFormatDesc Floats = cudaCreateChannelDesc<float>();
  for (int I = 0; I < Steps; ++I) { // loop: array
    cudaArray_t Kept, Gone;
    cudaMallocArray(&Kept, &Floats, 64, 16); // finding: array ownership plain array
    cudaMallocArray(&Gone, &Floats, 64, 16); // finding: unarray ownership plain array
    cudaFreeArray(Gone);
  } // end: array
}

static void reset(int) {
  void *Data;
  cudaMalloc(&Data, 4096); // finding: reset ownership plain
  cudaDeviceReset();
}

#ifdef WITH_LIBRARIES
static void plan(int Steps) {
  for (int I = 0; I < Steps; ++I) { // loop: plan
    cufftHandle Kept, Gone;
    cufftPlan1d(&Kept, 64, CUFFT_C2C, 1); // finding: plan ownership plain plan
    cufftPlan2d(&Gone, 16, 16, CUFFT_C2C); // finding: unplan ownership plain plan
    cufftDestroy(Gone);
  } // end: plan
}

static void communicator(int) {
  ncclUniqueId Id;
  ncclComm_t Kept, Gone;
  ncclGetUniqueId(&Id);
  ncclCommInitRank(&Kept, 1, Id, 0); // finding: communicator ownership plain
  int Device = 0;
  ncclCommInitAll(&Gone, 1, &Device); // finding: uncommunicator ownership plain
  ncclCommDestroy(Gone);
}
#else
static void plan(int) {}
static void communicator(int) {}
#endif

int main(int, char **Arguments) {
  std::map<std::string, std::function<void(int)>> Modes{
      {"texture", texture}, {"graph", graph}, {"registered", registered},    {"array", array},
      {"reset", reset},     {"plan", plan},   {"communicator", communicator}};
  Modes.at(Arguments[1])(60);
  if (cudaError_t Error = cudaGetLastError())
    std::printf("%s\n", cudaGetErrorString(Error));
  std::puts("done");
  return 0;
}
