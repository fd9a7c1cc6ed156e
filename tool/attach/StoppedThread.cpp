//===-- StoppedThread.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StoppedThread.h. A called function returns to a syscall instruction, where the kernel
// stops the thread for us: no breakpoint is written, and no signal is needed, which the
// program could block. The stop that the thread is left from is one at which the kernel
// decides whether the call that it waited in is begun anew.
//
//===----------------------------------------------------------------------===//
#include "attach/StoppedThread.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <elf.h>
#include <linux/futex.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tensorleak {
namespace {

constexpr uint64_t RedZone = 128, StackRoom = 16384;
/// A loader that takes longer waits for something that will not come.
constexpr int MaxTries = 200000, PauseMicroseconds = 100;
/// So long is waited for a thread that computes.
constexpr int RunTries = 2000;

[[noreturn]] void fail(const std::string &What) {
  throw EntryError(What + ": " + std::strerror(errno));
}

/// In these a thread holds no lock of malloc or the loader. A lock is waited for with
/// FUTEX_WAIT; condition variables, semaphores and the end of a thread with the other.
bool isHarmless(const user_regs_struct &R) {
  constexpr std::array Calls{
      SYS_poll,        SYS_ppoll,  SYS_select,         SYS_pselect6,      SYS_epoll_wait,
      SYS_epoll_pwait, SYS_accept, SYS_accept4,        SYS_recvfrom,      SYS_recvmsg,
      SYS_connect,     SYS_sendto, SYS_sendmsg,        SYS_nanosleep,     SYS_clock_nanosleep,
      SYS_wait4,       SYS_waitid, SYS_pause,          SYS_rt_sigsuspend, SYS_rt_sigtimedwait,
      SYS_read,        SYS_write,  SYS_restart_syscall};
  if (R.orig_rax == SYS_futex)
    return (R.rsi & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
  for (auto Call : Calls)
    if (R.orig_rax == static_cast<uint64_t>(Call))
      return true;
  return false;
}

/// What the kernel leaves in rax where a call was interrupted and is to be begun anew.
bool isInterrupted(const user_regs_struct &R) {
  constexpr int64_t RestartSys = -512, RestartBlock = -516;
  auto Result = static_cast<int64_t>(R.rax);
  return Result <= RestartSys && Result >= RestartBlock;
}

} // namespace

StoppedThread::StoppedThread(pid_t Thread) : Thread(Thread) {
  if (ptrace(PTRACE_SEIZE, Thread, 0, PTRACE_O_TRACESYSGOOD) != 0)
    errno == ESRCH ? throw ThreadIsGone() : fail("it cannot be stopped");
  if (ptrace(PTRACE_INTERRUPT, Thread, 0, 0) != 0)
    fail("it cannot be stopped");
  waitUntilStopped();
  noteStop();
}

/// Where a signal came first, it is the program's and comes when the thread goes on.
void StoppedThread::noteStop() {
  Signal = Status >> 16 ? 0 : WSTOPSIG(Status);
  if (ptrace(PTRACE_GETREGS, Thread, 0, &Saved) != 0)
    fail("its registers cannot be read");
}

bool StoppedThread::stopsWithin(int Tries) {
  for (; Tries > 0; --Tries, usleep(PauseMicroseconds)) {
    pid_t Got = waitpid(Thread, &Status, __WALL | WNOHANG);
    if (Got == Thread && !WIFSTOPPED(Status))
      Gone = true;
    if (Gone || (Got < 0 && errno != EINTR))
      throw ThreadIsGone();
    if (Got == Thread)
      return true;
  }
  return false;
}

void StoppedThread::waitUntilStopped() {
  if (!stopsWithin(MaxTries))
    throw EntryError("it does not come to an end of what it was made to do");
}

/// The first of the processor's four, which debuggers use too.
bool StoppedThread::setBreak(uint64_t Address, uint64_t Control) {
  auto At = [](unsigned Register) {
    return offsetof(user, u_debugreg) + Register * sizeof(uint64_t);
  };
  return ptrace(PTRACE_POKEUSER, Thread, At(0), Address) == 0 &&
         ptrace(PTRACE_POKEUSER, Thread, At(7), Control) == 0;
}

bool StoppedThread::isAt(uint64_t Address) const {
  return Signal == SIGTRAP && Saved.rip == Address;
}

/// Signals on the way are handed on.
bool StoppedThread::reaches(uint64_t Address) {
  do {
    ptrace(PTRACE_CONT, Thread, 0, Signal);
    Signal = 0;
    if (!stopsWithin(RunTries))
      return false;
    noteStop();
  } while (!isAt(Address));
  return true;
}

bool StoppedThread::runTo(uint64_t Address) {
  constexpr uint64_t WhenExecuted = 1;
  if (!Address || !setBreak(Address, WhenExecuted))
    return false;
  if (!reaches(Address)) {
    ptrace(PTRACE_INTERRUPT, Thread, 0, 0);
    waitUntilStopped();
    noteStop();
  }
  setBreak(0, 0);
  bool There = isAt(Address);
  if (There)
    Signal = 0; // was ours
  return There;
}

bool StoppedThread::isWaiting() const {
  return !Signal && isInterrupted(Saved) && isHarmless(Saved);
}

void StoppedThread::setMask(uint64_t Mask) {
  if (ptrace(static_cast<__ptrace_request>(PTRACE_SETSIGMASK), Thread, sizeof Mask, &Mask) != 0)
    fail("its signals cannot be blocked");
}

void StoppedThread::prepareCalls(uint64_t At) {
  SyscallAt = At;
  SavedVectors.resize(size_t(1) << 16);
  iovec Vectors{SavedVectors.data(), SavedVectors.size()};
  if (ptrace(PTRACE_GETREGSET, Thread, NT_X86_XSTATE, &Vectors) != 0)
    fail("its registers cannot be read");
  SavedVectors.resize(Vectors.iov_len);
  if (ptrace(static_cast<__ptrace_request>(PTRACE_GETSIGMASK), Thread, sizeof SavedMask,
             &SavedMask) != 0)
    fail("its signals cannot be blocked");
  setMask(~uint64_t(0));
  Prepared = true;
  StackFree = (Saved.rsp - RedZone) & ~uint64_t(15);
}

uint64_t StoppedThread::call(uint64_t Function, std::initializer_list<uint64_t> Arguments) {
  user_regs_struct R = Saved;
  R.orig_rax = ~0ull; // no system call is begun anew
  unsigned long long *Where[] = {&R.rdi, &R.rsi, &R.rdx};
  size_t I = 0;
  for (uint64_t Argument : Arguments)
    *Where[I++] = Argument;
  R.rip = Function;
  R.rax = 0;
  R.rsp = StackFree - sizeof(SyscallAt); // as the instruction call leaves it
  write(R.rsp, &SyscallAt, sizeof SyscallAt);
  if (ptrace(PTRACE_SETREGS, Thread, 0, &R) != 0)
    fail("its registers cannot be set");
  stopAtReturn(StackFree);
  if (ptrace(PTRACE_GETREGS, Thread, 0, &R) != 0)
    fail("its registers cannot be read");
  uint64_t Result = R.orig_rax; // what would be the number of a system call
  stopForGood();
  return Result;
}

bool StoppedThread::hasReturned(uint64_t Stack) {
  user_regs_struct R;
  constexpr unsigned InstructionSize = 2;
  return ptrace(PTRACE_GETREGS, Thread, 0, &R) == 0 && R.rip == SyscallAt + InstructionSize &&
         R.rsp == Stack;
}

void StoppedThread::stopAtReturn(uint64_t Stack) {
  constexpr int SystemCall = SIGTRAP | 0x80;
  do {
    if (ptrace(PTRACE_SYSCALL, Thread, 0, 0) != 0)
      fail("it cannot go on");
    waitUntilStopped();
    int Stop = WSTOPSIG(Status);
    if (Stop != SystemCall && Status >> 16 == 0 && Stop != SIGSTOP)
      throw EntryError("what it was made to do failed by signal " + std::to_string(Stop));
  } while (WSTOPSIG(Status) != SystemCall || !hasReturned(Stack));
}

/// From the beginning of a system call that is none, to a stop from which all can be set.
void StoppedThread::stopForGood() {
  user_regs_struct R;
  ptrace(PTRACE_GETREGS, Thread, 0, &R);
  R.orig_rax = ~0ull;
  ptrace(PTRACE_SETREGS, Thread, 0, &R);
  if (ptrace(PTRACE_INTERRUPT, Thread, 0, 0) != 0 || ptrace(PTRACE_CONT, Thread, 0, 0) != 0)
    fail("it cannot be stopped");
  waitUntilStopped();
}

StoppedThread::~StoppedThread() {
  if (Gone)
    return;
  if (Prepared) {
    iovec Vectors{SavedVectors.data(), SavedVectors.size()};
    ptrace(PTRACE_SETREGSET, Thread, NT_X86_XSTATE, &Vectors);
    ptrace(PTRACE_SETREGS, Thread, 0, &Saved);
    ptrace(static_cast<__ptrace_request>(PTRACE_SETSIGMASK), Thread, sizeof SavedMask, &SavedMask);
  }
  ptrace(PTRACE_DETACH, Thread, 0, Signal);
}

uint64_t StoppedThread::put(const std::string &Text) {
  StackFree = (StackFree - (Text.size() + 1)) & ~uint64_t(15);
  if (Saved.rsp - StackFree > StackRoom)
    throw EntryError("a path is too long for its stack");
  write(StackFree, Text.c_str(), Text.size() + 1);
  return StackFree;
}

void StoppedThread::read(uint64_t Address, void *Out, size_t Bytes) const {
  iovec Here{Out, Bytes}, There{reinterpret_cast<void *>(Address), Bytes};
  if (process_vm_readv(Thread, &Here, 1, &There, 1, 0) != static_cast<ssize_t>(Bytes))
    fail("its memory cannot be read");
}

void StoppedThread::write(uint64_t Address, const void *From, size_t Bytes) const {
  iovec Here{const_cast<void *>(From), Bytes}, There{reinterpret_cast<void *>(Address), Bytes};
  if (process_vm_writev(Thread, &Here, 1, &There, 1, 0) != static_cast<ssize_t>(Bytes))
    fail("its memory cannot be written");
}

std::string StoppedThread::textAt(uint64_t Address) const {
  constexpr size_t Longest = 1024;
  std::string Out;
  for (char C = 0; Out.size() < Longest; Out += C) {
    read(Address + Out.size(), &C, 1);
    if (!C)
      break;
  }
  return Out;
}

} // namespace tensorleak
