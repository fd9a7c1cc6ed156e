// Findings are printed as Clang prints its diagnostics, paths below the working
// folder relative to it.
//
// RUN: cd %S && not %tensorleak check %s --color never -- %mock_flags >%t.out 2>%t.err
// RUN: FileCheck %s --strict-whitespace --match-full-lines <%t.out
// RUN: FileCheck %s --check-prefix=SUMMARY <%t.err
#include <torch/torch.h>

std::vector<torch::Tensor> Kept;

void keep(torch::nn::Linear Net, torch::Tensor X) {
  for (int I = 0; I < 100; ++I)
    Kept.push_back(Net->forward(X));
}

//      CHECK:check-text.cpp:13:{{[0-9]+}}: warning: {{.*}} [tensor-retained-activation]
// CHECK-NEXT:   13 |     Kept.push_back(Net->forward(X));
// CHECK-NEXT:      | {{ +}}^
//      CHECK:check-text.cpp:9:28: note: {{.*}}
// CHECK-NEXT:    9 | std::vector<torch::Tensor> Kept;
// CHECK-NEXT:      |                            ^
//    SUMMARY: 1 warning in 1 file; 1 file checked in {{[0-9.]+}} s
