//===-- Variables.h - Which variable lies at an address -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From DWARF: the variable of a file at an address, and the variable of a function
// at a place in its frame.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_VARIABLES_H
#define TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_VARIABLES_H

#include "runtime/replay/debuginfo/DebugInfo.h"

#include <functional>
#include <optional>

namespace tensorleak {

/// A variable, and a place in it.
struct PlaceInVariable {
  std::string Name;
  std::string Function; ///< of a local or a static local; "" for others
  bool IsLocal = false; ///< it lies in a frame
  bool IsThreadLocal = false;
  unsigned Depth = 0; ///< of a local: blocks around it
  Location Where;     ///< of its declaration
  Dwarf_Die Type = {};
  uint64_t Offset = 0; ///< of the place
};

/// A place in a frame, as far as the unwinder knows it.
struct PlaceInFrame {
  uint64_t Pc = 0; ///< link-time address to which the call returns
  int64_t FromFrameEnd = 0, FromStackPointer = 0;
  std::optional<unsigned> Register; ///< it is a register that the call preserves
};

class Variables {
public:
  explicit Variables(DebugInfo &Info) : Info(Info) {}

  std::optional<PlaceInVariable> globalAt(uint64_t Address);
  /// \p Offset is that in the file's block of thread-local variables.
  std::optional<PlaceInVariable> threadLocalAt(uint64_t Offset);
  std::optional<PlaceInVariable> localAt(const PlaceInFrame &Place);
  /// The complete type of that (demangled) name.
  std::optional<Dwarf_Die> typeNamed(const std::string &Name);

private:
  struct Global {
    uint64_t Begin, End;
    Dwarf_Die Die;
    std::string Function;
  };
  using Globals = std::vector<Global>; ///< by Begin
  std::optional<PlaceInVariable> globalIn(Globals &All, uint64_t At);
  void index();
  void indexScope(Dwarf_Die Parent, const std::string &Scope, const std::string &Function);
  void indexVariable(Dwarf_Die &Die, const std::string &Function);
  std::optional<PlaceInVariable> place(Dwarf_Die &Die, uint64_t Offset);
  /// The variable of the innermost scope in which \p Find finds the place.
  std::optional<PlaceInVariable>
  innermost(std::vector<Dwarf_Die> &Scopes,
            const std::function<std::optional<uint64_t>(Dwarf_Die &)> &Find);

  std::optional<PlaceInVariable> inDeclaredClass(std::vector<Dwarf_Die> &Scopes,
                                                 const PlaceInFrame &Place,
                                                 std::optional<int64_t> Base);

  DebugInfo &Info;
  bool Indexed = false;
  Globals OfProcess, OfThread;
  std::map<std::string, Dwarf_Die> Types;
};

/// The size of a variable of that type; 0 if it is not known.
uint64_t sizeOfType(Dwarf_Die Type);

/// Whether it is a class of which the file has no description.
bool isOnlyDeclared(Dwarf_Die Type);

/// Without names for it, const and volatile.
Dwarf_Die strippedType(Dwarf_Die Type);

/// The type that \p Die names as its own; false if it names none.
bool typeOf(Dwarf_Die &Die, Dwarf_Die &Type);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_VARIABLES_H
