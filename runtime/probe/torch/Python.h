//===-- Python.h - The functions of Python that are running ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lines of a Python program lead to an allocation. CPython 3.8 to 3.13, by its
// exported functions alone: no header, no layout of an object. They may only be called
// by a thread that holds the interpreter's lock (GIL), and LibTorch gives it up before it
// works. So the calls of PyEval_SaveThread in loaded modules are led here, by their
// slots in the modules' tables: the stack is read there, while the lock is still held,
// and stands until the thread takes the lock again. Interposition would not do: where
// the executable itself is Python, it comes before every preloaded library.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_TORCH_PYTHON_H
#define TENSORLEAK_RUNTIME_PROBE_TORCH_PYTHON_H

#include "runtime/probe/tables/Sites.h"

namespace tensorleak::probe {

/// Reads the frames of a thread that holds the GIL. No Python object is changed.
class PythonReader {
public:
  /// Deeper frames are left out.
  static constexpr unsigned MaxFrames = 64;

  /// Null in a process without Python.
  static const PythonReader *find();
  /// Whether this thread runs Python code now and may look at it.
  bool holdsLock() const;
  /// The same for two looks at the same lines; 0 if no function of Python runs.
  uint64_t stackHash() const;
  /// Innermost first. Their code is kept in memory from then on, so that its address, on
  /// which the hash rests, is never another's.
  std::vector<PythonFrame> frames() const;

private:
  PythonReader();
  bool isComplete() const;
  void *attribute(void *Object, const char *Name) const;
  std::string text(void *Object, const char *Name) const;
  void *codeOf(void *Frame) const;
  void *callerOf(void *Frame) const;
  template <typename F> void forEachFrame(F Visit) const;

  int (*IsInitialized)();
  void *(*ThisThread)();
  int (*HasLock)();
  void *(*ErrorOccurred)();
  void *(*TopFrame)(); ///< borrowed
  int (*LineOf)(void *Frame);
  void *(*GetAttribute)(void *Object, const char *Name);
  const char *(*Utf8)(void *Text);
  void (*Release)(void *Object);
  void *None;
  // Absent in old versions.
  void *(*FrameCode)(void *Frame);   ///< since 3.9
  void *(*FrameCaller)(void *Frame); ///< since 3.9
  int (*FramePlace)(void *Frame);    ///< since 3.11; cheaper than the line
  int (*StopCollector)();            ///< since 3.10
  int (*StartCollector)();
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_TORCH_PYTHON_H
