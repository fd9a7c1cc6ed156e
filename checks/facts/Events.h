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

namespace events {

enum Property : uint16_t {
#define PROPERTY(Name) Name,
#include "checks/facts/Events.def"
};

/// Whether Events.def states \p P of \p K.
bool has(EventKind K, Property P);

/// As Events.def spells it.
llvm::StringRef name(EventKind K);

/// Where the event's place and values end up there, as Fate bits.
uint8_t fate(EventKind K);

/// Val itself is in Place from now on.
inline bool keepsValue(EventKind K) { return has(K, Replaces) || has(K, Adds); }
/// What Place holds, or a part of it, comes from Val and Args from now on.
inline bool writes(EventKind K) { return keepsValue(K) || has(K, Combines); }
/// Place may be another tensor afterwards, or have other content.
inline bool mayChange(EventKind K) { return writes(K) || has(K, Sheds) || has(K, Changes); }
/// Place or Val goes to a caller, or where it is not followed.
inline bool leaves(EventKind K) { return has(K, Returns) || has(K, Escapes); }

} // namespace events
} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FACTS_EVENTS_H
