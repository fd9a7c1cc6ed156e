//===-- MemberWalk.h - From a variable down to the pointer in it ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A holder is found as offsets: of a pointer in a variable, of another in the block
// that it points to. The types name the members.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_MEMBERWALK_H
#define TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_MEMBERWALK_H

#include "runtime/replay/debuginfo/Variables.h"

namespace tensorleak {

/// A member of a class of the user's.
struct NamedMember {
  std::string Name;  ///< "losses_"
  std::string Class; ///< "Trainer"
  Location Where;
};

class MemberWalk {
public:
  MemberWalk(DebugInfo &Info, Variables &Known) : Info(Info), Known(Known) {}

  /// Begins with a variable, or a block of unknown type.
  void enter(const PlaceInVariable &Variable);
  /// Follows the pointer to a block of class \p Mangled ("" if unknown), and goes on to
  /// the pointer at \p Offset in it.
  void follow(const std::string &Mangled, uint64_t Offset);

  /// The members on the way, outermost first. Those of the standard library and of
  /// LibTorch are passed through and not named.
  const std::vector<NamedMember> &members() const { return Members; }

private:
  void descend(Dwarf_Die Type, uint64_t Offset);
  bool descendInto(Dwarf_Die Class, Dwarf_Die &Type, uint64_t &Offset);
  void takePointee(Dwarf_Die Pointer);
  bool takeSharedPointee(Dwarf_Die Type);
  void useDynamicType(const std::string &Mangled);
  void name(Dwarf_Die &Class, Dwarf_Die &Member);

  DebugInfo &Info;
  Variables &Known;
  std::vector<NamedMember> Members;
  std::optional<Dwarf_Die> Pointee;
};

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_MEMBERWALK_H
