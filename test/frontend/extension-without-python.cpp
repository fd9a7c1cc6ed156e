// torch/extension.h needs Python's headers. Where there are none, what an extension asks of
// pybind11 is declared by us: the file is whole, and has a prelude. So is one that includes it
// by a header of the project's.
//
// REQUIRES: torch, no-python-headers
// RUN: not %tensorleak check %s -- %torch_flags >%t.out 2>%t.err
// RUN: FileCheck %s --implicit-check-not=warning: <%t.out
// RUN: FileCheck %s --check-prefix=SAYS --implicit-check-not=incomplete <%t.err
// RUN: not %tensorleak check %s --no-cache -q -- %torch_flags | FileCheck %s --implicit-check-not=warning:
// RUN: rm -rf %t.d && mkdir -p %t.d/.git && echo '#include <torch/extension.h>' >%t.d/common.h && sed 's#<torch/extension.h>#"common.h"#;/numpy.h/d;/^torch::Tensor copy_of/,/^}/d;/copy_of/d' %s >%t.d/a.cpp
// RUN: not %tensorleak check %t.d/a.cpp -- %torch_flags >%t.out 2>%t.err
// RUN: FileCheck %s --check-prefix=SAYS --implicit-check-not=incomplete <%t.err
//
// SAYS: tensorleak: no Python.h found; bundled declarations of pybind11 are used
#include <pybind11/numpy.h>
#include <torch/extension.h>

class Tracker {
public:
  void add(torch::nn::Linear net, torch::Tensor x) {
    // CHECK: extension-without-python.cpp:[[#@LINE+1]]:{{.*}}warning:
    losses_.push_back(net->forward(x).sum());
  }
  py::list values() const {
    py::list out;
    for (const auto &loss : losses_)
      out.append(loss.item<float>());
    return out;
  }

private:
  std::vector<torch::Tensor> losses_;
};

torch::Tensor copy_of(py::array_t<float, py::array::c_style> data) {
  py::buffer_info info = data.request();
  if (info.ndim != 2)
    throw py::value_error("two dimensions, please");
  return torch::from_blob(info.ptr, {info.shape[0], info.shape[1]}).clone();
}

torch::Tensor scaled(const torch::Tensor &x, double by) {
  py::gil_scoped_release without_lock;
  return x * by;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.doc() = "an extension";
  m.def("copy_of", &copy_of, py::arg("data"), py::call_guard<py::gil_scoped_release>());
  m.def("scaled", &scaled, "scales", py::arg("x"), py::arg("by") = 1.0);
  m.def("twice", [](py::object f, torch::Tensor x) { return f(f(x)).cast<torch::Tensor>(); });
  py::class_<Tracker, std::shared_ptr<Tracker>>(m, "Tracker")
      .def(py::init<>())
      .def("values", &Tracker::values)
      .def_property_readonly("count", [](const Tracker &t) { return t.values().size(); });
}
