//===-- RunningProcess.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "attach/RunningProcess.h"
#include "Command.h"
#include "run/ProgramFile.h"
#include "runtime/replay/debuginfo/StaticTorch.h"
#include "runtime/trace/UserCode.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace tensorleak {
namespace {

constexpr const char *Scope = "/proc/sys/kernel/yama/ptrace_scope";

/// The word after \p Name in /proc/PID/status.
std::string statusOf(const std::string &Folder, const std::string &Name) {
  std::ifstream File(Folder + "/status");
  for (std::string Line; std::getline(File, Line);)
    if (Line.rfind(Name + ":", 0) == 0) {
      std::istringstream Rest(Line.substr(Name.size() + 1));
      std::string Word;
      Rest >> Word;
      return Word;
    }
  return "";
}

std::string nameOf(const std::string &Path) { return Path.substr(Path.rfind('/') + 1); }

/// "7f..-7f.. r-xp 00001000 08:01 123   /usr/lib/libc.so.6".
void addMapping(const std::string &Line, std::vector<MappedImage> &Images) {
  uint64_t Begin = 0, End = 0, Offset = 0;
  char Access[8] = "", Path[4096] = "";
  if (std::sscanf(Line.c_str(), "%lx-%lx %7s %lx %*s %*s %4095[^\n]", &Begin, &End, Access, &Offset,
                  Path) != 5 ||
      Path[0] != '/')
    return;
  auto Known = std::find_if(Images.begin(), Images.end(),
                            [&](const MappedImage &I) { return I.Path == Path; });
  if (Known == Images.end() && Offset == 0)
    Known = Images.insert(Images.end(), MappedImage{Path, Begin, 0, 0});
  if (Known != Images.end() && Access[2] == 'x' && !Known->CodeEnd) {
    Known->CodeBegin = Begin;
    Known->CodeEnd = End;
  }
}

/// With a child that waits for it, so as to try what the kernel and a container allow at all.
bool mayTraceChild() {
  pid_t Child = fork();
  if (Child == 0) {
    pause();
    _exit(0);
  }
  bool Allowed = Child > 0 && ptrace(PTRACE_SEIZE, Child, 0, 0) == 0;
  if (Child > 0) {
    kill(Child, SIGKILL);
    waitpid(Child, nullptr, 0);
  }
  return Allowed;
}

bool mayTraceAll() {
  constexpr unsigned SysPtrace = 19; // CAP_SYS_PTRACE
  uint64_t Effective = std::strtoull(statusOf("/proc/self", "CapEff").c_str(), nullptr, 16);
  return Effective >> SysPtrace & 1;
}

} // namespace

std::string whyNoTracing() {
  if (!mayTraceChild())
    return "ptrace is forbidden here (a container needs --cap-add SYS_PTRACE)";
  std::ifstream File(Scope);
  int Level = 0;
  if (!(File >> Level) || Level == 0 || (Level < 3 && mayTraceAll()))
    return "";
  return std::string(Scope) + " is " + std::to_string(Level) +
         ", which lets a process enter only those that it started" +
         (Level < 3 ? "; run as root, or 'sysctl kernel.yama.ptrace_scope=0'"
                    : ", and cannot be changed until the machine starts anew");
}

RunningProcess::RunningProcess(pid_t Pid) : Pid(Pid) {
  std::error_code Error;
  if (Pid <= 0 || !fs::exists(folder(), Error) || !isAlive())
    throw UsageError("there is no process " + std::to_string(Pid));
  readOwner();
  refuseOtherWatchers();
  readImages();
  refuseOtherPlaces();
  refuseOtherKinds();
}

bool RunningProcess::isAlive() const {
  std::string State = statusOf(folder(), "State");
  return !State.empty() && State != "Z" && State != "X";
}

std::string RunningProcess::name() const {
  return (Program.empty() ? "" : nameOf(Program) + ", ") + "process " + std::to_string(Pid);
}

