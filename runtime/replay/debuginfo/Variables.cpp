//===-- Variables.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/debuginfo/Variables.h"
#include "runtime/replay/debuginfo/FunctionName.h"

#include <algorithm>
#include <dwarf.h>

namespace tensorleak {
namespace {

/// Registers of x86-64 by their DWARF numbers.
constexpr unsigned FramePointer = 6, StackPointer = 7;
/// Where a function with a frame pointer saves its caller's, from the end of its frame.
constexpr int64_t SavedPointer = -16;

struct Expression {
  Dwarf_Op *Ops = nullptr;
  size_t Count = 0;
  bool isOnly(uint8_t Op) const { return Count >= 1 && Ops[0].atom == Op; }
};

/// Where something lies, by that attribute, while \p Pc runs.
bool expressionAt(Dwarf_Die &Die, unsigned Name, uint64_t Pc, Expression &Out) {
  Dwarf_Attribute Attribute;
  if (!dwarf_attr_integrate(&Die, Name, &Attribute))
    return false;
  return dwarf_getlocation_addr(&Attribute, Pc, &Out.Ops, &Out.Count, 1) == 1;
}

/// A function's frame base as an offset from the end of its frame. With a frame
/// pointer, that is where the caller's was saved.
std::optional<int64_t> frameBase(Dwarf_Die &Function, const PlaceInFrame &Place) {
  Expression E;
  if (!expressionAt(Function, DW_AT_frame_base, Place.Pc - 1, E))
    return std::nullopt;
  if (E.isOnly(DW_OP_call_frame_cfa))
    return 0;
  if (E.isOnly(DW_OP_reg0 + FramePointer))
    return SavedPointer;
  if (E.isOnly(DW_OP_breg0 + FramePointer))
    return SavedPointer + static_cast<int64_t>(E.Ops[0].number);
  if (E.isOnly(DW_OP_reg0 + StackPointer))
    return Place.FromFrameEnd - Place.FromStackPointer;
  return std::nullopt;
}

/// A variable, or a part of one that the compiler took apart.
struct Part {
  const Dwarf_Op *Op = nullptr;
  uint64_t Begin = 0, Size = 0; ///< in the variable
};

/// One part per operation: those that are followed by the size of a piece, or a single
/// one without.
std::vector<Part> partsOf(const Expression &E, uint64_t WholeSize) {
  if (E.Count == 1)
    return {{E.Ops, 0, WholeSize}};
  std::vector<Part> Out;
  uint64_t Begin = 0;
  const Dwarf_Op *Last = nullptr;
  for (size_t I = 0; I < E.Count; ++I) {
    if (E.Ops[I].atom != DW_OP_piece) {
      if (Last)
        return {}; // computed, not simply there
      Last = &E.Ops[I];
      continue;
    }
    if (Last)
      Out.push_back({Last, Begin, E.Ops[I].number});
    Begin += E.Ops[I].number;
    Last = nullptr;
  }
  return Out;
}

/// Where a part that is in memory begins, as an offset from the end of the frame.
std::optional<int64_t> beginOf(const Dwarf_Op &Op, const PlaceInFrame &Place,
                               std::optional<int64_t> Base) {
  int64_t Number = static_cast<int64_t>(Op.number);
  if (Op.atom == DW_OP_fbreg && Base)
    return *Base + Number;
  if (Op.atom == DW_OP_breg0 + StackPointer)
    return Place.FromFrameEnd - Place.FromStackPointer + Number;
  if (Op.atom == DW_OP_breg0 + FramePointer)
    return SavedPointer + Number;
  return std::nullopt;
}

/// How far the place lies behind the beginning of a variable; nothing if it is not in
/// it.
std::optional<uint64_t> offsetIn(Dwarf_Die &Variable, const PlaceInFrame &Place,
                                 std::optional<int64_t> Base) {
  Expression E;
  Dwarf_Die Type;
  if (!expressionAt(Variable, DW_AT_location, Place.Pc - 1, E) || !typeOf(Variable, Type))
    return std::nullopt;
  for (const Part &P : partsOf(E, sizeOfType(Type))) {
    if (Place.Register && P.Op->atom == DW_OP_reg0 + *Place.Register)
      return P.Begin;
    std::optional<int64_t> Begin = beginOf(*P.Op, Place, Base);
    if (!Place.Register && Begin && Place.FromFrameEnd >= *Begin &&
        Place.FromFrameEnd < *Begin + static_cast<int64_t>(P.Size))
      return P.Begin + static_cast<uint64_t>(Place.FromFrameEnd - *Begin);
  }
  return std::nullopt;
}

/// Where a variable begins that is all in the frame, as an offset from the frame's end.
std::optional<int64_t> beginInFrame(Dwarf_Die &Variable, const PlaceInFrame &Place,
                                    std::optional<int64_t> Base) {
  Expression E;
  bool IsWhole = expressionAt(Variable, DW_AT_location, Place.Pc - 1, E) && E.Count == 1;
  return IsWhole ? beginOf(*E.Ops, Place, Base) : std::nullopt;
}

/// Where the debug information last placed the variable before the compiler lost it.
bool lastExpressionBefore(Dwarf_Die &Variable, uint64_t Pc, Expression &Out) {
  Dwarf_Attribute Attribute;
  if (!dwarf_attr_integrate(&Variable, DW_AT_location, &Attribute))
    return false;
  Dwarf_Addr Base = 0, Begin = 0, End = 0, Latest = 0;
  Expression E;
  for (ptrdiff_t At = 0;
       (At = dwarf_getlocations(&Attribute, At, &Base, &Begin, &End, &E.Ops, &E.Count)) > 0;)
    if (End <= Pc && End > Latest) {
      Latest = End;
      Out = E;
    }
  return Latest != 0;
}

/// The same for a register in which the debug information places no variable: gcc forgets
/// where a variable is whose value it needs only for its destructor, but it stays there.
std::optional<uint64_t> lastOffsetIn(Dwarf_Die &Variable, const PlaceInFrame &Place) {
  Expression E;
  Dwarf_Die Type;
  if (!lastExpressionBefore(Variable, Place.Pc - 1, E) || !typeOf(Variable, Type))
    return std::nullopt;
  for (const Part &P : partsOf(E, sizeOfType(Type)))
    if (P.Op->atom == DW_OP_reg0 + *Place.Register)
      return P.Begin;
  return std::nullopt;
}

/// The address of a variable that is always at the same one; else 0.
uint64_t fixedAddress(Dwarf_Die &Variable) {
  Expression E;
  Dwarf_Attribute Attribute, Indexed;
  Dwarf_Addr Address = 0;
  if (!dwarf_attr_integrate(&Variable, DW_AT_location, &Attribute) ||
      dwarf_getlocation(&Attribute, &E.Ops, &E.Count) != 0 || E.Count != 1)
    return 0;
  if (E.isOnly(DW_OP_addr))
    return E.Ops[0].number;
  bool IsIndexed = E.isOnly(DW_OP_addrx) &&
                   dwarf_getlocation_attr(&Attribute, E.Ops, &Indexed) == 0 &&
                   dwarf_formaddr(&Indexed, &Address) == 0;
  return IsIndexed ? Address : 0;
}

/// The place of a thread_local variable in the file's block of them; nothing for others.
std::optional<uint64_t> threadLocalOffset(Dwarf_Die &Variable) {
  Expression E;
  Dwarf_Attribute Attribute;
  if (!dwarf_attr_integrate(&Variable, DW_AT_location, &Attribute) ||
      dwarf_getlocation(&Attribute, &E.Ops, &E.Count) != 0 || E.Count != 2)
    return std::nullopt;
  uint8_t Then = E.Ops[1].atom;
  bool IsConstant = E.Ops[0].atom == DW_OP_const8u || E.Ops[0].atom == DW_OP_const4u ||
                    E.Ops[0].atom == DW_OP_addr;
  if (!IsConstant || (Then != DW_OP_form_tls_address && Then != DW_OP_GNU_push_tls_address))
    return std::nullopt;
  return E.Ops[0].number;
}

template <typename Fn> void eachChild(Dwarf_Die &Parent, Fn Visit) {
  Dwarf_Die Child;
  if (dwarf_child(&Parent, &Child) != 0)
    return;
  do
    Visit(Child);
  while (dwarf_siblingof(&Child, &Child) == 0);
}

bool isVariable(Dwarf_Die &Die) {
  return dwarf_tag(&Die) == DW_TAG_variable || dwarf_tag(&Die) == DW_TAG_formal_parameter;
}

bool isType(int Tag) { return Tag == DW_TAG_class_type || Tag == DW_TAG_structure_type; }

bool isScope(int Tag) {
  return Tag == DW_TAG_namespace || Tag == DW_TAG_subprogram || Tag == DW_TAG_lexical_block ||
         isType(Tag);
}

/// The variable that begins last before a place in the frame.
std::optional<int64_t> nearestBegin(std::vector<Dwarf_Die> &Scopes, const PlaceInFrame &Place,
                                    std::optional<int64_t> Base) {
  std::optional<int64_t> Nearest;
  for (Dwarf_Die &Scope : Scopes)
    eachChild(Scope, [&](Dwarf_Die &Child) {
      std::optional<int64_t> Begin =
          isVariable(Child) ? beginInFrame(Child, Place, Base) : std::nullopt;
      if (Begin && *Begin <= Place.FromFrameEnd && (!Nearest || *Begin > *Nearest))
        Nearest = Begin;
    });
  return Nearest;
}

} // namespace

bool isOnlyDeclared(Dwarf_Die Type) {
  Dwarf_Die Stripped = strippedType(Type);
  return isType(dwarf_tag(&Stripped)) && dwarf_hasattr(&Stripped, DW_AT_declaration);
}

bool typeOf(Dwarf_Die &Die, Dwarf_Die &Type) {
  Dwarf_Attribute Attribute;
  return dwarf_formref_die(dwarf_attr_integrate(&Die, DW_AT_type, &Attribute), &Type) != nullptr;
}

Dwarf_Die strippedType(Dwarf_Die Type) {
  Dwarf_Die Out = Type;
  dwarf_peel_type(&Type, &Out);
  return Out;
}

uint64_t sizeOfType(Dwarf_Die Type) {
  Dwarf_Word Size = 0;
  return dwarf_aggregate_size(&Type, &Size) == 0 ? Size : 0;
}

std::optional<PlaceInVariable> Variables::place(Dwarf_Die &Die, uint64_t Offset) {
  PlaceInVariable Out;
  const char *Name = dwarf_diename(&Die);
  if (!Name || !typeOf(Die, Out.Type))
    return std::nullopt;
  Out.Name = Name;
  Out.Where = Info.declarationOf(Die);
  Out.Offset = Offset;
  return Out;
}

std::optional<PlaceInVariable>
Variables::innermost(std::vector<Dwarf_Die> &Scopes,
                     const std::function<std::optional<uint64_t>(Dwarf_Die &)> &Find) {
  std::optional<PlaceInVariable> Out;
  std::string Function;
  for (unsigned Depth = 0; Depth < Scopes.size(); ++Depth) {
    Dwarf_Die &Scope = Scopes[Depth];
    if (dwarf_tag(&Scope) != DW_TAG_lexical_block)
      Function = functionName(Scope);
    eachChild(Scope, [&](Dwarf_Die &Child) {
      if (!isVariable(Child))
        return;
      std::optional<uint64_t> Offset = Find(Child);
      std::optional<PlaceInVariable> Found = Offset ? place(Child, *Offset) : std::nullopt;
      if (!Found)
        return;
      Found->Function = Function;
      Found->IsLocal = true;
      Found->Depth = Depth;
      Out = Found;
    });
  }
  return Out;
}

std::optional<PlaceInVariable> Variables::localAt(const PlaceInFrame &Place) {
  std::vector<Dwarf_Die> Scopes = Info.scopesAt(Place.Pc - 1);
  if (Scopes.empty())
    return std::nullopt;
  std::optional<int64_t> Base = frameBase(Scopes.front(), Place);
  auto There = [&](Dwarf_Die &Variable) { return offsetIn(Variable, Place, Base); };
  auto LastThere = [&](Dwarf_Die &Variable) { return lastOffsetIn(Variable, Place); };
  std::optional<PlaceInVariable> Out = innermost(Scopes, There);
  if (Out || !Place.Register)
    return Out ? Out : inDeclaredClass(Scopes, Place, Base);
  return innermost(Scopes, LastThere);
}

/// A compiler describes a class with virtual functions only where these are compiled, as an
/// optimizer's in LibTorch: its variables have no size, and end where the next one begins.
std::optional<PlaceInVariable> Variables::inDeclaredClass(std::vector<Dwarf_Die> &Scopes,
                                                          const PlaceInFrame &Place,
                                                          std::optional<int64_t> Base) {
  constexpr int64_t LargestObject = 4096;
  std::optional<int64_t> Begin = nearestBegin(Scopes, Place, Base);
  if (!Begin || Place.FromFrameEnd - *Begin >= LargestObject)
    return std::nullopt;
  return innermost(Scopes, [&](Dwarf_Die &Variable) -> std::optional<uint64_t> {
    Dwarf_Die Type;
    if (beginInFrame(Variable, Place, Base) != Begin || !typeOf(Variable, Type) ||
        !isOnlyDeclared(Type))
      return std::nullopt;
    return Place.FromFrameEnd - *Begin;
  });
}

void Variables::indexVariable(Dwarf_Die &Die, const std::string &Function) {
  Dwarf_Die Type;
  uint64_t Begin = fixedAddress(Die), Size = typeOf(Die, Type) ? sizeOfType(Type) : 0;
  if (Begin && Size)
    OfProcess.push_back({Begin, Begin + Size, Die, Function});
  else if (std::optional<uint64_t> Offset = threadLocalOffset(Die); Offset && Size)
    OfThread.push_back({*Offset, *Offset + Size, Die, Function});
}

void Variables::indexScope(Dwarf_Die Parent, const std::string &Scope,
                           const std::string &Function) {
  eachChild(Parent, [&](Dwarf_Die &Child) {
    int Tag = dwarf_tag(&Child);
    if (Tag == DW_TAG_variable)
      return indexVariable(Child, Function);
    if (!isScope(Tag))
      return;
    const char *Name = dwarf_diename(&Child);
    std::string Inner = Scope;
    if (Name && (isType(Tag) || Tag == DW_TAG_namespace))
      Inner += (Scope.empty() ? "" : "::") + std::string(Name);
    if (isType(Tag) && Name && !dwarf_hasattr(&Child, DW_AT_declaration))
      Types.emplace(Inner, Child);
    bool IsFunction = Tag == DW_TAG_subprogram;
    indexScope(Child, Inner, IsFunction ? functionName(Child) : Function);
  });
}

void Variables::index() {
  if (Indexed)
    return;
  Indexed = true;
  for (Dwarf_Die Unit : Info.units())
    indexScope(Unit, "", "");
  for (Globals *All : {&OfProcess, &OfThread})
    std::sort(All->begin(), All->end(),
              [](const Global &A, const Global &B) { return A.Begin < B.Begin; });
}

std::optional<PlaceInVariable> Variables::globalAt(uint64_t Address) {
  index();
  return globalIn(OfProcess, Address);
}

std::optional<PlaceInVariable> Variables::threadLocalAt(uint64_t Offset) {
  index();
  std::optional<PlaceInVariable> Out = globalIn(OfThread, Offset);
  if (Out)
    Out->IsThreadLocal = true;
  return Out;
}

std::optional<PlaceInVariable> Variables::globalIn(Globals &All, uint64_t At) {
  auto After = std::upper_bound(All.begin(), All.end(), At,
                                [](uint64_t A, const Global &G) { return A < G.Begin; });
  if (After == All.begin() || std::prev(After)->End <= At)
    return std::nullopt;
  Global &Found = *std::prev(After);
  std::optional<PlaceInVariable> Out = place(Found.Die, At - Found.Begin);
  if (Out)
    Out->Function = Found.Function;
  return Out;
}

std::optional<Dwarf_Die> Variables::typeNamed(const std::string &Name) {
  index();
  auto Found = Types.find(Name);
  return Found == Types.end() ? std::nullopt : std::optional<Dwarf_Die>(Found->second);
}

} // namespace tensorleak
