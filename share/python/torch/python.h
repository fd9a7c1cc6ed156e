// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions. See README.md.
#pragma once
#include <torch/csrc/utils/pybind.h>

namespace torch {
namespace python {
template <typename Module> using PyModuleClass = py::class_<Module, std::shared_ptr<Module>>;
template <typename Module, bool ForceEnable = false>
PyModuleClass<Module> bind_module(py::module_ Of, const char *Name);
template <typename Module, typename... Extra>
py::class_<Module, Extra...> add_module_bindings(py::class_<Module, Extra...> Of);
} // namespace python
} // namespace torch
