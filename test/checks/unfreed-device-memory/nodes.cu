// Records that are deleted, and with them the only pointer to what is on the device.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cstdlib>
#include <cuda_runtime.h>

struct Node {
  float *data;
  Node *next;
};
static Node *head = nullptr;
void add(int n) {
  Node *node = new Node;
  cudaMalloc(&node->data, n); // expected-warning {{device memory in 'node->data' is never given back: 'clear' gives back the record around it, and not what is in it; call 'cudaFree' before}} [tensor-unfreed-device-memory]
  node->next = head;
  head = node;
}
void clear() {
  while (head) {
    Node *next = head->next;
    delete head; // expected-path {{the record is given back here}}
    head = next;
  }
}

// A tree in memory that the host and the device share.
struct Tree {
  Tree *left, *right;
  float *payload;
};
Tree *grow(int depth) {
  Tree *tree = nullptr;
  if (depth == 0 || cudaMallocManaged(&tree, sizeof(Tree)) != cudaSuccess)
    return nullptr;
  cudaMallocManaged(&tree->payload, depth); // expected-note {{in 'tree->payload' is never given back: 'fell' gives back the record around it}} [tensor-unfreed-device-memory]
  tree->left = grow(depth - 1);
  tree->right = grow(depth - 1);
  return tree;
}
void fell(Tree *tree) {
  if (!tree)
    return;
  fell(tree->left);
  fell(tree->right);
  cudaFree(tree); // expected-path {{the record is given back here}}
}

// Who got the pointer may free it.
struct Lent {
  float *data;
  Lent *next;
};
static Lent *lent = nullptr;
float *lend(int n) {
  Lent *block = (Lent *)malloc(sizeof(Lent));
  cudaMalloc(&block->data, n); // expected-note {{in 'block->data' is never given back}} [tensor-unfreed-device-memory]
  block->next = lent;
  lent = block;
  return block->data;
}
void forget() {
  while (lent) {
    Lent *next = lent->next;
    free(lent); // expected-path {{the record is given back here}}
    lent = next;
  }
}

//===-- Near misses -------------------------------------------------------===//

// By another name.
struct Freed {
  float *data;
  Freed *next;
};
static Freed *freed = nullptr;
void add_freed(int n) {
  Freed *node = new Freed;
  cudaMalloc(&node->data, n);
  node->next = freed;
  freed = node;
}
void clear_freed() {
  for (Freed *node = freed, *next; node; node = next) {
    next = node->next;
    float *data = node->data;
    cudaFree(data);
    delete node;
  }
  freed = nullptr;
}

// By its own destructor.
struct Owner {
  float *data;
  Owner *next;
  ~Owner() { cudaFree(data); }
};
static Owner *owners = nullptr;
void add_owner(int n) {
  Owner *node = new Owner;
  cudaMalloc(&node->data, n);
  node->next = owners;
  owners = node;
}
void clear_owners() {
  while (owners) {
    Owner *next = owners->next;
    delete owners;
    owners = next;
  }
}

// By a function that is not in view.
struct Passed {
  float *data;
  Passed *next;
};
void give_back(Passed *node);
static Passed *passed = nullptr;
void add_passed(int n) {
  Passed *node = new Passed;
  cudaMalloc(&node->data, n);
  node->next = passed;
  passed = node;
}
void clear_passed() {
  while (passed) {
    Passed *next = passed->next;
    give_back(passed);
    delete passed;
    passed = next;
  }
}

// Only an error's way out deletes the record.
struct Made {
  float *data;
};
Made *make(int n) {
  Made *made = new Made;
  if (cudaMalloc(&made->data, n) != cudaSuccess) {
    delete made;
    return nullptr;
  }
  return made;
}
