//===-- DebugInfo.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/debuginfo/DebugInfo.h"
#include "runtime/replay/debuginfo/FunctionName.h"

#include <algorithm>
#include <cstring>
#include <dwarf.h>
#include <filesystem>
#include <sstream>
#include <utility>

namespace fs = std::filesystem;

namespace tensorleak {
namespace {

/// Separate debug files are looked for where every debugger looks.
char *DebugPath = nullptr;
const Dwfl_Callbacks Callbacks = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo,
                                  dwfl_offline_section_address, &DebugPath};

/// Tags below which functions with code can stand: in a function there are those of its
/// lambdas and local classes.
bool holdsFunctions(int Tag) {
  return Tag == DW_TAG_namespace || Tag == DW_TAG_class_type || Tag == DW_TAG_structure_type ||
         Tag == DW_TAG_subprogram || Tag == DW_TAG_lexical_block;
}

/// Tags between a function and the calls inlined into it.
bool holdsCode(int Tag) {
  return Tag == DW_TAG_inlined_subroutine || Tag == DW_TAG_lexical_block ||
         Tag == DW_TAG_try_block || Tag == DW_TAG_catch_block;
}

/// Calls \p Visit on every child until it returns true.
template <typename Fn> bool visitChildren(Dwarf_Die &Parent, Fn Visit) {
  Dwarf_Die Child;
  if (dwarf_child(&Parent, &Child) != 0)
    return false;
  do {
    if (Visit(Child))
      return true;
  } while (dwarf_siblingof(&Child, &Child) == 0);
  return false;
}

/// From the function inwards: every scope whose code has the address.
void scopesWithin(Dwarf_Die Scope, uint64_t Address, std::vector<Dwarf_Die> &Out) {
  visitChildren(Scope, [&](Dwarf_Die &Child) {
    if (!holdsCode(dwarf_tag(&Child)) || dwarf_haspc(&Child, Address) <= 0)
      return false;
    Out.push_back(Child);
    scopesWithin(Child, Address, Out);
    return true;
  });
}

/// dwarf_decl_file takes the number 0 for "none"; since DWARF 5 it is a file.
const char *declaringFile(Dwarf_Die &Die, Dwarf_Die &Unit) {
  Dwarf_Attribute Attribute;
  Dwarf_Word Index = 0;
  Dwarf_Files *Files = nullptr;
  size_t Count = 0;
  if (dwarf_formudata(dwarf_attr_integrate(&Die, DW_AT_decl_file, &Attribute), &Index) != 0 ||
      !dwarf_cu_die(Attribute.cu, &Unit, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) ||
      dwarf_getsrcfiles(&Unit, &Files, &Count) != 0 || Index >= Count)
    return nullptr;
  return dwarf_filesrc(Files, Index, nullptr, nullptr);
}

/// clang marks a statement only where the line changes, gcc where the column does.
bool isFromClang(Dwarf_Die Unit) {
  Dwarf_Attribute Attribute;
  const char *Producer = dwarf_formstring(dwarf_attr(&Unit, DW_AT_producer, &Attribute));
  return Producer && std::strstr(Producer, "clang");
}

/// With -gsplit-dwarf the program has a skeleton of the unit, with its lines and addresses, and a
/// file beside it has the functions and variables: that, if it is there.
Dwarf_Die wholeUnit(Dwarf_Die Unit) {
  Dwarf_Half Version;
  uint8_t Type;
  Dwarf_Die Own, Split;
  if (dwarf_cu_info(Unit.cu, &Version, &Type, &Own, &Split, nullptr, nullptr, nullptr) == 0 &&
      Type == DW_UT_skeleton && dwarf_tag(&Split) == DW_TAG_compile_unit)
    return Split;
  return Unit;
}

unsigned unsignedAttribute(Dwarf_Die &Die, unsigned Name) {
  Dwarf_Attribute Attribute;
  Dwarf_Word Value = 0;
  if (dwarf_formudata(dwarf_attr(&Die, Name, &Attribute), &Value) != 0)
    return 0;
  return static_cast<unsigned>(Value);
}

} // namespace

DebugInfo::DebugInfo(const std::string &Path) : Session(dwfl_begin(&Callbacks), dwfl_end) {
  dwfl_report_begin(Session.get());
  Module = dwfl_report_elf(Session.get(), Path.c_str(), Path.c_str(), -1, 0, /*add_p_vaddr=*/true);
  dwfl_report_end(Session.get(), nullptr, nullptr);
  if (Module)
    readUnits();
}

void DebugInfo::readUnits() {
  Dwarf_Die *Unit = nullptr;
  Dwarf_Addr Bias = 0;
  while ((Unit = dwfl_nextcu(Session.get(), Unit, &Bias))) {
    Units.push_back(*Unit);
    WholeUnits.push_back(wholeUnit(*Unit));
    addRanges(*Unit, UnitRanges);
  }
  std::sort(UnitRanges.begin(), UnitRanges.end(),
            [](const Range &A, const Range &B) { return A.Low < B.Low; });
}

