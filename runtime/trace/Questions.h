//===-- Questions.h - How the probe asks whether an assertion holds -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether memory grew is judged by replay, from the trace: in the tool, while the program
// waits. At the end of a scope the probe connects to the configuration's socket and sends
// "PROCESS SCOPE\n", both as decimal numbers. The tool sends one digit, a AssertionAnswer, and
// a text of any length, and closes the connection.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_TRACE_QUESTIONS_H
#define TENSORLEAK_RUNTIME_TRACE_QUESTIONS_H

#include <cstddef>

namespace tensorleak::trace {

/// The numbers are those of include/tensorleak/expect.h.
enum class AssertionAnswer : int {
  Holds = 0,
  Fails = 1,   ///< the text says what memory, from where, and who keeps it
  Unknown = 2, ///< the text says why
};

constexpr size_t MaxQuestion = 64; ///< bytes, with its line end

} // namespace tensorleak::trace

#endif // TENSORLEAK_RUNTIME_TRACE_QUESTIONS_H