std::string RunningProcess::cannot(const std::string &Why) const {
  return "cannot watch " + (Program.empty() ? "" : "'" + nameOf(Program) + "', ") + "process " +
         std::to_string(Pid) + ": " + Why;
}

void RunningProcess::readOwner() {
  struct stat Status{};
  stat(folder().c_str(), &Status);
  User = Status.st_uid;
  Group = Status.st_gid;
  if (geteuid() != 0 && User != geteuid())
    throw UsageError(cannot("it is another user's; run tensorleak as that user or as root"));
  std::error_code Error;
  Program = fs::read_symlink(folder() + "/exe", Error).string();
}

void RunningProcess::readImages() {
  std::ifstream File(folder() + "/maps");
  for (std::string Line; std::getline(File, Line);)
    addMapping(Line, Images);
  if (!Images.empty())
    return;
  std::string Why = whyNoTracing();
  throw UsageError(cannot(Why.empty() ? "its memory cannot be read; it may be protected (it has "
                                        "other rights than its user), run as root"
                                      : Why));
}

/// The probe's file and the trace have one path for both.
void RunningProcess::refuseOtherPlaces() const {
  std::error_code Error;
  fs::path Theirs = fs::read_symlink(folder() + "/ns/mnt", Error);
  if (!Error && Theirs != fs::read_symlink("/proc/self/ns/mnt", Error) && !Error)
    throw UsageError(cannot("it sees other files (it is in a container); run tensorleak there"));
  struct stat Root{}, Own{};
  if (stat((folder() + "/root").c_str(), &Root) == 0 && stat("/", &Own) == 0 &&
      (Root.st_dev != Own.st_dev || Root.st_ino != Own.st_ino))
    throw UsageError(cannot("it sees other files (chroot); run tensorleak there"));
}

void RunningProcess::refuseOtherWatchers() const {
  std::string Tracer = statusOf(folder(), "TracerPid");
  if (!Tracer.empty() && Tracer != "0")
    throw UsageError(cannot("process " + Tracer + " traces it already (a debugger?)"));
}

void RunningProcess::refuseOtherKinds() const {
  if (std::string Why = whyNoProbe(readProgramFile(folder() + "/exe")); !Why.empty())
    throw UsageError(cannot(Why));
  for (const MappedImage &I : Images)
    if (std::string Sanitizer = sanitizerOfLibrary(I.Path); !Sanitizer.empty())
      throw UsageError(cannot(whyNoProbeBeside(Sanitizer)));
  if (image("libtensorleak-probe.so") || image("libtensorleak-probe-cuda.so"))
    throw UsageError(cannot("it was started by 'tensorleak run', which watches it"));
  if (image("libc10.so") || image("libc10-") || image("libtorch_cpu") || image("libtorch."))
    return;
  if (holdsLibTorch(folder() + "/exe"))
    throw UsageError(cannot("LibTorch is linked statically into it, where its functions cannot be "
                            "hooked; link the shared libraries"));
  throw UsageError(cannot("it has not loaded LibTorch"));
}

const MappedImage *RunningProcess::image(const std::string &Start) const {
  for (const MappedImage &I : Images)
    if (nameOf(I.Path).rfind(Start, 0) == 0)
      return &I;
  return nullptr;
}

std::vector<std::string> RunningProcess::userModules() const {
  std::vector<std::string> Out{Program};
  for (const MappedImage &I : Images)
    if (I.CodeEnd && I.Path != Program && isUserModule(I.Path))
      Out.push_back(I.Path);
  return Out;
}

std::vector<pid_t> RunningProcess::threads() const {
  std::vector<pid_t> Out;
  std::error_code Error;
  for (const auto &Entry : fs::directory_iterator(folder() + "/task", Error))
    Out.push_back(static_cast<pid_t>(std::stol(Entry.path().filename().string())));
  std::sort(Out.begin(), Out.end(),
            [this](pid_t A, pid_t B) { return (A != Pid) != (B != Pid) ? A == Pid : A < B; });
  return Out;
}

} // namespace tensorleak
