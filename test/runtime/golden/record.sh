#!/usr/bin/env bash
# record.sh TENSORLEAK OUT: records the traces of this folder on a machine with an NVIDIA
# GPU, a LibTorch with CUDA inside Python's torch package, and nvcc.
set -euo pipefail
tensorleak=$1 out=$2 here=$(dirname "$(realpath "$0")") work=$(mktemp -d)
torch=$(python3 -c 'import os, torch; print(os.path.dirname(torch.__file__))')
abi=$(python3 -c 'import torch; print(int(torch.compiled_with_cxx11_abi()))')
cudart=$(find "$torch/../nvidia" /usr/local/cuda/lib64 -name 'libcudart.so.1*' 2>/dev/null |
  head -1)
include=${TENSORLEAK_INCLUDE:-$here/../../../include}
cd "$here" # the sources' paths are in the traces
g++ -std=c++17 -g -O1 -D_GLIBCXX_USE_CXX11_ABI="$abi" "$here/train.cpp" -o "$work/train" \
  -isystem /usr/local/cuda/include -isystem "$torch/include" \
  -isystem "$torch/include/torch/csrc/api/include" \
  -L"$torch/lib" -Wl,--no-as-needed -ltorch -ltorch_cuda -ltorch_cpu -lc10_cuda -lc10 \
  $cudart -Wl,-rpath,"$torch/lib" -Wl,-rpath,"$(dirname "$cudart")"
nvcc -g -O1 -I"$include" "$here/raw.cu" -o "$work/raw-static"
nvcc -g -O1 -I"$include" -cudart shared "$here/raw.cu" -o "$work/raw-shared"
record() { # NAME PROGRAM MODE; `zstd -19` then makes what is committed
  "$tensorleak" run --keep-trace "$out/$1.tltrace" -- "$work/$2" "$3"
}
record outputs train outputs
record gradients train gradients
record clean train clean
record fragments train fragments
record raw-leak raw-static leak
record raw-clean raw-static clean
record raw-shared-leak raw-shared leak
