// Where notes were not asked for, "no findings" would be untrue. On a terminal NO_COLOR is kept.
//
// RUN: %tensorleak check %s -- %mock_flags 2>&1 | FileCheck %s --check-prefix=HELD --implicit-check-not='[tensor-'
// RUN: not %tensorleak check --level note %s -- %mock_flags >%t 2>&1
// RUN: FileCheck %s --check-prefix=SHOWN <%t
// RUN: not %tensorleak check %s -- %mock_flags -DBOTH 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: script -qec "env -u NO_COLOR TERM=xterm %tensorleak check --level note %s -- %mock_flags" /dev/null >%t.color || true
// RUN: grep -P '\x1b\[[0-9;]*m' %t.color
// RUN: script -qec "env NO_COLOR=1 TERM=xterm %tensorleak check --level note %s -- %mock_flags" /dev/null >%t.plain || true
// RUN: FileCheck %s --check-prefix=SHOWN <%t.plain
// RUN: not grep -P '\x1b\[[0-9;]*m' %t.plain
//
// A terminal gets its sentences wrapped at words, and a pipe does not.
// RUN: script -qec "stty cols 60; %tensorleak check --level note %s -- %mock_flags" /dev/null >%t.narrow || true
// RUN: tr -d '\r' <%t.narrow | sed 's/\x1b\[[0-9;]*[mK]//g' | FileCheck %s --check-prefix=NARROW
// NARROW: {{^}}    {{.*}}[tensor-retained-activation]{{$}}
//
// HELD: no warnings; 1 note held back (--level note shows it); 1 file checked
// SHOWN: note: {{.*}}[tensor-retained-activation]
// SHOWN: 1 note in 1 file; 1 file checked
// BOTH: 1 warning in 1 file; 1 note held back (--level note shows it); 1 file checked
#include <torch/torch.h>
#include <vector>

// A finding of level note: after backward() little is left of the graph.
void history(torch::nn::Linear Net, torch::optim::Optimizer &Optimizer, torch::Tensor X) {
  std::vector<torch::Tensor> Losses;
  for (int I = 0; I < 9; ++I) {
    Optimizer.zero_grad();
    auto Loss = Net->forward(X).pow(2).mean();
    Loss.backward();
    Optimizer.step();
    Losses.push_back(Loss);
  }
}

#ifdef BOTH
std::vector<torch::Tensor> Kept;
void keep(torch::nn::Linear Net, torch::Tensor X) {
  for (int I = 0; I < 9; ++I)
    Kept.push_back(Net->forward(X));
}
#endif
