// A file that asks a texture object what it was made of frees the array by that.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

static cudaTextureObject_t make(int size) {
  cudaArray_t pixels = nullptr;
  cudaChannelFormatDesc format = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
  cudaMallocArray(&pixels, &format, size, size);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = pixels;
  cudaTextureDesc texture = {};
  cudaTextureObject_t made = 0;
  cudaCreateTextureObject(&made, &resource, &texture, nullptr); // expected-path {{it is allocated here}}
  return made;
}

static void destroy(cudaTextureObject_t texture) {
  cudaResourceDesc resource = {};
  cudaGetTextureObjectResourceDesc(&resource, texture);
  cudaDestroyTextureObject(texture);
  cudaFreeArray(resource.res.array.array);
}

void shows(int size) {
  cudaTextureObject_t texture = make(size);
  cudaDeviceSynchronize();
  destroy(texture);
}

// An array that no texture is made of.
void forgets(int size) {
  cudaArray_t pixels = nullptr;
  cudaChannelFormatDesc format = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
  cudaMallocArray(&pixels, &format, size, size); // expected-warning {{a CUDA array in 'pixels' is not given back before 'forgets' returns}} [tensor-unfreed-device-memory]
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = pixels;
}

// A texture that nobody destroys: asking for the array does not do it.
void keeps_texture(int size) {
  cudaTextureObject_t texture = make(size); // expected-warning {{a texture object}} [tensor-unfreed-device-memory]
  cudaResourceDesc resource = {};
  cudaGetTextureObjectResourceDesc(&resource, texture);
  cudaFreeArray(resource.res.array.array);
}
