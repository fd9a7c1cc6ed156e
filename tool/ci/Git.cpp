//===-- Git.cpp -----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ci/Git.h"
#include "Command.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace tensorleak {
namespace {

struct Answer {
  bool Ok = false;
  std::string Text; ///< what git prints, without its last newline
};

/// The two ends of a pipe, closed with it.
struct Pipe {
  std::array<int, 2> Ends{-1, -1};
  Pipe() {
    if (pipe2(Ends.data(), O_CLOEXEC) != 0)
      throw std::runtime_error(std::string("cannot ask git: ") + std::strerror(errno));
  }
  ~Pipe() {
    closeWriting();
    ::close(Ends[0]);
  }
  Pipe(const Pipe &) = delete;
  Pipe &operator=(const Pipe &) = delete;
  void closeWriting() {
    if (Ends[1] >= 0)
      ::close(Ends[1]);
    Ends[1] = -1;
  }
  std::string readAll() {
    std::string Out;
    std::array<char, 1 << 14> Buffer{};
    for (ssize_t N; (N = read(Ends[0], Buffer.data(), Buffer.size())) > 0 || errno == EINTR;)
      if (N > 0)
        Out.append(Buffer.data(), static_cast<size_t>(N));
      else if (N == 0)
        break;
    return Out;
  }
};

/// Its errors come with its output: it prints only one of the two.
pid_t start(const std::vector<std::string> &Arguments, int Output) {
  std::vector<char *> Argv;
  for (const std::string &A : Arguments)
    Argv.push_back(const_cast<char *>(A.c_str()));
  Argv.push_back(nullptr);
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_adddup2(&Actions, Output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&Actions, Output, STDERR_FILENO);
  pid_t Pid = 0;
  int Error = posix_spawnp(&Pid, Argv[0], &Actions, nullptr, Argv.data(), environ);
  posix_spawn_file_actions_destroy(&Actions);
  if (Error)
    throw UsageError(std::string("--diff with a revision needs git, which cannot be started: ") +
                     std::strerror(Error) + "; install it, or give a file with a unified diff");
  return Pid;
}

Answer git(std::vector<std::string> Arguments, const std::string &Folder = ".") {
  Arguments.insert(Arguments.begin(), {"git", "-C", Folder});
  Pipe Output;
  pid_t Pid = start(Arguments, Output.Ends[1]);
  Output.closeWriting();
  Answer Out;
  Out.Text = Output.readAll();
  int Status = 0;
  while (waitpid(Pid, &Status, 0) < 0 && errno == EINTR)
    ;
  Out.Ok = WIFEXITED(Status) && WEXITSTATUS(Status) == 0;
  if (!Out.Text.empty() && Out.Text.back() == '\n')
    Out.Text.pop_back();
  return Out;
}

std::string firstLine(const std::string &Text) { return Text.substr(0, Text.find('\n')); }

[[noreturn]] void refuse(const std::string &Revision, const std::string &Why) {
  throw UsageError("--diff '" + Revision + "': " + Why);
}

std::string topOfRepository(const std::string &Revision) {
  Answer Top = git({"rev-parse", "--show-toplevel"});
  if (!Top.Ok)
    refuse(Revision, "there is no such file, and git says '" + firstLine(Top.Text) +
                         "'; give a file with a unified diff, or work in the repository");
  return Top.Text;
}

/// Where the working tree left the revision: what others did to it since is none of ours.
std::string baseOf(const std::string &Revision) {
  Answer Commit =
      git({"rev-parse", "--verify", "--quiet", "--end-of-options", Revision + "^{commit}"});
  if (!Commit.Ok)
    refuse(Revision, "there is no such file, and git knows no such revision; give a branch, a "
                     "commit, or a file with a unified diff");
  Answer Base = git({"merge-base", Commit.Text, "HEAD"});
  if (!Base.Ok)
    refuse(Revision, "it has no commit in common with HEAD here; fetch more of the history "
                     "(fetch-depth: 0 of GitHub's checkout, GIT_DEPTH: 0 of GitLab)");
  return Base.Text;
}

Changes untracked(const std::string &Top) {
  Changes Out;
  std::istringstream Names(git({"ls-files", "--others", "--exclude-standard", "-z"}, Top).Text);
  for (std::string Name; std::getline(Names, Name, '\0');)
    Out[Name].Whole = true;
  return Out;
}

} // namespace

Changes changesSince(const std::string &Revision) {
  std::string Top = topOfRepository(Revision);
  bool IsRange = Revision.find("..") != std::string::npos && Revision.front() != '-';
  Answer Diff = git({"-c", "core.quotePath=true", "diff", "--no-ext-diff", "--no-textconv",
                     "--no-color", "--unified=0", "--find-renames", "--src-prefix=a/",
                     "--dst-prefix=b/", IsRange ? Revision : baseOf(Revision), "--"},
                    Top);
  if (!Diff.Ok)
    refuse(Revision, "git says '" + firstLine(Diff.Text) + "'; give a branch or a commit");
  std::istringstream Text(Diff.Text + "\n");
  Changes Named = readUnifiedDiff(Text), All = IsRange ? Changes() : untracked(Top);
  All.insert(Named.begin(), Named.end());
  return placedIn({Top}, All);
}

} // namespace tensorleak
