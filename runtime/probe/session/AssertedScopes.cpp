//===-- AssertedScopes.cpp - The scopes of the program --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What include/tensorleak/expect.h calls. At the end of a scope all is written that replay
// needs to judge it, and the tool is asked.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/session/AssertedScopes.h"
#include "runtime/probe/session/Hooks.h"
#include "runtime/probe/session/Session.h"
#include "runtime/trace/LocalSocket.h"
#include "runtime/trace/Questions.h"

#include <algorithm>
#include <poll.h>

namespace tensorleak::probe {
namespace {

using trace::AssertionAnswer;
using trace::AssertionKind;

constexpr int PatienceMilliseconds = 120000;

/// A connection with the tool.
class Question {
public:
  explicit Question(const std::string &Path) : Socket(trace::connectTo(Path)) {}
  ~Question() {
    if (isHeard())
      close(Socket);
  }
  Question(const Question &) = delete;
  Question &operator=(const Question &) = delete;

  bool isHeard() const { return Socket >= 0; }
  /// "" if there is no answer.
  std::string ask(const std::string &What) {
    std::string Answer;
    if (!isHeard() || send(Socket, What.data(), What.size(), MSG_NOSIGNAL) != ssize_t(What.size()))
      return Answer;
    char Part[1024];
    for (ssize_t Got; (Got = receive(Part, sizeof Part)) > 0;)
      Answer.append(Part, size_t(Got));
    return Answer;
  }

private:
  ssize_t receive(char *Into, size_t Size) {
    pollfd Waiting{Socket, POLLIN, 0};
    int Ready = 0;
    while ((Ready = poll(&Waiting, 1, PatienceMilliseconds)) < 0 && errno == EINTR)
      ;
    return Ready > 0 ? recv(Socket, Into, Size, 0) : -1;
  }

