// What an object on the heap is made with, where a variable is all that points to the object.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <memory>
#include <vector>

struct View {
  explicit View(float *from) : data(from) {}
  float *data;
};

struct Job {
  float *input;
  int n;
};

std::vector<View *> shown;
void keep(View *view);
void keep_owner(std::unique_ptr<View> view);

void made_with_new(int n) {
  float *data;
  cudaMalloc(&data, n); // expected-warning {{device memory in 'data' is not given back}} [tensor-unfreed-device-memory]
  View *view = new View(data);
  cudaMemset(view->data, 0, n);
  delete view;
} // expected-fix {{cudaFree(data);}}

void made_of_a_list(int n) {
  float *data;
  cudaMalloc(&data, n); // expected-warning {{device memory in 'data' is not given back}} [tensor-unfreed-device-memory]
  Job *job = new Job{data, n};
  cudaMemset(job->input, 0, job->n);
  delete job;
} // expected-fix {{cudaFree(data);}}

void made_by_the_library(int n) {
  float *data;
  cudaMalloc(&data, n); // expected-warning {{device memory in 'data' is not given back}} [tensor-unfreed-device-memory]
  auto view = std::make_unique<View>(data);
  cudaMemset(view->data, 0, n);
}

//===-- Near misses ---------------------------------------------------------------------===//

void freed_through_the_object(int n) {
  float *data;
  cudaMalloc(&data, n);
  View *view = new View(data);
  cudaFree(view->data);
  delete view;
}

void freed_through_the_owner(int n) {
  float *data;
  cudaMalloc(&data, n);
  auto view = std::make_unique<View>(data);
  cudaFree(view->data);
}

void freed_by_a_helper(View *view) {
  cudaFree(view->data);
  delete view;
}

void handed_to_the_helper(int n) {
  float *data;
  cudaMalloc(&data, n);
  View *view = new View(data);
  freed_by_a_helper(view);
}

void kept_elsewhere(int n) {
  float *data;
  cudaMalloc(&data, n);
  View *view = new View(data);
  keep(view);
  cudaMalloc(&data, n);
  auto owner = std::make_unique<View>(data);
  keep_owner(std::move(owner));
  cudaMalloc(&data, n);
  View *other = new View(data);
  shown.push_back(other);
}

View *returned(int n) {
  float *data;
  cudaMalloc(&data, n);
  View *view = new View(data);
  return view;
}

// An object with a destructor of its own has the duty.
struct Owner {
  explicit Owner(float *from) : data(from) {}
  ~Owner() { cudaFree(data); }
  float *data;
};

void owned(int n) {
  float *data;
  cudaMalloc(&data, n);
  auto owner = std::make_unique<Owner>(data);
  cudaMemset(owner->data, 0, n);
}
