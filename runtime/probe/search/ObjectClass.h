//===-- ObjectClass.h - The class of an object in memory ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Itanium C++ ABI: an object begins with a pointer to its vtable, the word in front
// of that points to the type info, and its second word to the mangled name.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SEARCH_OBJECTCLASS_H
#define TENSORLEAK_RUNTIME_PROBE_SEARCH_OBJECTCLASS_H

#include "runtime/probe/core/MemoryMap.h"

#include <cstring>

namespace tensorleak::probe {

/// The mangled class ("N3c1010TensorImplE") of a true vtable; null without type info.
inline const char *classOfVtable(uintptr_t Vtable) {
  auto *TypeInfo = reinterpret_cast<const char *const *const *>(Vtable)[-1];
  if (!TypeInfo || !TypeInfo[1])
    return nullptr;
  // A star marks names that are compared by address.
  return TypeInfo[1][0] == '*' ? TypeInfo[1] + 1 : TypeInfo[1];
}

/// The same for a word that may be anything: every step must stay in loaded files.
inline const char *classOfWord(uintptr_t Word, const std::vector<MappedFile> &Files) {
  auto IsMapped = [&](uintptr_t Address) {
    const MappedFile *File = Address % sizeof(uintptr_t) == 0 ? fileAt(Files, Address) : nullptr;
    return File && File->Module.isMapped(Address);
  };
  if (!IsMapped(Word) || !IsMapped(Word - sizeof(uintptr_t)))
    return nullptr;
  uintptr_t TypeInfo = reinterpret_cast<const uintptr_t *>(Word)[-1];
  if (!IsMapped(TypeInfo) || !IsMapped(TypeInfo + sizeof(uintptr_t)))
    return nullptr;
  uintptr_t Name = reinterpret_cast<const uintptr_t *>(TypeInfo)[1];
  const MappedFile *File = fileAt(Files, Name);
  return File && File->Module.isMapped(Name) ? classOfVtable(Word) : nullptr;
}

/// A node of a function that the program wrote: its vtable is in no table of symbols.
inline bool isCustomNode(const char *Class) {
  return Class && !std::strncmp(Class, "N5torch8autograd7CppNodeI", 25);
}

/// The control block of a shared_ptr beside its object: whoever shares the object points
/// to both, so a way through the block is no evidence.
inline bool isControlBlock(const char *Class) {
  return Class && (!std::strncmp(Class, "St19_Sp_counted_deleter", 23) ||
                   !std::strncmp(Class, "St15_Sp_counted_ptr", 19));
}

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_SEARCH_OBJECTCLASS_H
