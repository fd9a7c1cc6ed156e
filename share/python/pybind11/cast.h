// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions. See README.md.
#pragma once
#include <pybind11/pybind11.h>
