// Records that are made by one function and let go of by another, with device memory in their
// members.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cstdlib>
#include <cuda_runtime.h>
#include <memory>
#include <vector>

__global__ void kernel(float *data, int n) {}

struct Image {
  float *data;
  int size;
};
Image *image_new(int n) {
  Image *image = new Image;
  image->size = n;
  cudaMalloc(&image->data, n); // expected-path {{it is allocated here}}
  return image;
}
void image_delete(Image *image) {
  cudaFree(image->data);
  delete image;
}
Image *image_allocate(int n) {
  Image *image = (Image *)malloc(sizeof(Image));
  if (!image)
    return nullptr;
  cudaMalloc(&image->data, n); // expected-path {{it is allocated here}}
  return image;
}
void image_free(Image *image) {
  cudaFree(image->data);
  free(image);
}

void forgets_one(int n) {
  Image *a = image_new(n);
  Image *b = image_new(n); // expected-warning {{'b' is filled here}} [tensor-unfreed-device-memory]
  kernel<<<1, 1>>>(a->data, b->size);
  image_delete(a);
}

void forgets_one_in_rounds(int count, int n) {
  for (int i = 0; i < count; ++i) {
    Image *a;         // expected-path {{it is overwritten here}}
    a = image_new(n); // expected-warning {{'a->data' is taken anew in each round}} [tensor-unfreed-device-memory]
    kernel<<<1, 1>>>(a->data, n);
  }
}

void forgets_allocated(int n) {
  Image *a = image_allocate(n); // expected-warning {{'a' is filled here}} [tensor-unfreed-device-memory]
  kernel<<<1, 1>>>(a->data, n);
}

void deletes_both(int n) {
  Image *a = image_new(n), *b = image_allocate(n);
  kernel<<<1, 1>>>(a->data, b->size);
  image_delete(a);
  image_free(b);
}

void deletes_by_hand(int n) {
  Image *a = image_new(n);
  float *data = a->data;
  delete a;
  cudaFree(data);
}

Image *returns_it(int n) {
  Image *a = image_new(n);
  kernel<<<1, 1>>>(a->data, n);
  return a;
}

void by_unique_ptr(int n) {
  std::unique_ptr<Image, void (*)(Image *)> a(image_new(n), image_delete);
  kernel<<<1, 1>>>(a->data, n);
}

struct Album {
  Image *cover;
  std::vector<Image *> pages;
};
void fill_album(Album &album, int n) {
  album.cover = image_new(n);
  album.pages.push_back(image_new(n));
}

void unseen(Image *image);
void unseen_too(void *context, Image *image);
void given_to_unseen(int n) {
  Image *a = image_new(n);
  unseen(a);
}
void given_to_unseen_with_another(void *context, int n) {
  Image *a = image_new(n); // expected-note {{'a' is filled here}} [tensor-unfreed-device-memory]
  unseen_too(context, a);
}

void freed_list(int n) {
  std::vector<Image *> all;
  for (int i = 0; i < n; ++i)
    all.push_back(image_new(n));
  for (Image *each : all)
    image_delete(each);
}

// The block holds pointers, and is given to a function that may free them.
void unseen_array(float **all, int count);
void array_given(int count, int n) {
  float **all = (float **)malloc(count * sizeof(float *));
  for (int i = 0; i < count; ++i)
    cudaMalloc(&all[i], n); // expected-note {{is not given back}} [tensor-unfreed-device-memory]
  unseen_array(all, count);
  free(all);
}

// Not a record that only holds: its destructor frees.
struct Owner {
  ~Owner() { cudaFree(data); }
  float *data = nullptr;
};
void owner(int n) {
  Owner *o = new Owner;
  cudaMalloc(&o->data, n);
  delete o;
}

// The same memory by two names: which of them means which is not followed.
void second_name(int n) {
  Image *a = (Image *)malloc(sizeof(Image));
  Image *b = a;
  cudaMalloc(&a->data, n);
  cudaFree(b->data);
  free(b);
}

// A list, whose first node has no name for the others.
struct Node {
  Node *next;
  float *data;
};
void list(int count, int n) {
  Node *head = nullptr;
  for (int i = 0; i < count; ++i) {
    Node *node = new Node;
    cudaMalloc(&node->data, n);
    node->next = head;
    head = node;
  }
  while (head) {
    Node *next = head->next;
    cudaFree(head->data);
    delete head;
    head = next;
  }
}