void DebugInfo::addRanges(Dwarf_Die &Die, RangeIndex &Out) {
  Dwarf_Addr Base, Low, High;
  for (ptrdiff_t Next = 0; (Next = dwarf_ranges(&Die, Next, &Base, &Low, &High)) > 0;)
    if (Low < High && Low != 0) // the linker sets the ranges of dropped copies to 0
      Out.push_back({Low, High, Die});
}

void DebugInfo::collectFunctions(Dwarf_Die &Parent, RangeIndex &Out) {
  visitChildren(Parent, [&Out](Dwarf_Die &Child) {
    int Tag = dwarf_tag(&Child);
    if (Tag == DW_TAG_subprogram)
      addRanges(Child, Out);
    if (holdsFunctions(Tag))
      collectFunctions(Child, Out);
    return false;
  });
}

const DebugInfo::Range *DebugInfo::find(const RangeIndex &Index, uint64_t Address) {
  auto After = std::upper_bound(Index.begin(), Index.end(), Address,
                                [](uint64_t A, const Range &R) { return A < R.Low; });
  if (After == Index.begin() || std::prev(After)->High <= Address)
    return nullptr;
  return &*std::prev(After);
}

const DebugInfo::RangeIndex &DebugInfo::functionsOf(Dwarf_Die &Unit) {
  auto [Entry, IsNew] = Functions.try_emplace(dwarf_dieoffset(&Unit));
  if (IsNew) {
    Dwarf_Die Whole = wholeUnit(Unit);
    collectFunctions(Whole, Entry->second);
    std::sort(Entry->second.begin(), Entry->second.end(),
              [](const Range &A, const Range &B) { return A.Low < B.Low; });
  }
  return Entry->second;
}

/// The path that findings use: absolute, links resolved where the file is here. A path
/// may be relative to the folder in which the unit was compiled.
const std::string &DebugInfo::canonical(const char *Path, Dwarf_Die &Unit) {
  Dwarf_Attribute Attribute;
  const char *Folder =
      Path && *Path != '/'
          ? dwarf_formstring(dwarf_attr_integrate(&Unit, DW_AT_comp_dir, &Attribute))
          : nullptr;
  fs::path Whole = fs::path(Folder ? Folder : "") / (Path ? Path : "");
  auto [Entry, IsNew] = CanonicalPaths.try_emplace(Whole.string());
  if (IsNew && Path) {
    std::error_code Error;
    fs::path Real = fs::weakly_canonical(Whole, Error);
    Entry->second = Error ? Whole.string() : Real.string();
  }
  return Entry->second;
}

Location DebugInfo::lineAt(Dwarf_Die &Unit, uint64_t Address) {
  Dwarf_Line *Line = dwarf_getsrc_die(&Unit, Address);
  if (!Line)
    return {};
  int Number = 0, Column = 0;
  dwarf_lineno(Line, &Number);
  dwarf_linecol(Line, &Column);
  return {canonical(dwarf_linesrc(Line, nullptr, nullptr), Unit), static_cast<unsigned>(Number),
          static_cast<unsigned>(Column)};
}

Location DebugInfo::callSite(Dwarf_Die &Inlined, Dwarf_Die &Unit) {
  Dwarf_Files *Files = nullptr;
  size_t Count = 0, Index = unsignedAttribute(Inlined, DW_AT_call_file);
  const char *Path = nullptr;
  Dwarf_Die Whole = wholeUnit(Unit);
  if (dwarf_getsrcfiles(&Whole, &Files, &Count) == 0 && Index < Count)
    Path = dwarf_filesrc(Files, Index, nullptr, nullptr);
  return {canonical(Path, Unit), unsignedAttribute(Inlined, DW_AT_call_line),
          unsignedAttribute(Inlined, DW_AT_call_column)};
}

std::vector<Dwarf_Die> DebugInfo::scopesAt(uint64_t Address) {
  std::vector<Dwarf_Die> Out;
  const Range *UnitRange = find(UnitRanges, Address);
  Dwarf_Die Unit = UnitRange ? UnitRange->Die : Dwarf_Die{};
  if (const Range *Function = UnitRange ? find(functionsOf(Unit), Address) : nullptr) {
    Out.push_back(Function->Die);
    scopesWithin(Out.front(), Address, Out);
  }
  return Out;
}

Location DebugInfo::declarationOf(Dwarf_Die &Die) {
  Dwarf_Attribute Attribute;
  Dwarf_Word Line = 0, Column = 0;
  Dwarf_Die Unit;
  const char *File = declaringFile(Die, Unit);
  if (!File || dwarf_formudata(dwarf_attr_integrate(&Die, DW_AT_decl_line, &Attribute), &Line))
    return {};
  if (dwarf_formudata(dwarf_attr_integrate(&Die, DW_AT_decl_column, &Attribute), &Column))
    Column = 0;
  return {canonical(File, Unit), static_cast<unsigned>(Line), static_cast<unsigned>(Column)};
}

