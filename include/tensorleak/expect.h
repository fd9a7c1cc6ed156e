/*===-- expect.h - What a test asserts about memory ------------------------===*\
|*
|* Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* For GoogleTest and Catch2; include it after the framework. There is nothing to
|* link: the functions look for the probe through weak symbols.
|*
|*   TENSORLEAK_EXPECT_NO_GROWTH(60) { serve(request()); }      60 rounds, none keeps more
|*   TENSORLEAK_EXPECT_PEAK_BELOW(64 << 20) { embed(batch); }   64 MiB above what there was
|*
|* Run the test as `tensorleak run -- ./tests`. Without the probe the block runs once and
|* the assertion is skipped, with a message. For another framework define TENSORLEAK_FAIL and
|* TENSORLEAK_SKIP, as below. docs/testing.md has the meaning.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORLEAK_EXPECT_H
#define TENSORLEAK_EXPECT_H

#include "tensorleak.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

/* TENSORLEAK_FAIL: the test fails and goes on. TENSORLEAK_SKIP: the test is marked as skipped,
   and may end. TENSORLEAK_NOTE: the same in a destructor, which must not throw. */
#if defined(TENSORLEAK_FAIL) && defined(TENSORLEAK_SKIP)
#elif defined(ADD_FAILURE_AT) /* GoogleTest */
#define TENSORLEAK_FAIL(FILE, LINE, TEXT) ADD_FAILURE_AT(FILE, static_cast<int>(LINE)) << (TEXT)
#ifdef GTEST_SKIP
#define TENSORLEAK_SKIP(FILE, LINE, TEXT) GTEST_SKIP() << (FILE) << ':' << (LINE) << ": " << (TEXT)
#define TENSORLEAK_NOTE(FILE, LINE, TEXT)                                                          \
  if (!::testing::Test::HasFatalFailure())                                                         \
  TENSORLEAK_SKIP(FILE, LINE, TEXT)
#else /* before version 1.10 */
#define TENSORLEAK_SKIP(FILE, LINE, TEXT)                                                          \
  std::fprintf(stderr, "%s:%u: %s\n", FILE, LINE, std::string(TEXT).c_str())
#endif
#elif defined(CATCH_FAIL_CHECK)
#define TENSORLEAK_FAIL(FILE, LINE, TEXT)                                                          \
  CATCH_FAIL_CHECK((FILE) << ':' << (LINE) << ": " << (TEXT))
#define TENSORLEAK_NOTE(FILE, LINE, TEXT) CATCH_WARN((FILE) << ':' << (LINE) << ": " << (TEXT))
#ifdef CATCH_SKIP
#define TENSORLEAK_SKIP(FILE, LINE, TEXT) CATCH_SKIP((FILE) << ':' << (LINE) << ": " << (TEXT))
#endif
#elif defined(FAIL_CHECK) && !defined(DOCTEST_VERSION) /* Catch2 */
#define TENSORLEAK_FAIL(FILE, LINE, TEXT) FAIL_CHECK((FILE) << ':' << (LINE) << ": " << (TEXT))
#define TENSORLEAK_NOTE(FILE, LINE, TEXT) WARN((FILE) << ':' << (LINE) << ": " << (TEXT))
#ifdef SKIP /* from version 3.3 on */
#define TENSORLEAK_SKIP(FILE, LINE, TEXT) SKIP((FILE) << ':' << (LINE) << ": " << (TEXT))
#endif
#else
#error "include GoogleTest or Catch2 before this, or define TENSORLEAK_FAIL and TENSORLEAK_SKIP"
#endif
#ifndef TENSORLEAK_SKIP
#define TENSORLEAK_SKIP TENSORLEAK_NOTE
#endif
#ifndef TENSORLEAK_NOTE
#define TENSORLEAK_NOTE TENSORLEAK_SKIP
#endif

