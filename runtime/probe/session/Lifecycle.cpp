//===-- Lifecycle.cpp - The life of the probe within the program ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Begins with the configuration, ends before static destructors run. Deaths by
// signal are written by a copy of the process, so that no lock that the signal
// interrupted can hold up the program's end.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/Modules.h"
#include "runtime/probe/core/PagedMemory.h"
#include "runtime/probe/core/locks/ForkGate.h"
#include "runtime/probe/session/Hooks.h"
#include "runtime/probe/session/LinePoints.h"
#include "runtime/probe/session/Session.h"
#include "runtime/probe/session/Sources.h"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tensorleak::probe {
namespace {

std::atomic<Session *> Current{nullptr};
std::atomic<bool> GivenUp{false}, MainBegun{false};
std::atomic<uint32_t> Epochs{0};
/// Of the probe that enters a running program.
std::atomic<const trace::ProbeConfig *> Wanted{nullptr};
int (*ProgramMain)(int, char **, char **);
std::mutex BeginMutex;

void forgetParent() {
  ForkGate::inChild();
  new (&BeginMutex) std::mutex; // whoever held it is not in this process
  threadsAfterFork();
  Current = nullptr;
  Wanted = nullptr;
  TheThread.Inside = false;
  linePoints().afterFork();
}

int prepareForForks() {
  return pthread_atfork(ForkGate::beforeFork, ForkGate::inParent, forgetParent);
}

} // namespace

const trace::ProbeConfig *readConfig(const char *Path) {
  if (!Path || !*Path)
    return nullptr;
  std::ifstream File(Path, std::ios::binary);
  std::string Text{std::istreambuf_iterator<char>(File), std::istreambuf_iterator<char>()};
  auto *Config = new trace::ProbeConfig;
  if (!File || !trace::parseProbeConfig(Text, *Config).empty())
    return nullptr;
  return Config;
}

namespace {

/// For the copy of a process that is about to die: nothing may keep it.
[[noreturn]] void finishInCopy(Session &S, int Signal) {
  sigset_t Alarm;
  sigemptyset(&Alarm);
  sigaddset(&Alarm, SIGALRM);
  signal(SIGALRM, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &Alarm, nullptr);
  alarm(3);
  TheThread.Inside = true;
  S.finish(trace::EndKind::Signal, Signal);
  syscall(SYS_exit_group, 0);
  __builtin_unreachable();
}

void waitFor(long Copy) {
  for (int Tries = 0; Tries < 800; ++Tries) {
    if (waitpid(pid_t(Copy), nullptr, WNOHANG | __WALL) != 0)
      return;
    timespec Pause{0, 5000000};
    nanosleep(&Pause, nullptr);
  }
}

/// That an instruction raised: it comes again when the handler returns, and what a debugger finds
/// is the place of the fault.
bool isFault(int Signal, const siginfo_t *Info) {
  bool MayBe = Signal == SIGSEGV || Signal == SIGBUS || Signal == SIGFPE || Signal == SIGILL;
  return MayBe && Info && Info->si_code > 0;
}

void onDeath(int Signal, siginfo_t *Info, void *) {
  if (Session *S = existingSession(); S && S->isRecording() && S->pid() == getpid()) {
    // No signal at the copy's end, no fork handlers: the program must not notice.
    long Copy = syscall(SYS_clone, 0, nullptr, nullptr, nullptr, nullptr);
    if (Copy == 0)
      finishInCopy(*S, Signal);
    if (Copy > 0)
      waitFor(Copy);
  }
  signal(Signal, SIG_DFL);
  if (!isFault(Signal, Info))
    raise(Signal);
}

/// Only where the program has not decided otherwise.
void watchDeath() {
  for (int Signal : {SIGTERM, SIGINT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction Now, Ours = {};
    Ours.sa_sigaction = onDeath;
    Ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    if (sigaction(Signal, nullptr, &Now) == 0 && !(Now.sa_flags & SA_SIGINFO) &&
        Now.sa_handler == SIG_DFL)
      sigaction(Signal, &Ours, nullptr);
  }
}

/// The loader is asked before a lock is held that others wait for.
void switchOffGradients(void *SetEnabled) {
  if (SetEnabled)
    reinterpret_cast<void (*)(bool)>(SetEnabled)(false);
}

Session *beginSession(const trace::ProbeConfig &Config) {
  void *SetEnabled = Config.NoGrad ? realSymbol("_ZN3c108GradMode11set_enabledEb") : nullptr;
  std::lock_guard<std::mutex> Lock(BeginMutex);
  if (Session *S = Current.load())
    return S;
  auto *S = new (mapPages(sizeof(Session))) Session(Config, ++Epochs);
  Current = S;
  AtEndOfThread = [](ThreadState &) {
    guarded([](Session &Now, ThreadState &Thread) { Now.threadEnds(Thread); });
  };
  if (!S->isRecording()) {
    giveUp();
    return S;
  }
  if (!EntersRunningProgram)
    watchDeath();
  switchOffGradients(SetEnabled);
  return S;
}

/// LibTorch is there and yet no hook was ever called: the trace then shows that.
Session *sessionOfTheUnseen() noexcept {
  if (Epochs != 0 || !probeConfig() || !libTorchIsLoaded())
    return nullptr;
  guarded([](Session &, ThreadState &) {});
  return existingSession();
}

/// The trace is a file of its process; a vfork child shares our memory, not our pid.
void finish(trace::EndKind Kind, int Code) noexcept {
  Session *S = existingSession();
  if (!S && Kind != trace::EndKind::FastExit)
    S = sessionOfTheUnseen();
  if (!S || S->pid() != getpid() || TheThread.Inside)
    return;
  TheThread.Inside = true;
  try {
    S->finish(Kind, Code);
  } catch (...) {
    giveUp();
  }
  TheThread.Inside = false;
}

int runMain(int Argc, char **Argv, char **Environment) {
  mainHasBegun();
  int Code = ProgramMain(Argc, Argv, Environment);
  finish(trace::EndKind::MainReturned, Code);
  return Code;
}

/// What is found at its first use waits for the loader, and that use may be an allocator's, under
/// its lock (jemalloc masks signals while it makes a thread).
void findBeforeOthersWait() {
  prepareThreads();
  isOwnCode(0);
  pthread_sigmask(SIG_BLOCK, nullptr, nullptr);
  sigprocmask(SIG_BLOCK, nullptr, nullptr);
}

__attribute__((constructor)) void begin() {
  const trace::ProbeConfig *Config = probeConfig();
  if (!Config)
    return;
  prepareForForks();
  findBeforeOthersWait();
  linePoints().start(Config->Points);
}

template <typename F> F next(const char *Symbol) { return reinterpret_cast<F>(nextSymbol(Symbol)); }

} // namespace

const trace::ProbeConfig *probeConfig() {
  if (EntersRunningProgram)
    return Wanted.load(std::memory_order_acquire);
  static const trace::ProbeConfig *Config = readConfig(std::getenv(trace::ProbeConfigVariable));
  return Config;
}

Session *existingSession() { return Current.load(std::memory_order_acquire); }

Session *recordingSession() {
  Session *S = existingSession();
  return S && S->isRecording() && S->pid() == getpid() ? S : nullptr;
}

Session *currentSession() {
  Session *S = existingSession();
  if (!S) {
    if (GivenUp.load(std::memory_order_relaxed) || !probeConfig())
      return nullptr;
    S = beginSession(*probeConfig());
  }
  if (!S->isRecording())
    return nullptr;
  if (!opCallbacksInstalled() && MainBegun.load(std::memory_order_relaxed))
    installOpCallbacks();
  return S;
}

bool beginWatching(const trace::ProbeConfig &Config) {
  static int Unprepared = prepareForForks();
  Current = nullptr;
  GivenUp = Unprepared != 0;
  Wanted = &Config;
  mainHasBegun();
  Session *S = existingSession();
  if (!S || !S->isRecording())
    return false;
  linePoints().start(Config.Points);
  return true;
}

void endWatching(trace::EndKind Kind) {
  finish(Kind, 0);
  linePoints().stop();
  Wanted = nullptr;
  removeOpCallbacks();
  if (Session *S = existingSession())
    S->Trace.close();
}

void sawModule(const LoadedModule &M) {
  watchHeapOf(M);
  watchPythonIn(M);
}

void giveUp() noexcept {
  GivenUp = true;
  if (Session *S = existingSession())
    S->stop();
}

void mainHasBegun() {
  MainBegun = true;
  if (probeConfig() && libTorchIsLoaded())
    guarded([](Session &, ThreadState &) {});
}

} // namespace tensorleak::probe

