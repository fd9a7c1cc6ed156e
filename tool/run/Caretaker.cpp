//===-- Caretaker.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/Caretaker.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tensorleak {
namespace {

/// Who reads our output waits until nobody can write it any more, and a signal from the terminal
/// is not for us.
void leaveTerminal(int Keep) {
  setsid();
  int Nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int Stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    dup2(Nowhere, Stream);
  const unsigned First = STDERR_FILENO + 1;
  if (unsigned(Keep) > First)
    syscall(SYS_close_range, First, unsigned(Keep) - 1, 0);
  syscall(SYS_close_range, unsigned(Keep) + 1, ~0U, 0);
}

/// Whether the connection was closed without a word.
bool wasKilled(int Connection) {
  char Word = 0;
  ssize_t Got = 0;
  do
    Got = read(Connection, &Word, 1);
  while (Got < 0 && errno == EINTR);
  return Got == 0;
}

} // namespace

Caretaker::Caretaker(const std::function<void()> &WhatIsLeft) {
  int Ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Ends) != 0)
    return;
  Waiting = fork();
  if (Waiting == 0) {
    leaveTerminal(Ends[0]);
    if (wasKilled(Ends[0]))
      WhatIsLeft();
    _exit(0);
  }
  close(Ends[0]);
  Alive = Ends[1];
}

Caretaker::~Caretaker() {
  if (Alive < 0)
    return;
  const char Word = 0;
  send(Alive, &Word, 1, MSG_NOSIGNAL); // the other may have been killed
  close(Alive);
  if (Waiting > 0)
    waitpid(Waiting, nullptr, 0);
}

} // namespace tensorleak
