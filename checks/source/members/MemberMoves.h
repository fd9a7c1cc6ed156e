//===-- MemberMoves.h - Members and globals that only ever go one way -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_MEMBERS_MEMBERMOVES_H
#define TENSORLEAK_CHECKS_SOURCE_MEMBERS_MEMBERMOVES_H

#include "clang/AST/Decl.h"
#include <optional>

namespace tensorleak {

/// Which way a member goes: a counter that counts up, a flag that is set or cleared.
/// Up: never down again; FromZero: whatever is added, and nothing else, as to a sum of weights.
enum class Goes { Up, FromZero, ToTrue, ToFalse };

/// \p Body lets the member or variable \p D go on.
bool moves(const clang::Stmt &Body, const clang::ValueDecl &D, Goes Way);

/// All that \p Body does with \p D is read it, and let it go on where there is a \p Way.
bool onlyReadsOrMoves(const clang::Stmt &Body, const clang::ValueDecl &D, std::optional<Goes> Way);

/// `live = from.live;`: \p Body gives its own object what another one has in \p Field.
bool takesOver(const clang::Stmt &Body, const clang::FieldDecl &Field);

/// A method of its class may let the member come back, or is not in view.
bool mayComeBack(const clang::FieldDecl &Field, Goes Way);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_MEMBERS_MEMBERMOVES_H
