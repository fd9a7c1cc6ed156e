//===-- MemberWalk.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/debuginfo/MemberWalk.h"
#include "runtime/replay/debuginfo/FunctionName.h"
#include "runtime/trace/UserCode.h"

#include <cstring>
#include <dwarf.h>

namespace tensorleak {
namespace {

/// make_shared puts the object into the block of the counts, behind them.
constexpr const char *CountsAndObject = "St23_Sp_counted_ptr_inplaceI";
constexpr uint64_t CountsBytes = 16;

bool isClass(int Tag) {
  return Tag == DW_TAG_class_type || Tag == DW_TAG_structure_type || Tag == DW_TAG_union_type;
}

uint64_t offsetOf(Dwarf_Die &Member) {
  Dwarf_Attribute Attribute;
  Dwarf_Word Offset = 0;
  dwarf_formudata(dwarf_attr(&Member, DW_AT_data_member_location, &Attribute), &Offset);
  return Offset;
}

/// "Net" of "std::_Sp_counted_ptr_inplace<Net, std::allocator<Net>, ...>".
std::string firstArgument(const std::string &Template) {
  size_t Begin = Template.find('<') + 1, At = Begin;
  for (int Depth = 0; At < Template.size(); ++At) {
    char C = Template[At];
    if (Depth == 0 && (C == ',' || C == '>'))
      break;
    Depth += (C == '<') - (C == '>');
  }
  return Template.substr(Begin, At - Begin);
}

} // namespace

void MemberWalk::name(Dwarf_Die &Class, Dwarf_Die &Member) {
  const char *Name = dwarf_diename(&Member), *ClassName = dwarf_diename(&Class);
  Location Where = Info.declarationOf(Member);
  if (Name && isUserSource(Where.File))
    Members.push_back({Name, ClassName ? ClassName : "", Where});
}

/// Of a shared_ptr the first word points to the object, and the second to the counts.
bool MemberWalk::takeSharedPointee(Dwarf_Die Type) {
  const char *Name = dwarf_diename(&Type);
  Dwarf_Die Child, Pointer;
  if (!Name || !startsWith(Name, "__shared_ptr<") || dwarf_child(&Type, &Child) != 0)
    return false;
  do
    if (const char *Member = dwarf_diename(&Child);
        Member && !std::strcmp(Member, "_M_ptr") && typeOf(Child, Pointer)) {
      takePointee(Pointer);
      return true;
    }
  while (dwarf_siblingof(&Child, &Child) == 0);
  return false;
}

void MemberWalk::takePointee(Dwarf_Die Pointer) {
  Dwarf_Die Type, To = strippedType(Pointer);
  if (dwarf_tag(&To) == DW_TAG_pointer_type && typeOf(To, Type))
    Pointee = strippedType(Type);
}

/// Of a class that is only declared the size is not known: its member ends where the next begins.
static bool lastDeclaredBefore(Dwarf_Die Class, Dwarf_Die &Member, Dwarf_Die &Type,
                               uint64_t Offset) {
  Dwarf_Die Child, Part;
  std::optional<uint64_t> Last;
  bool IsDeclared = false;
  if (dwarf_child(&Class, &Child) != 0)
    return false;
  do {
    bool IsMember = dwarf_tag(&Child) == DW_TAG_member && !dwarf_hasattr(&Child, DW_AT_external) &&
                    typeOf(Child, Part);
    uint64_t Begin = IsMember ? offsetOf(Child) : 0;
    if (!IsMember || Begin > Offset || (Last && Begin < *Last))
      continue;
    Last = Begin;
    Member = Child;
    Type = Part;
    IsDeclared = isOnlyDeclared(Part);
  } while (dwarf_siblingof(&Child, &Child) == 0);
  return IsDeclared;
}

/// The member or base class that has the offset: the largest, for empty ones share
/// their place with others.
bool MemberWalk::descendInto(Dwarf_Die Class, Dwarf_Die &Type, uint64_t &Offset) {
  Dwarf_Die Child, Part, Best;
  uint64_t Largest = 0;
  if (dwarf_child(&Class, &Child) != 0)
    return false;
  do {
    int Tag = dwarf_tag(&Child);
    bool IsPart = (Tag == DW_TAG_member || Tag == DW_TAG_inheritance) &&
                  !dwarf_hasattr(&Child, DW_AT_external) && typeOf(Child, Part);
    uint64_t Begin = IsPart ? offsetOf(Child) : 0, Size = IsPart ? sizeOfType(Part) : 0;
    if (Offset < Begin || Offset >= Begin + Size || Size <= Largest)
      continue;
    Largest = Size;
    Best = Child;
    Type = Part;
  } while (dwarf_siblingof(&Child, &Child) == 0);
  if (!Largest && !lastDeclaredBefore(Class, Best, Type, Offset))
    return false;
  Offset -= offsetOf(Best);
  if (dwarf_tag(&Best) == DW_TAG_member)
    name(Class, Best);
  return true;
}

void MemberWalk::descend(Dwarf_Die Type, uint64_t Offset) {
  Pointee.reset();
  constexpr unsigned MaxDepth = 64;
  for (unsigned Depth = 0; Depth < MaxDepth; ++Depth) {
    Type = strippedType(Type);
    if (dwarf_tag(&Type) == DW_TAG_pointer_type || dwarf_tag(&Type) == DW_TAG_reference_type)
      return takePointee(Type);
    if (dwarf_tag(&Type) == DW_TAG_array_type) {
      Dwarf_Die Element;
      uint64_t Size = typeOf(Type, Element) ? sizeOfType(Element) : 0;
      if (!Size)
        return;
      Offset %= Size;
      Type = Element;
      continue;
    }
    if (!isClass(dwarf_tag(&Type)) || takeSharedPointee(Type) || !descendInto(Type, Type, Offset))
      return;
  }
}

void MemberWalk::enter(const PlaceInVariable &Variable) {
  Members.clear();
  descend(Variable.Type, Variable.Offset);
}

/// An object may be of a class derived from the pointer's.
void MemberWalk::useDynamicType(const std::string &Mangled) {
  if (Mangled.empty())
    return;
  std::string Name = demangled(Mangled);
  if (startsWith(Mangled, CountsAndObject))
    Name = firstArgument(Name);
  if (std::optional<Dwarf_Die> Type = Known.typeNamed(Name))
    Pointee = Type;
}

void MemberWalk::follow(const std::string &Mangled, uint64_t Offset) {
  useDynamicType(Mangled);
  if (!Pointee)
    return;
  if (startsWith(Mangled, CountsAndObject)) {
    if (Offset < CountsBytes)
      return Pointee.reset();
    Offset -= CountsBytes;
  }
  // A vector's block is an array of what its pointer points to.
  Dwarf_Die Type = *Pointee;
  if (uint64_t Size = sizeOfType(Type))
    descend(Type, Offset % Size);
  else
    Pointee.reset();
}

} // namespace tensorleak
