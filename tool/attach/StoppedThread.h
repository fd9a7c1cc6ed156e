//===-- StoppedThread.h - A thread of another process that works for us ---===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By ptrace, without a debugger: the thread is stopped, calls functions of its own process
// for us, and then goes on as if nothing had been. A thread that is inside malloc or the
// loader holds their locks and must not call them: one is used that waits in the kernel for
// something else (isWaiting), and there it waits on afterwards; or one that is about to enter
// a function at which nobody holds them (runTo).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_ATTACH_STOPPEDTHREAD_H
#define TENSORLEAK_TOOL_ATTACH_STOPPEDTHREAD_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <sys/types.h>
#include <sys/user.h>
#include <vector>

namespace tensorleak {

/// The process did not do what was asked for.
struct EntryError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Threads come and go.
struct ThreadIsGone : EntryError {
  ThreadIsGone() : EntryError("it ended") {}
};

class StoppedThread {
public:
  /// \throws EntryError if the kernel forbids it or the thread is gone.
  explicit StoppedThread(pid_t Thread);
  /// It goes on.
  ~StoppedThread();
  StoppedThread(const StoppedThread &) = delete;
  StoppedThread &operator=(const StoppedThread &) = delete;

  /// It waits for a file, the time, a signal or a condition variable.
  bool isWaiting() const;
  /// Lets it go on until it calls the function at \p Address, or is stopped again after a
  /// while: false then. By a register of the processor: the code stays as it is.
  bool runTo(uint64_t Address);

  /// From here on it can call functions; \p SyscallAt is the address of a syscall instruction
  /// in its process, at which their return is noticed.
  void prepareCalls(uint64_t SyscallAt);
  uint64_t call(uint64_t Function, std::initializer_list<uint64_t> Arguments);
  /// Puts \p Text on its stack, for the calls to come.
  uint64_t put(const std::string &Text);
  std::string textAt(uint64_t Address) const;
  void read(uint64_t Address, void *Out, size_t Bytes) const;
  void write(uint64_t Address, const void *From, size_t Bytes) const;

private:
  /// False if that takes too long.
  bool stopsWithin(int Tries);
  void waitUntilStopped();
  bool setBreak(uint64_t Address, uint64_t Control);
  bool reaches(uint64_t Address);
  bool isAt(uint64_t Address) const;
  void noteStop();
  void stopAtReturn(uint64_t Stack);
  bool hasReturned(uint64_t Stack);
  void setMask(uint64_t Mask);
  void stopForGood();

  pid_t Thread;
  int Status = 0;
  int Signal = 0; ///< that it is to get when it goes on
  bool Gone = false, Prepared = false;
  user_regs_struct Saved{};
  std::vector<char> SavedVectors; ///< with all that floating point and SIMD have
  uint64_t SavedMask = 0, StackFree = 0, SyscallAt = 0;
};

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_ATTACH_STOPPEDTHREAD_H