std::vector<Frame> DebugInfo::framesAt(uint64_t Address) {
  const Range *UnitRange = find(UnitRanges, Address);
  if (!UnitRange)
    return {};
  Dwarf_Die Unit = UnitRange->Die;
  const Range *Function = find(functionsOf(Unit), Address);
  if (!Function)
    return {{"", lineAt(Unit, Address)}};
  std::vector<Dwarf_Die> Chain{Function->Die};
  scopesWithin(Chain.front(), Address, Chain);
  std::vector<Frame> Out;
  std::vector<uint64_t> Blocks;
  Location Where = lineAt(Unit, Address);
  for (auto Die = Chain.rbegin(); Die != Chain.rend(); ++Die) {
    if (int Tag = dwarf_tag(&*Die); Tag != DW_TAG_subprogram && Tag != DW_TAG_inlined_subroutine) {
      Blocks.insert(Blocks.begin(), dwarf_dieoffset(&*Die));
      continue;
    }
    Out.push_back({functionName(*Die), Where, std::exchange(Blocks, {})});
    if (dwarf_tag(&*Die) == DW_TAG_inlined_subroutine)
      Where = callSite(*Die, Unit);
  }
  return Out;
}

const char *DebugInfo::nearestSymbol(uint64_t Address, GElf_Sym &Symbol, GElf_Off &Offset) {
  if (!Module)
    return nullptr;
  return dwfl_module_addrinfo(Module, Address, &Offset, &Symbol, nullptr, nullptr, nullptr);
}

std::string DebugInfo::variableAt(uint64_t Address) {
  GElf_Off Offset = 0;
  GElf_Sym Symbol;
  const char *Name = nearestSymbol(Address, Symbol, Offset);
  if (!Name || GELF_ST_TYPE(Symbol.st_info) != STT_OBJECT || Offset >= Symbol.st_size)
    return "";
  std::string Full = demangled(Name);
  return Full.empty() ? Name : Full;
}

std::string DebugInfo::symbolAt(uint64_t Address) {
  GElf_Off Offset = 0;
  GElf_Sym Symbol;
  const char *Name = nearestSymbol(Address, Symbol, Offset);
  std::stringstream Out;
  if (!Name) {
    Out << "0x" << std::hex << Address;
    return Out.str();
  }
  if (isLibraryFunction(Name))
    return "";
  Out << symbolName(Name) << "+0x" << std::hex << Offset;
  return Out.str();
}

bool DebugInfo::mentions(Dwarf_Die &Unit, const std::string &File) {
  Dwarf_Files *Files = nullptr;
  size_t Count = 0;
  if (dwarf_getsrcfiles(&Unit, &Files, &Count) != 0)
    return false;
  for (size_t I = 0; I < Count; ++I)
    if (canonical(dwarf_filesrc(Files, I, nullptr, nullptr), Unit) == File)
      return true;
  return false;
}

void DebugInfo::addRow(Dwarf_Line *Line, bool EveryRowStarts, std::vector<LineRow> &Out) {
  int Number = 0, Column = 0;
  Dwarf_Addr Address = 0;
  bool Starts = false;
  dwarf_lineno(Line, &Number);
  dwarf_linecol(Line, &Column);
  dwarf_lineaddr(Line, &Address);
  dwarf_linebeginstatement(Line, &Starts);
  // The sequences of copies that the linker dropped start at 0.
  if (Address != 0 && find(UnitRanges, Address))
    Out.push_back({static_cast<unsigned>(Number), static_cast<unsigned>(Column), Address,
                   Starts || EveryRowStarts});
}

/// nvcc hands the host's compiler a text of its own: its lines are the source's, its columns are
/// not.
static bool isFromNvcc(Dwarf_Die &Unit) {
  const char *Name = dwarf_diename(&Unit);
  const std::string_view File = Name ? Name : "";
  constexpr std::string_view End = ".cudafe1.cpp";
  return File.size() >= End.size() && File.substr(File.size() - End.size()) == End;
}

void DebugInfo::addRows(Dwarf_Die &Unit, const std::string &File, std::vector<LineRow> &Out) {
  Dwarf_Lines *Lines = nullptr;
  size_t Count = 0;
  if (dwarf_getsrclines(&Unit, &Lines, &Count) != 0)
    return;
  const size_t Before = Out.size();
  bool EveryRowStarts = isFromClang(wholeUnit(Unit));
  for (size_t I = 0; I < Count; ++I) {
    Dwarf_Line *Line = dwarf_onesrcline(Lines, I);
    bool Ends = false;
    dwarf_lineendsequence(Line, &Ends);
    if (!Ends && canonical(dwarf_linesrc(Line, nullptr, nullptr), Unit) == File)
      addRow(Line, EveryRowStarts, Out);
  }
  if (isFromNvcc(Unit))
    std::for_each(Out.begin() + std::ptrdiff_t(Before), Out.end(),
                  [](LineRow &Row) { Row.Column = 0; });
}

std::vector<LineRow> DebugInfo::rowsOf(const std::string &File) {
  std::vector<LineRow> Out;
  for (Dwarf_Die &Unit : Units)
    if (mentions(Unit, File))
      addRows(Unit, File, Out);
  return Out;
}

} // namespace tensorleak
