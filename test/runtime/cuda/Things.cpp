// A program that makes what is no memory, but has to be given back too. A mode per kind of
// object and its clean twin; comments as in Victim.cpp.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>

struct ChannelFormat {
  int X, Y, Z, W, Kind;
};
struct Extent {
  size_t Width, Height, Depth;
};
struct ncclUniqueId {
  char Bytes[128];
};

extern "C" {
int cudaStreamCreate(void **);
int cudaStreamDestroy(void *);
int cudaHostRegister(void *, size_t, unsigned);
int cudaHostUnregister(void *);
int cudaMalloc(void **, size_t);
int cudaFree(void *);
int cudaMallocHost(void **, size_t);
int cudaFreeHost(void *);
int cudaMallocArray(void **, const ChannelFormat *, size_t, size_t, unsigned);
int cudaFreeArray(void *);
int cudaMallocMipmappedArray(void **, const ChannelFormat *, Extent, unsigned, unsigned);
int cudaFreeMipmappedArray(void *);
int cudaMemPoolCreate(void **, const void *);
int cudaMemPoolDestroy(void *);
int cuModuleLoadDataEx(void **, const void *, unsigned, void *, void **);
int cuModuleUnload(void *);
int cusparseCreateDnVec(void **, int64_t, void *, int);
int cusparseDestroyDnVec(void *);
int cublasLtMatrixLayoutCreate(void **, int, uint64_t, uint64_t, int64_t);
int cublasLtMatrixLayoutDestroy(void *);
int cudaGraphCreate(void **, unsigned);
int cudaGraphDestroy(void *);
int cudaStreamEndCapture(void *, void **);
int cudaGraphInstantiate(void **, void *, uint64_t);
int cudaGraphExecDestroy(void *);
int cudaCreateTextureObject(uint64_t *, const void *, const void *, const void *);
int cudaDestroyTextureObject(uint64_t);
int cudaCreateSurfaceObject(uint64_t *, const void *);
int cudaDestroySurfaceObject(uint64_t);
int cudaDeviceReset();
int cufftPlan1d(int *, int, int, int);
int cufftPlanMany(int *, int, int *, int *, int, int, int *, int, int, int, int);
int cufftDestroy(int);
int ncclGroupStart();
int ncclGroupEnd();
int ncclCommInitRank(void **, int, ncclUniqueId, int);
int ncclCommInitAll(void **, int, const int *);
int ncclCommDestroy(void *);
}

static bool Clean = false;

static inline __attribute__((always_inline)) void textureOf(uint64_t *Texture) {
  cudaCreateTextureObject(Texture, nullptr, nullptr, nullptr);
}

static inline __attribute__((always_inline)) void batchOf(int *Plan) {
  int Size = 64;
  cufftPlanMany(Plan, 1, &Size, nullptr, 1, 64, nullptr, 1, 64, 0, 7);
}

static void texture(int Steps) {
  for (int I = 0; I < Steps; ++I) { // loop: texture
    uint64_t Texture = 0, Surface = 0;
    textureOf(&Texture);                        // finding: texture ownership plain texture
    cudaCreateSurfaceObject(&Surface, nullptr); // finding: surface ownership plain texture
    cudaDestroySurfaceObject(Surface);          // has the texture's number
    if (Clean)
      cudaDestroyTextureObject(Texture);
  } // end: texture
}

static void surface(int Steps) {
  for (int I = 0; I < Steps; ++I) { // loop: keeps
    uint64_t Surface = 0;
    cudaCreateSurfaceObject(&Surface, nullptr); // finding: keeps ownership plain keeps
    if (Clean)
      cudaDestroySurfaceObject(Surface);
  } // end: keeps
}

static void graph(int Steps) {
  for (int I = 0; I < Steps; ++I) { // loop: graph
    void *Graph = nullptr, *Captured = nullptr, *Ready = nullptr;
    cudaGraphCreate(&Graph, 0);               // finding: graph ownership plain graph
    cudaStreamEndCapture(nullptr, &Captured); // finding: captured ownership plain graph
    cudaGraphInstantiate(&Ready, Graph, 0);   // finding: ready ownership plain graph
    cudaGraphDestroy(Graph);
    if (!Clean)
      continue;
    cudaGraphDestroy(Captured);
    cudaGraphExecDestroy(Ready);
  } // end: graph
}

static void registered(int Steps) {
  for (int I = 0; I < Steps; ++I) { // loop: registered
    void *Data = std::malloc(4096);
    cudaHostRegister(Data, 4096, 0); // finding: registered ownership plain registered
    if (!Clean)
      continue;
    cudaHostUnregister(Data);
    std::free(Data);
  } // end: registered
}

static void array(int Steps) {
  const ChannelFormat Floats{32, 0, 0, 0, 2};
  for (int I = 0; I < Steps; ++I) { // loop: array
    void *Array = nullptr;
    cudaMallocArray(&Array, &Floats, 64, 16, 0); // finding: array ownership plain array
    if (Clean)
      cudaFreeArray(Array);
  } // end: array
}

