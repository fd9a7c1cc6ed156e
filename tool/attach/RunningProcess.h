//===-- RunningProcess.h - The process that shall be watched --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What /proc says of it. All that speaks against entering it is found here, before anything
// is done to it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_ATTACH_RUNNINGPROCESS_H
#define TENSORLEAK_TOOL_ATTACH_RUNNINGPROCESS_H

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace tensorleak {

/// A file that is mapped, where its first byte is.
struct MappedImage {
  std::string Path; ///< as /proc has it, perhaps with " (deleted)"
  uint64_t Base = 0;
  uint64_t CodeBegin = 0, CodeEnd = 0; ///< its first executable mapping
};

class RunningProcess {
public:
  /// \throws UsageError if there is no such process, or it cannot be watched.
  explicit RunningProcess(pid_t Pid);

  pid_t pid() const { return Pid; }
  uid_t user() const { return User; }
  gid_t group() const { return Group; }
  /// The path of its program.
  const std::string &program() const { return Program; }
  /// "server (process 123)".
  std::string name() const;
  /// Those that may hold the user's code, the program first.
  std::vector<std::string> userModules() const;
  /// The file whose name without folder begins with \p Start, or null.
  const MappedImage *image(const std::string &Start) const;
  /// The threads that it has now, the first one first.
  std::vector<pid_t> threads() const;
  bool isAlive() const;

private:
  void readOwner();
  void readImages();
  void refuseOtherPlaces() const;
  void refuseOtherWatchers() const;
  void refuseOtherKinds() const;
  std::string folder() const { return "/proc/" + std::to_string(Pid); }
  std::string cannot(const std::string &Why) const;

  pid_t Pid;
  uid_t User = 0;
  gid_t Group = 0;
  std::string Program;
  std::vector<MappedImage> Images;
};

/// Why the kernel does not let one process of a user enter another one here, "" if it does.
std::string whyNoTracing();

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_ATTACH_RUNNINGPROCESS_H
