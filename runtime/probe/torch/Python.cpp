//===-- Python.cpp - The functions of Python that are running --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Python.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/torch/Python.h"

#include <memory>

namespace tensorleak::probe {
namespace {

template <typename F> void lookUp(F *&Function, const char *Name) {
  Function = reinterpret_cast<F *>(realSymbol(Name));
}

} // namespace

PythonReader::PythonReader() {
  lookUp(IsInitialized, "Py_IsInitialized");
  lookUp(ThisThread, "PyGILState_GetThisThreadState");
  lookUp(HasLock, "PyGILState_Check");
  lookUp(ErrorOccurred, "PyErr_Occurred");
  lookUp(TopFrame, "PyEval_GetFrame");
  lookUp(LineOf, "PyFrame_GetLineNumber");
  lookUp(GetAttribute, "PyObject_GetAttrString");
  lookUp(Utf8, "PyUnicode_AsUTF8");
  lookUp(Release, "Py_DecRef");
  None = realSymbol("_Py_NoneStruct");
  lookUp(FrameCode, "PyFrame_GetCode");
  lookUp(FrameCaller, "PyFrame_GetBack");
  lookUp(FramePlace, "PyFrame_GetLasti");
  lookUp(StopCollector, "PyGC_Disable");
  lookUp(StartCollector, "PyGC_Enable");
}

bool PythonReader::isComplete() const {
  return IsInitialized && ThisThread && HasLock && ErrorOccurred && TopFrame && LineOf &&
         GetAttribute && Utf8 && Release && None;
}

const PythonReader *PythonReader::find() {
  // As with a SymbolOnce, two threads may both make one.
  static std::atomic<const PythonReader *> Reader{nullptr};
  if (!Reader.load(std::memory_order_acquire))
    Reader.store(new PythonReader, std::memory_order_release);
  const PythonReader *Made = Reader.load(std::memory_order_acquire);
  return Made->isComplete() ? Made : nullptr;
}

bool PythonReader::holdsLock() const { return IsInitialized() && ThisThread() && HasLock(); }

/// A new reference.
void *PythonReader::attribute(void *Object, const char *Name) const {
  void *Value = GetAttribute(Object, Name);
  if (Value != None)
    return Value;
  Release(Value);
  return nullptr;
}

std::string PythonReader::text(void *Object, const char *Name) const {
  void *Value = attribute(Object, Name);
  const char *Utf = Value ? Utf8(Value) : nullptr;
  std::string Out = Utf ? Utf : "";
  if (Value)
    Release(Value);
  return Out;
}

/// A new reference, as that of the caller.
void *PythonReader::codeOf(void *Frame) const {
  return FrameCode ? FrameCode(Frame) : attribute(Frame, "f_code");
}

void *PythonReader::callerOf(void *Frame) const {
  return FrameCaller ? FrameCaller(Frame) : attribute(Frame, "f_back");
}

/// From 3.11 on frames become objects when they are asked for. That must not start the
/// garbage collector, which 3.11 runs at once: this thread may be deep in an allocator.
template <typename F> void PythonReader::forEachFrame(F Visit) const {
  if (ErrorOccurred())
    return;
  bool Collects = StopCollector && StopCollector();
  void *Owned = nullptr;
  unsigned Count = 0;
  for (void *Frame = TopFrame(); Frame && Count < MaxFrames; ++Count) {
    Visit(Frame);
    Frame = callerOf(Frame);
    if (Owned)
      Release(Owned);
    Owned = Frame;
  }
  if (Owned)
    Release(Owned);
  if (Collects)
    StartCollector();
}

uint64_t PythonReader::stackHash() const {
  uint64_t Hash = 0;
  auto Mix = [&Hash](uint64_t Value) {
    Hash = (Hash ^ Value) * 0x9E3779B97F4A7C15ull;
    Hash ^= Hash >> 29;
  };
  forEachFrame([&](void *Frame) {
    void *Code = codeOf(Frame);
    Mix(reinterpret_cast<uintptr_t>(Code));
    Mix(uint64_t(FramePlace ? FramePlace(Frame) : LineOf(Frame)));
    Release(Code);
  });
  return Hash;
}

std::vector<PythonFrame> PythonReader::frames() const {
  std::vector<PythonFrame> Out;
  forEachFrame([&](void *Frame) {
    void *Code = codeOf(Frame); // never released
    Out.push_back({text(Code, "co_name"), text(Code, "co_filename"), uint64_t(LineOf(Frame))});
  });
  return Out;
}

} // namespace tensorleak::probe
