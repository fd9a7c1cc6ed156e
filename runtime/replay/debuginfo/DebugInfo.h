//===-- DebugInfo.h - The DWARF of one executable or library --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers two questions with libdw: which chain of functions, inlined ones
// included, stands at an address; and at which addresses a place in the source
// starts. Addresses are link-time ones: the load address is not known here.
// Units are indexed by hand, since clang writes no .debug_aranges.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_DEBUGINFO_H
#define TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_DEBUGINFO_H

#include "runtime/replay/debuginfo/Frame.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <map>
#include <memory>

namespace tensorleak {

/// A row of a line table.
struct LineRow {
  unsigned Line = 0, Column = 0;
  uint64_t Address = 0;
  bool StartsStatement = true;
};

class DebugInfo {
public:
  /// Opens the file, and its separate debug file if there is one. Without DWARF
  /// every answer is empty.
  explicit DebugInfo(const std::string &Path);

  bool hasLines() const { return !Units.empty(); }

  /// The functions at that address, innermost first; empty if it is not known.
  std::vector<Frame> framesAt(uint64_t Address);

  /// The symbol that has the address and how far it is in, "main+0x57", of files without DWARF
  /// too; the address alone where no symbol has it. "" in what headers of LibTorch and of the
  /// standard library put into every program.
  std::string symbolAt(uint64_t Address);
  /// The name of the variable of static storage that has the address, by the table of symbols;
  /// "" where it has none.
  std::string variableAt(uint64_t Address);

  /// The rows of a source file (absolute path) from all units: inline functions of
  /// headers and templates have several copies.
  std::vector<LineRow> rowsOf(const std::string &File);

  /// The function at that address and the scopes in it that the address lies in,
  /// outermost first: blocks and inlined calls.
  std::vector<Dwarf_Die> scopesAt(uint64_t Address);

  /// With what is in files beside the program.
  const std::vector<Dwarf_Die> &units() const { return WholeUnits; }

  /// Where \p Die is declared.
  Location declarationOf(Dwarf_Die &Die);

private:
  struct Range {
    uint64_t Low, High;
    Dwarf_Die Die;
  };
  /// Sorted by Low; nested ranges never overlap in part.
  using RangeIndex = std::vector<Range>;

  void readUnits();
  /// The symbol that \p Address lies in or behind, and how far; null if there is none.
  const char *nearestSymbol(uint64_t Address, GElf_Sym &Symbol, GElf_Off &Offset);
  static void addRanges(Dwarf_Die &Die, RangeIndex &Out);
  static void collectFunctions(Dwarf_Die &Parent, RangeIndex &Out);
  static const Range *find(const RangeIndex &Index, uint64_t Address);
  const RangeIndex &functionsOf(Dwarf_Die &Unit);
  const std::string &canonical(const char *Path, Dwarf_Die &Unit);
  Location callSite(Dwarf_Die &Inlined, Dwarf_Die &Unit);
  Location lineAt(Dwarf_Die &Unit, uint64_t Address);
  bool mentions(Dwarf_Die &Unit, const std::string &File);
  void addRow(Dwarf_Line *Line, bool EveryRowStarts, std::vector<LineRow> &Out);
  void addRows(Dwarf_Die &Unit, const std::string &File, std::vector<LineRow> &Out);

  std::unique_ptr<Dwfl, void (*)(Dwfl *)> Session;
  Dwfl_Module *Module = nullptr; ///< the session's
  std::vector<Dwarf_Die> Units;  ///< as they stand in the program
  std::vector<Dwarf_Die> WholeUnits;
  RangeIndex UnitRanges;
  std::map<Dwarf_Off, RangeIndex> Functions; ///< per unit, made at the first question
  std::map<std::string, std::string> CanonicalPaths;
};

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_DEBUGINFO_H
