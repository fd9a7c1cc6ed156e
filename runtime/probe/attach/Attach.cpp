//===-- Attach.cpp - The life of the probe in a program that runs already -===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tensorleak attach` loads this library into the program and calls tensorleak_probe_attach
// on a thread that it stopped. All that takes time is done by a thread of our own, until the
// tool says so, or is gone: then the program's calls lead to where they did before. The
// library stays loaded, for a thread may still be inside a hook.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/attach/Redirections.h"
#include "runtime/probe/core/Slots.h"
#include "runtime/probe/heap/UserHeap.h"
#include "runtime/probe/session/Session.h"
#include "runtime/probe/session/Sources.h"
#include "runtime/trace/AttachChannel.h"
#include "runtime/trace/LocalSocket.h"

#include <atomic>
#include <cstdlib>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tensorleak::probe {
namespace {

using trace::AttachResult;

/// How often is looked for files that were loaded since.
constexpr int LookMilliseconds = 100;

std::atomic<bool> Busy{false};
std::atomic<int> Tool{-1}; ///< the socket

void tell(char What) { send(Tool, &What, 1, MSG_NOSIGNAL); }

/// A word of the tool's, or its end, is the sign to leave.
bool isToldToLeave() {
  pollfd Told{Tool, POLLIN, 0};
  return poll(&Told, 1, LookMilliseconds) > 0;
}

void watchPython() {
  forEachModule([](const LoadedModule &M) { watchPythonIn(M); });
}

void watch(const trace::ProbeConfig &Config) {
  Redirections Calls;
  Calls.applyToNew();
  // Where the loader was just about to write a slot itself.
  Calls.applyToAll();
  if (!beginWatching(Config))
    return tell(trace::AttachNoTrace);
  watchPython();
  tell(trace::AttachWatching);
  while (!isToldToLeave())
    Calls.applyToNew();
}

void *control(void *Config) {
  prctl(PR_SET_NAME, "tensorleak");
  watch(*static_cast<const trace::ProbeConfig *>(Config));
  endWatching(trace::EndKind::Detached);
  restoreSlots();
  tell(trace::AttachLeft);
  close(Tool.exchange(-1));
  Busy = false;
  return nullptr;
}

/// The program ends of its own accord: what was seen is written while the globals are there.
void atExit() {
  if (Busy)
    endWatching(trace::EndKind::Exit);
}

void inChild() {
  if (int Socket = Tool.exchange(-1); Socket >= 0)
    close(Socket);
}

bool prepareOnce() {
  static const bool Done =
      std::atexit(atExit) == 0 && pthread_atfork(nullptr, nullptr, inChild) == 0;
  return Done;
}

AttachResult begin(const trace::ProbeConfig &Config) {
  if (!prepareOnce() || (Tool = trace::connectTo(Config.ControlSocket)) < 0)
    return AttachResult::NoSocket;
  prepareHeapHooks();
  pthread_t Thread;
  if (pthread_create(&Thread, nullptr, control, const_cast<trace::ProbeConfig *>(&Config)))
    return AttachResult::NoThread;
  pthread_detach(Thread);
  return AttachResult::Begun;
}

} // namespace
} // namespace tensorleak::probe

using namespace tensorleak::probe;

/// Called by the tool, with all signals blocked, so that they are in our thread too.
extern "C" __attribute__((visibility("default"))) int tensorleak_probe_attach(const char *Path) {
  if (Busy.exchange(true))
    return int(AttachResult::Busy);
  const tensorleak::trace::ProbeConfig *Config = readConfig(Path);
  AttachResult Result = Config ? begin(*Config) : AttachResult::NoConfig;
  if (Result != AttachResult::Begun)
    Busy = false;
  return int(Result);
}