  const int Socket;
};

/// What the program gets.
struct Answer {
  AssertionAnswer Kind = AssertionAnswer::Unknown;
  std::string Text = "this process is not recorded";
};

Answer askTool(const Session &S, uint64_t Id) {
  const trace::ProbeConfig *Config = probeConfig();
  if (!Config || Config->QuestionSocket.empty())
    return {AssertionAnswer::Unknown, "only 'tensorleak run' judges what a program asserts"};
  Question Asked(Config->QuestionSocket);
  if (!Asked.isHeard())
    return {AssertionAnswer::Unknown, "nobody listens at '" + Config->QuestionSocket +
                                          "'; a path longer than 107 bytes is too long, then set "
                                          "TMPDIR"};
  std::string Said = Asked.ask(std::to_string(S.pid()) + " " + std::to_string(Id) + "\n");
  if (Said.empty() || Said[0] < '0' || Said[0] > '2')
    return {AssertionAnswer::Unknown, "tensorleak did not answer"};
  return {AssertionAnswer(Said[0] - '0'), Said.substr(1)};
}

/// Who keeps what grew takes a while to find out: only where something did.
Answer judge(Session &S, const AssertedScope &Scope, uint64_t Id) {
  Answer Out = askTool(S, Id);
  if (Out.Kind != AssertionAnswer::Fails || !Scope.hasRounds())
    return Out;
  S.searchHolders(Scope);
  return askTool(S, Id);
}

bool isKnown(unsigned Kind) {
  return Kind >= unsigned(AssertionKind::NoGrowth) && Kind <= unsigned(AssertionKind::KeptBelow);
}

} // namespace

bool AssertedScope::isSampled() const {
  constexpr uint64_t Parts = 8, FirstPart = 3;
  for (uint64_t Part = FirstPart; Part <= Parts; ++Part)
    if (Done == (Rounds * Part + Parts - 1) / Parts)
      return true;
  return false;
}

uint64_t AssertedScopes::begin(AssertionKind Kind, uint64_t Limit, uint32_t Generation) {
  std::lock_guard<std::mutex> Lock(Mutex);
  Open[++Last] = {Kind, Limit, 0, Generation};
  return Last;
}

std::optional<AssertedScope> AssertedScopes::round(uint64_t Id) {
  std::lock_guard<std::mutex> Lock(Mutex);
  auto At = Open.find(Id);
  if (At == Open.end() || !At->second.hasRounds())
    return std::nullopt;
  ++At->second.Done;
  return At->second;
}

std::optional<AssertedScope> AssertedScopes::end(uint64_t Id) {
  std::lock_guard<std::mutex> Lock(Mutex);
  auto At = Open.find(Id);
  if (At == Open.end())
    return std::nullopt;
  AssertedScope Out = At->second;
  Open.erase(At);
  return Out;
}

bool AssertedScopes::anyOpen(AssertionKind Kind) {
  std::lock_guard<std::mutex> Lock(Mutex);
  return std::any_of(Open.begin(), Open.end(),
                     [Kind](const auto &Entry) { return Entry.second.Kind == Kind; });
}

uint64_t Session::beginScope(trace::Assertion Record) {
  if (Record.TheKind == AssertionKind::NoGrowth)
    TheSteps.scopeWithRounds(/*Begins=*/true);
  Record.Id = OpenScopes.begin(Record.TheKind, Record.Limit, TheSteps.generation() + 1);
  Trace.write(Record);
  Sites.writeCounters();
  scopeBoundary(Record.Id, Record.TheKind);
  return Record.Id;
}

void Session::scopeBoundary(uint64_t Id, AssertionKind Kind) {
  if (Kind == AssertionKind::PeakBelow) {
    reportPending(TheThread);
    ThePeaks.restart(OpenScopes.anyOpen(Kind));
  }
  BoundarySource Source{trace::BoundaryKind::Assertion};
  Source.Group = Id;
  Source.EndsRound = Kind == AssertionKind::NoGrowth;
  boundary(Source);
}

void Session::endRound(uint64_t Id) {
  std::optional<AssertedScope> Scope = OpenScopes.round(Id);
  if (!Scope)
    return;
  scopeBoundary(Id, Scope->Kind);
  if (!Scope->isSampled())
    return;
  std::lock_guard<std::mutex> Lock(StateMutex);
  writeState(/*IsEnd=*/false);
  TheCensus.takeIfAffordable(/*Due=*/true, TheSteps.tick(), TheSteps.generation());
}

std::optional<AssertedScope> Session::endScope(uint64_t Id, bool IsJudged) {
  std::optional<AssertedScope> Scope = OpenScopes.end(Id);
  if (!Scope)
    return Scope;
  if (Scope->hasRounds())
    TheSteps.scopeWithRounds(/*Begins=*/false);
  else
    scopeBoundary(Id, Scope->Kind);
  if (!IsJudged)
    return Scope;
  std::lock_guard<std::mutex> Lock(StateMutex);
  Live.recordAll([&](const LiveObject &O) { writeBorn(O); });
  writeState(/*IsEnd=*/false);
  writeSurroundings(/*OnlyNew=*/true);
  return Scope;
}

void Session::searchHolders(const AssertedScope &Scope) {
  std::lock_guard<std::mutex> Lock(StateMutex);
  TheSnapshot.collect(/*Wait=*/true);
  TheSnapshot.take(TheSteps.tick(), TheSteps.generation(), Scope.FirstGeneration,
                   /*NodesSuffice=*/true);
  TheSnapshot.collect(/*Wait=*/true);
}

} // namespace tensorleak::probe

using namespace tensorleak;
using namespace tensorleak::probe;

/// The number of the scope; 0 if nothing is recorded.
TENSORLEAK_EXPORT uint64_t tensorleak_probe_scope_begin(unsigned Kind, uint64_t Limit,
                                                        const char *File, unsigned Line) {
  uint64_t Id = 0;
  guarded([&](Session &S, ThreadState &) {
    if (isKnown(Kind))
      Id = S.beginScope({0, AssertionKind(Kind), Limit, File, Line});
  });
  return Id;
}

TENSORLEAK_EXPORT void tensorleak_probe_scope_round(uint64_t Id) {
  guarded([&](Session &S, ThreadState &) { S.endRound(Id); });
}

/// A trace::AssertionAnswer, with its text.
TENSORLEAK_EXPORT int tensorleak_probe_scope_end(uint64_t Id, char *Text, size_t Size) {
  Answer Out;
  guarded([&](Session &S, ThreadState &) {
    if (std::optional<AssertedScope> Scope = S.endScope(Id, /*IsJudged=*/true))
      Out = judge(S, *Scope, Id);
  });
  if (Size)
    Text[Out.Text.copy(Text, Size - 1)] = '\0';
  return int(Out.Kind);
}

/// The scope is left before its time: nothing is judged.
TENSORLEAK_EXPORT void tensorleak_probe_scope_leave(uint64_t Id) {
  guarded([&](Session &S, ThreadState &) { S.endScope(Id, /*IsJudged=*/false); });
}
