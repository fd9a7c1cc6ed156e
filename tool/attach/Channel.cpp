//===-- Channel.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "attach/Channel.h"
#include "Command.h"
#include "runtime/trace/LocalSocket.h"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tensorleak {
namespace {

bool isReadable(int Socket, std::chrono::milliseconds AtMost) {
  pollfd Waiting{Socket, POLLIN, 0};
  return poll(&Waiting, 1, static_cast<int>(AtMost.count())) > 0;
}

} // namespace

Channel::Channel(const std::string &Path, uid_t User, gid_t Group) {
  if (!trace::socketAddress(Path))
    throw UsageError("the path of the socket '" + Path + "' is too long; set TMPDIR to a folder " +
                     "with a shorter one");
  Listening = trace::listenAt(Path, /*Waiting=*/1);
  if (Listening < 0 || (geteuid() != User && chown(Path.c_str(), User, Group) != 0))
    throw UsageError("cannot make the socket '" + Path + "': " + std::strerror(errno));
}

Channel::~Channel() {
  for (int Socket : {Listening, Probe})
    if (Socket >= 0)
      close(Socket);
}

bool Channel::accept(std::chrono::milliseconds AtMost) {
  if (isReadable(Listening, AtMost))
    Probe = accept4(Listening, nullptr, nullptr, SOCK_CLOEXEC);
  return Probe >= 0;
}

std::optional<char> Channel::hear(std::chrono::milliseconds AtMost) {
  if (!isReadable(Probe, AtMost))
    return std::nullopt;
  char Said = 0;
  return recv(Probe, &Said, 1, 0) == 1 ? Said : '\0';
}

void Channel::askToLeave() { shutdown(Probe, SHUT_WR); }

} // namespace tensorleak
