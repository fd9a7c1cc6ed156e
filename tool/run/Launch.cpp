//===-- Launch.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/Launch.h"
#include "Command.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace tensorleak {
namespace {

/// What a user or a batch system sends to stop or poke a job.
constexpr std::array ForwardedSignals{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

/// The signal handler can reach nothing but a global.
volatile sig_atomic_t Child = 0;

/// A signal from the terminal reaches the program by itself (same process
/// group); only those sent to us alone are handed on.
void forward(int Signal, siginfo_t *Info, void *) {
  bool FromTerminal = Info->si_code == SI_KERNEL;
  if (Child > 0 && !FromTerminal)
    kill(static_cast<pid_t>(Child), Signal);
}

/// Hands signals on while it lives.
class SignalForwarding {
public:
  SignalForwarding() {
    struct sigaction Action{};
    Action.sa_sigaction = forward;
    Action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (size_t I = 0; I < ForwardedSignals.size(); ++I)
      sigaction(ForwardedSignals[I], &Action, &Previous[I]);
  }
  ~SignalForwarding() {
    for (size_t I = 0; I < ForwardedSignals.size(); ++I)
      sigaction(ForwardedSignals[I], &Previous[I], nullptr);
  }
  /// In the child: as the program would have found them.
  void restore() const {
    for (size_t I = 0; I < ForwardedSignals.size(); ++I)
      sigaction(ForwardedSignals[I], &Previous[I], nullptr);
  }

private:
  std::array<struct sigaction, ForwardedSignals.size()> Previous{};
};

std::vector<std::string> environmentFor(const Launch &L) {
  std::vector<std::string> Out;
  std::string Preload = "LD_PRELOAD=" + L.Preload;
  for (char **E = environ; *E; ++E) {
    std::string_view Entry = *E;
    if (Entry.rfind("LD_PRELOAD=", 0) == 0 && !L.Preload.empty())
      Preload = std::string(Entry) + ":" + L.Preload;
    else
      Out.emplace_back(Entry);
  }
  for (const auto &[Name, Value] : L.Environment)
    Out.push_back(Name + "=" + Value);
  if (!L.Preload.empty())
    Out.push_back(Preload);
  return Out;
}

std::vector<char *> pointersTo(std::vector<std::string> &Strings) {
  std::vector<char *> Out;
  for (std::string &S : Strings)
    Out.push_back(S.data());
  Out.push_back(nullptr);
  return Out;
}

Ending waitFor(pid_t Pid) {
  int Status = 0;
  while (waitpid(Pid, &Status, 0) < 0 && errno == EINTR)
    ;
  Ending End;
  if (WIFSIGNALED(Status))
    End.Signal = WTERMSIG(Status);
  End.ExitCode = End.Signal ? 128 + End.Signal : WEXITSTATUS(Status);
  return End;
}

/// The write end of a pipe that closes by itself when execve succeeds.
struct ExecReport {
  int Read = -1, Write = -1;
  ExecReport() {
    int Ends[2];
    if (pipe2(Ends, O_CLOEXEC) == 0)
      Read = Ends[0], Write = Ends[1];
  }
  /// errno of a failed execve, 0 if it succeeded.
  int wait() {
    close(Write);
    int Error = 0;
    ssize_t Got = read(Read, &Error, sizeof Error);
    close(Read);
    return Got == sizeof Error ? Error : 0;
  }
};

[[noreturn]] void becomeProgram(const Launch &L, char **Arguments, char **Environment,
                                ExecReport &Report) {
  if (L.Quiet)
    for (int Stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      dup2(open("/dev/null", Stream == STDIN_FILENO ? O_RDONLY : O_WRONLY), Stream);
  execve(L.Program.c_str(), Arguments, Environment);
  int Error = errno;
  [[maybe_unused]] ssize_t Written = write(Report.Write, &Error, sizeof Error);
  _exit(127);
}

} // namespace

Ending launch(const Launch &L) {
  std::vector<std::string> Arguments = L.Arguments, Environment = environmentFor(L);
  std::vector<char *> Argv = pointersTo(Arguments), Envp = pointersTo(Environment);
  ExecReport Report;
  SignalForwarding Forwarding;
  pid_t Pid = fork();
  if (Pid < 0)
    throw UsageError(std::string("cannot start a process: ") + std::strerror(errno));
  if (Pid == 0) {
    Forwarding.restore();
    becomeProgram(L, Argv.data(), Envp.data(), Report);
  }
  Child = Pid;
  int Error = Report.wait();
  Ending End = waitFor(Pid);
  Child = 0;
  if (Error)
    throw UsageError("cannot run '" + L.Program + "': " + std::strerror(Error));
  return End;
}

} // namespace tensorleak