using namespace tensorleak;
using namespace tensorleak::probe;

using MainFn = int (*)(int, char **, char **);

TENSORLEAK_EXPORT int __libc_start_main(MainFn Main, int Argc, char **Argv, void (*Init)(),
                                        void (*Fini)(), void (*LoaderFini)(), void *StackEnd) {
  ProgramMain = Main;
  auto Real = next<decltype(&__libc_start_main)>("__libc_start_main");
  return Real(probeConfig() ? runMain : Main, Argc, Argv, Init, Fini, LoaderFini, StackEnd);
}

#define TENSORLEAK_EXIT(NAME, KIND)                                                                \
  TENSORLEAK_EXPORT __attribute__((noreturn)) void NAME(int Code) {                                \
    finish(tensorleak::trace::EndKind::KIND, Code);                                                \
    next<void (*)(int)>(#NAME)(Code);                                                              \
    __builtin_unreachable();                                                                       \
  }
TENSORLEAK_EXIT(exit, Exit)
TENSORLEAK_EXIT(quick_exit, Exit)
TENSORLEAK_EXIT(_exit, FastExit)
TENSORLEAK_EXIT(_Exit, FastExit)

// A thread that blocks SIGTRAP would be killed by a line point: it stays deliverable.
#define TENSORLEAK_SIGNAL_MASK(NAME)                                                               \
  TENSORLEAK_EXPORT int NAME(int How, const sigset_t *Wanted, sigset_t *Old) {                     \
    static SymbolOnce Found(#NAME);                                                                \
    auto Real = reinterpret_cast<int (*)(int, const sigset_t *, sigset_t *)>(Found.get());         \
    if (!Wanted || How == SIG_UNBLOCK || linePoints().empty())                                     \
      return Real(How, Wanted, Old);                                                               \
    sigset_t Set = *Wanted;                                                                        \
    sigdelset(&Set, SIGTRAP);                                                                      \
    return Real(How, &Set, Old);                                                                   \
  }
TENSORLEAK_SIGNAL_MASK(pthread_sigmask)
TENSORLEAK_SIGNAL_MASK(sigprocmask)
