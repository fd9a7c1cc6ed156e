// What the compiler's tree lacks where a name is not known: the type of what is deleted, the class
// of a member. The rest of the file is analysed all the same.
//
// RUN: not %tensorleak check %s --level note --cuda-path none --checks=-*,tensor-unfreed-device-memory -- >%t.out 2>%t.err
// RUN: FileCheck %s <%t.out
// RUN: FileCheck %s --check-prefix=ERR --implicit-check-not=crashed <%t.err
// ERR: 'no_such_header.h' file not found
#include <cuda_runtime.h>

#include "no_such_header.h"

class Declared;
class Base {
public:
  virtual ~Base() = default;
};
class Holder final : public Base {
public:
  explicit Holder(const Missing &given) : Holder(given, -1) {}
  Holder(const Missing &given, int id);
  ~Holder() = default;

private:
  Declared part;
};

void deletes(int n, Holder *holder) {
  float *data;
  // CHECK: broken.cu:[[@LINE+1]]:3: {{.*}}device memory in 'data'
  cudaMalloc(&data, n);
  delete NotDeclared::instance(n).thing;
  auto *made = Unknown::make<int>(n);
  delete made;
  delete holder;
}

struct Saver {
  explicit Saver(int id);
};

// What the parentheses hold was not understood, and has no type.
void saves(int n) {
  float *data;
  // CHECK: broken.cu:[[@LINE+1]]:3: {{.*}}device memory in 'data'
  cudaMalloc(&data, n);
  Saver saver(notDeclared, 2);
}
