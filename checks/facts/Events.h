//===-- Events.h - The kinds of events, and what each means ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated from Events.def. An analysis that treats several kinds alike asks for the
// property that they share, so that a new kind is one line there and found by all.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FACTS_EVENTS_H
#define TENSORLEAK_CHECKS_FACTS_EVENTS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace tensorleak {

enum class EventKind : uint8_t {
#define EVENT(Kind, ...) Kind,
#include "checks/facts/Events.def"
};

/// What becomes of what the event's place holds.
enum class Content : uint8_t {
  Same,     ///< it is only read, or the event is about something else
  Replaced, ///< Val takes its place
  Added,    ///< Val is in it too from now on
  Combined, ///< it is written with what is computed from it and Args
  Shed,     ///< it lets go of entries, of its tensor, or of its graph
  Changed,  ///< something else about it changes, or anything may
};

/// What becomes of the graph of its tensor, apart from what is written.
enum class OnGraph : uint8_t {
  Stays,
  Ends,   ///< it is let go of
  Starts, ///< the tensor is a leaf from now on
  Unsure, ///< anything may
};

/// How callers hear of the event.
enum class ForCallers : uint8_t {
  Inside,       ///< not at all, it is the function's own affair or known in another way
  Told,         ///< by the summary, where they know its place
  ToldAnywhere, ///< by the summary, whether they know its place or not
  Untold,       ///< summaries have no word for it, and so tell less than the whole
};

namespace events {

Content content(EventKind K);
OnGraph onGraph(EventKind K);
ForCallers forCallers(EventKind K);

/// As Events.def spells it.
llvm::StringRef name(EventKind K);

/// Where the event's place and values end up there, as Fate bits.
uint8_t fate(EventKind K);

/// Gradients have a use where this happens: they are computed, applied or asked for.
bool needsGrad(EventKind K);
/// What every step of a training or inference loop has.
bool isInSteps(EventKind K);

/// Val itself is in Place from now on.
inline bool keepsValue(EventKind K) {
  return content(K) == Content::Replaced || content(K) == Content::Added;
}
/// What Place holds, or a part of it, comes from Val and Args from now on.
inline bool writes(EventKind K) { return keepsValue(K) || content(K) == Content::Combined; }
/// Place lets go of something.
inline bool sheds(EventKind K) { return content(K) == Content::Shed; }
/// Place may be another tensor afterwards, or have other content.
inline bool mayChange(EventKind K) { return content(K) != Content::Same; }

/// Place or Val goes to a caller, or where it is not followed.
bool leaves(EventKind K);

} // namespace events
} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FACTS_EVENTS_H
