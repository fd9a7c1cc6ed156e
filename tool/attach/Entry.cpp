//===-- Entry.cpp - Brings the probe into a running process ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One of the process's threads is made to call dlopen. What else there is to do the probe
// does on a thread of its own, so that this one is stopped for milliseconds.
//
//===----------------------------------------------------------------------===//
#include "attach/Entry.h"
#include "Command.h"
#include "attach/LibrarySymbols.h"
#include "attach/StoppedThread.h"
#include "runtime/trace/AttachChannel.h"

#include <csignal>
#include <dlfcn.h>
#include <unistd.h>

namespace tensorleak {
namespace {

/// How long is looked for a thread that waits.
constexpr int Looks = 50, PauseMicroseconds = 20000;

/// Who ends us in the midst of it would leave a thread where it must not be.
class NoInterruption {
public:
  NoInterruption() {
    sigset_t All;
    sigfillset(&All);
    sigprocmask(SIG_BLOCK, &All, &Before);
  }
  ~NoInterruption() { sigprocmask(SIG_SETMASK, &Before, nullptr); }

private:
  sigset_t Before;
};

/// The functions that the thread is to call.
struct Loader {
  uint64_t Open, Symbol, Error, ErrorNumber, SyscallAt;
  uint64_t OfTorch; ///< a function that every operator calls, with no lock held
};

Loader loaderOf(const RunningProcess &P) {
  const MappedImage *C = P.image("libc.so.6"), *Dl = P.image("libdl.so.2");
  if (!C)
    C = P.image("libc-2.");
  if (!Dl)
    Dl = P.image("libdl-2.");
  if (!C)
    throw EntryError("it has no shared C library of GNU (glibc)");
  LibrarySymbols InC(*C), InDl(Dl ? *Dl : *C);
  auto Find = [&](const char *Name) {
    uint64_t Found = InC.find(Name);
    return Found ? Found : InDl.find(Name);
  };
  Loader L{Find("dlopen"),           Find("dlsym"),
           Find("dlerror"),          Find("__errno_location"),
           InC.syscallInstruction(), 0};
  const MappedImage *Core = P.image("libc10.so") ? P.image("libc10.so") : P.image("libc10-");
  if (Core)
    L.OfTorch = LibrarySymbols(*Core).find("_ZN3c108GradMode10is_enabledEv");
  if (!L.Open || !L.Symbol || !L.Error || !L.ErrorNumber || !L.SyscallAt)
    throw EntryError("the functions of its C library were not found");
  return L;
}

const char *explain(trace::AttachResult Result) {
  switch (Result) {
  case trace::AttachResult::Begun:
    return "";
  case trace::AttachResult::Busy:
    return "another 'tensorleak attach' watches it";
  case trace::AttachResult::NoConfig:
    return "it cannot read our files; set TMPDIR to a folder that it can";
  case trace::AttachResult::NoSocket:
    return "it cannot reach our socket; set TMPDIR to a folder with a short path that it can read";
  case trace::AttachResult::NoThread:
    return "it cannot start another thread";
  }
  return "it gave no known answer";
}

/// What the C library tells callers of errors in is theirs.
class KeptErrorNumber {
public:
  KeptErrorNumber(StoppedThread &T, const Loader &L) : T(T), At(T.call(L.ErrorNumber, {})) {
    T.read(At, &Value, sizeof Value);
  }
  ~KeptErrorNumber() {
    try {
      T.write(At, &Value, sizeof Value);
    } catch (const EntryError &) { // it ended
    }
  }

private:
  StoppedThread &T;
  uint64_t At;
  int Value = 0;
};

void loadAndStart(StoppedThread &T, const Loader &L, const std::string &Probe,
                  const std::string &Config) {
  T.prepareCalls(L.SyscallAt);
  KeptErrorNumber Kept(T, L);
  uint64_t Handle = T.call(L.Open, {T.put(Probe), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE});
  if (!Handle)
    throw EntryError("it cannot load the probe: " + T.textAt(T.call(L.Error, {})));
  uint64_t Start = T.call(L.Symbol, {Handle, T.put(trace::AttachFunction)});
  if (!Start)
    throw EntryError("the probe is of another version of tensorleak");
  auto Result = static_cast<trace::AttachResult>(T.call(Start, {T.put(Config)}));
  if (Result != trace::AttachResult::Begun)
    throw EntryError(explain(Result));
}

/// How a thread is brought to where it may be made to do something.
enum class Manner { WhereItWaits, WhereItComputes };

/// False if the thread does something that must not be interrupted.
bool tryThread(pid_t Thread, Manner How, const Loader &L, const std::string &Probe,
               const std::string &Config) {
  NoInterruption Guard;
  StoppedThread T(Thread);
  if (!T.isWaiting() && (How == Manner::WhereItWaits || !T.runTo(L.OfTorch)))
    return false;
  loadAndStart(T, L, Probe, Config);
  return true;
}

bool tryThreads(const RunningProcess &P, Manner How, const Loader &L, const std::string &Probe,
                const std::string &Config) {
  for (pid_t Thread : P.threads())
    try {
      if (tryThread(Thread, How, L, Probe, Config))
        return true;
    } catch (const ThreadIsGone &) {
      if (!P.isAlive())
        throw;
    }
  return false;
}

void enter(const RunningProcess &P, const std::string &Probe, const std::string &Config) {
  Loader L = loaderOf(P);
  for (int I = 0; I < Looks; ++I, usleep(PauseMicroseconds))
    for (Manner How : {Manner::WhereItWaits, Manner::WhereItComputes})
      if (tryThreads(P, How, L, Probe, Config))
        return;
  throw EntryError("none of its threads waits for anything or calls LibTorch, and elsewhere none "
                   "must be made to load a library; try again");
}

} // namespace

void enterProcess(const RunningProcess &P, const std::string &Probe, const std::string &Config) {
  try {
    enter(P, Probe, Config);
  } catch (const EntryError &E) {
    std::string Why = P.isAlive() ? whyNoTracing() : "";
    throw UsageError("cannot watch " + P.name() + ": " + E.what() +
                     (Why.empty() ? "" : "; " + Why));
  }
}

} // namespace tensorleak
