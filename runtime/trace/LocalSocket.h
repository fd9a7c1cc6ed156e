//===-- LocalSocket.h - Sockets between the tool and its probes ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are files in a folder of the tool's, whose path the configuration names.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_TRACE_LOCALSOCKET_H
#define TENSORLEAK_RUNTIME_TRACE_LOCALSOCKET_H

#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace tensorleak::trace {

/// Nothing if the path is longer than the 107 bytes that there is room for.
inline std::optional<sockaddr_un> socketAddress(const std::string &Path) {
  sockaddr_un Address{};
  Address.sun_family = AF_UNIX;
  if (Path.size() >= sizeof Address.sun_path)
    return std::nullopt;
  std::memcpy(Address.sun_path, Path.c_str(), Path.size());
  return Address;
}

/// A socket that \p Prepare has succeeded with; -1, and errno, if it has not.
template <typename Fn> int localSocket(const std::string &Path, Fn Prepare) {
  std::optional<sockaddr_un> Address = socketAddress(Path);
  int Socket = Address ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
  if (Socket < 0 || Prepare(Socket, reinterpret_cast<sockaddr *>(&*Address), sizeof *Address))
    return Socket;
  int Why = errno;
  close(Socket);
  errno = Why;
  return -1;
}

/// -1 if nobody listens there.
inline int connectTo(const std::string &Path) {
  return localSocket(Path, [](int Socket, sockaddr *At, socklen_t Size) {
    return connect(Socket, At, Size) == 0;
  });
}

/// For so many connections that wait; -1, and errno, if that is not possible.
inline int listenAt(const std::string &Path, int Waiting) {
  return localSocket(Path, [Waiting](int Socket, sockaddr *At, socklen_t Size) {
    return bind(Socket, At, Size) == 0 && listen(Socket, Waiting) == 0;
  });
}

} // namespace tensorleak::trace

#endif // TENSORLEAK_RUNTIME_TRACE_LOCALSOCKET_H