namespace tensorleak {
namespace expect {

enum Kind : unsigned { NoGrowth = 1, PeakBelow = 2 };

/* What the probe answers at the end of a scope. */
enum Answer : int { Holds = 0, Fails = 1, Unknown = 2 };

/* A part of the test about whose memory something is asserted: the head of a `for`. */
class Scope {
public:
  /* Limit: how many rounds, or bytes. */
  Scope(Kind What, std::uint64_t Limit, const char *AtFile, unsigned AtLine)
      : File(AtFile), Line(AtLine), Thrown(exceptions()) {
    std::uint64_t (*Begin)(unsigned, std::uint64_t, const char *, unsigned);
    TENSORLEAK_WEAK_ADDRESS("tensorleak_probe_scope_begin", Begin);
    if (Begin)
      Id = Begin(What, Limit, AtFile, AtLine);
    if (Id && What == NoGrowth)
      Rounds = Limit;
  }

  /* The block was left before its end: by an exception, or by an assertion that failed. */
  ~Scope() {
    if (Done > Rounds)
      return;
    leave();
    if (exceptions() == Thrown)
      note("the block was left in the middle, and its memory was not judged");
  }
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

  /* Whether the block shall run (again). */
  bool next() {
    if (Done)
      endRound();
    if (Done++ < Rounds)
      return true;
    finish();
    return false;
  }

private:
  static int exceptions() {
#if defined(__cpp_lib_uncaught_exceptions) || __cplusplus >= 201703L
    return std::uncaught_exceptions();
#else
    return std::uncaught_exception() ? 1 : 0;
#endif
  }

  void endRound() {
    void (*Round)(std::uint64_t);
    TENSORLEAK_WEAK_ADDRESS("tensorleak_probe_scope_round", Round);
    if (Id && Round)
      Round(Id);
  }

  void leave() {
    void (*Leave)(std::uint64_t);
    TENSORLEAK_WEAK_ADDRESS("tensorleak_probe_scope_leave", Leave);
    if (Id && Leave)
      Leave(Id);
  }

  void finish() {
    int (*End)(std::uint64_t, char *, std::size_t);
    TENSORLEAK_WEAK_ADDRESS("tensorleak_probe_scope_end", End);
    if (!Id || !End)
      return skip("memory was not watched: run this as 'tensorleak run -- PROGRAM'");
    char Text[4096] = "";
    int Said = End(Id, Text, sizeof Text);
    if (Said == Fails)
      fail(Text);
    else if (Said != Holds)
      skip(std::string("memory could not be judged: ") + Text);
  }

  void fail(const std::string &Text) { TENSORLEAK_FAIL(File, Line, Text); }
  void skip(const std::string &Text) { TENSORLEAK_SKIP(File, Line, Text); }
  void note(const std::string &Text) { TENSORLEAK_NOTE(File, Line, Text); }

  const char *File;
  unsigned Line;
  int Thrown;
  std::uint64_t Id = 0, Rounds = 1, Done = 0;
};

} // namespace expect
} // namespace tensorleak

#define TENSORLEAK_JOINED(A, B) A##B
#define TENSORLEAK_JOIN(A, B) TENSORLEAK_JOINED(A, B)
#define TENSORLEAK_SCOPE(KIND, LIMIT)                                                              \
  for (::tensorleak::expect::Scope TENSORLEAK_JOIN(TensorleakScope, __LINE__)(                     \
           ::tensorleak::expect::KIND, LIMIT, __FILE__, __LINE__);                                 \
       TENSORLEAK_JOIN(TensorleakScope, __LINE__).next();)

/* { block } is run ROUNDS times, of which a third are its warm-up: no place may keep more from
   round to round. */
#define TENSORLEAK_EXPECT_NO_GROWTH(ROUNDS) TENSORLEAK_SCOPE(NoGrowth, ROUNDS)

/* { block } is run once: no device may hold more than BYTES above what it held before. */
#define TENSORLEAK_EXPECT_PEAK_BELOW(BYTES) TENSORLEAK_SCOPE(PeakBelow, BYTES)

#endif /* TENSORLEAK_EXPECT_H */
