// A scratch tensor is kept.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

//===-- Near misses --------------------------------------------------------===//
