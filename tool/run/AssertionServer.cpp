//===-- AssertionServer.cpp -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/AssertionServer.h"
#include "live/QuietThread.h"
#include "runtime/trace/LocalSocket.h"

#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <sys/socket.h>
#include <unistd.h>

namespace tensorleak {
namespace {

/// How long a probe may take to say what it wants.
constexpr timeval Patience{5, 0};
constexpr int MostWaiting = 16;

/// Up to the end of the line.
std::string hear(int Probe) {
  std::string Said;
  char Next = 0;
  while (Said.size() < trace::MaxQuestion && recv(Probe, &Next, 1, 0) == 1 && Next != '\n')
    Said += Next;
  return Next == '\n' ? Said : "";
}

void say(int Probe, const std::string &Text) {
  for (size_t Sent = 0; Sent < Text.size();) {
    ssize_t Now = send(Probe, Text.data() + Sent, Text.size() - Sent, MSG_NOSIGNAL);
    if (Now <= 0)
      return;
    Sent += static_cast<size_t>(Now);
  }
}

} // namespace

AssertionServer::AssertionServer(const std::string &Path, Judge TheJudge)
    : TheJudge(std::move(TheJudge)), Listening(trace::listenAt(Path, MostWaiting)) {
  if (Listening < 0 || pipe2(WakeUp, O_CLOEXEC) != 0)
    return;
  Thread = quietThread([this] { serve(); });
}

AssertionServer::~AssertionServer() {
  if (WakeUp[1] >= 0)
    close(WakeUp[1]);
  if (Thread.joinable())
    Thread.join();
  for (int Open : {WakeUp[0], Listening})
    if (Open >= 0)
      close(Open);
}

void AssertionServer::serve() {
  pollfd Waiting[] = {{WakeUp[0], POLLIN, 0}, {Listening, POLLIN, 0}};
  while (true) {
    if (poll(Waiting, 2, -1) < 0 && errno != EINTR)
      return;
    if (Waiting[0].revents)
      return;
    if (!(Waiting[1].revents & POLLIN))
      continue;
    int Probe = accept4(Listening, nullptr, nullptr, SOCK_CLOEXEC);
    if (Probe < 0)
      continue;
    setsockopt(Probe, SOL_SOCKET, SO_RCVTIMEO, &Patience, sizeof Patience);
    answer(Probe);
    close(Probe);
  }
}

void AssertionServer::answer(int Probe) {
  std::istringstream Question(hear(Probe));
  uint64_t Pid = 0, Id = 0;
  if (!(Question >> Pid >> Id))
    return;
  AssertionResult Result;
  try {
    Result = TheJudge(Pid, Id);
  } catch (const std::exception &E) {
    Result = {trace::AssertionAnswer::Unknown, E.what()};
  }
  say(Probe, std::to_string(static_cast<int>(Result.Answer)) + Result.Text);
}

} // namespace tensorleak