static void pool(int Steps) {
  const ChannelFormat Floats{32, 0, 0, 0, 2};
  for (int I = 0; I < Steps; ++I) { // loop: pool
    void *Pool = nullptr, *Levels = nullptr;
    const Extent Size{64, 16, 0};
    cudaMemPoolCreate(&Pool, nullptr); // finding: pool ownership plain pool
    cudaMallocMipmappedArray(&Levels, &Floats, Size, 1, 0); // finding: levels ownership plain pool
    if (!Clean)
      continue;
    cudaMemPoolDestroy(Pool);
    cudaFreeMipmappedArray(Levels);
  } // end: pool
}

static void module(int Steps) {
  for (int I = 0; I < Steps; ++I) { // loop: module
    void *Kept = nullptr, *Given = nullptr;
    cuModuleLoadDataEx(&Kept, "ptx", 0, nullptr, nullptr);  // finding: kept ownership plain module
    cuModuleLoadDataEx(&Given, "ptx", 0, nullptr, nullptr); // finding: unloaded ownership plain module
    cuModuleUnload(Given);
    if (Clean)
      cuModuleUnload(Kept);
  } // end: module
}

static void descriptor(int Steps) {
  for (int I = 0; I < Steps; ++I) { // loop: descriptor
    void *Vector = nullptr, *Layout = nullptr, *Given = nullptr;
    cusparseCreateDnVec(&Vector, 64, nullptr, 7);      // finding: vector ownership plain descriptor
    cublasLtMatrixLayoutCreate(&Layout, 0, 2, 3, 4);   // finding: layout ownership plain descriptor
    cusparseCreateDnVec(&Given, 64, nullptr, 7);       // finding: given ownership plain descriptor
    cusparseDestroyDnVec(Given);
    if (!Clean)
      continue;
    cusparseDestroyDnVec(Vector);
    cublasLtMatrixLayoutDestroy(Layout);
  } // end: descriptor
}

/// What each call gets was made by another, and stays.
static void wrong(int Steps) {
  const ChannelFormat Floats{32, 0, 0, 0, 2};
  for (int I = 0; I < Steps; ++I) { // loop: wrong
    void *Array = nullptr, *Pinned = nullptr;
    cudaMallocArray(&Array, &Floats, 64, 16, 0); // finding: wrong-array ownership plain wrong
    cudaMallocHost(&Pinned, 4096);               // finding: wrong-pinned ownership plain wrong
    if (Clean) {
      cudaFreeArray(Array);
      cudaFreeHost(Pinned);
    } else {
      cudaFree(Array);
      cudaFree(Pinned);
    }
  } // end: wrong
}

static void plan(int Steps) {
  for (int I = 0; I < Steps; ++I) { // loop: plan
    int Plan = 0, Many = 0, Failed = 0;
    cufftPlan1d(&Failed, 0, 0, 1); // finding: failed ownership plain plan
    cufftPlan1d(&Plan, 64, 0, 1);  // finding: plan ownership plain plan
    batchOf(&Many);                // finding: many ownership plain plan
    cufftDestroy(Many);
    if (Clean)
      cufftDestroy(Plan);
  } // end: plan
}

static void communicator(int Steps) {
  ncclUniqueId Id{};
  Id.Bytes[127] = 'x';
  for (int I = 0; I < Steps; ++I) { // loop: communicator
    void *Comm = nullptr, *Later = nullptr, *All[2] = {};
    ncclCommInitRank(&Comm, 1, Id, 0); // finding: communicator ownership plain communicator
    ncclCommInitAll(All, 2, nullptr);  // finding: all ownership plain communicator
    ncclGroupStart();
    ncclCommInitRank(&Later, 1, Id, 0); // finding: grouped ownership plain communicator
    ncclGroupEnd();
    ncclCommDestroy(Later);
    ncclCommDestroy(All[0]);
    if (!Clean)
      continue;
    ncclCommDestroy(All[1]);
    ncclCommDestroy(Comm);
  } // end: communicator
}

static void once(int) {
  void *Stream = nullptr;
  cudaStreamCreate(&Stream); // finding: stream ownership plain
  if (Clean)
    cudaStreamDestroy(Stream);
}

/// Gives its stream back when the program ends, after main.
static struct Owner {
  void *Stream = nullptr;
  ~Owner() {
    if (Stream && Clean)
      cudaStreamDestroy(Stream);
  }
} Global;

static void global(int) {
  cudaStreamCreate(&Global.Stream); // finding: global ownership plain
}

static void reset(int) {
  void *Data = nullptr, *Stream = nullptr;
  cudaMalloc(&Data, 4096); // finding: reset ownership plain
  cudaStreamCreate(&Stream);
  cudaDeviceReset();
}

int main(int, char **Arguments) {
  std::map<std::string, std::function<void(int)>> Modes{
      {"texture", texture}, {"surface", surface},
      {"graph", graph},     {"registered", registered},
      {"array", array},     {"plan", plan},
      {"once", once},       {"global", global},
      {"reset", reset},     {"communicator", communicator},
      {"wrong", wrong},     {"pool", pool},
      {"descriptor", descriptor}, {"module", module}};
  std::string Mode = Arguments[1];
  Clean = Mode.rfind("clean-", 0) == 0;
  Modes.at(Clean ? Mode.substr(std::strlen("clean-")) : Mode)(60);
  std::puts("done");
  return 0;
}
