//===-- Modules.cpp - The files that are loaded, and their symbols --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Modules.h. Reads the dynamic symbol tables in memory, as the loader does.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/Modules.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

namespace tensorleak::probe {

LoadedModule::LoadedModule(const dl_phdr_info &Info)
    : Name(Info.dlpi_name), Headers(Info.dlpi_phdr), HeaderCount(Info.dlpi_phnum),
      Base(Info.dlpi_addr) {
  for (unsigned I = 0; I < HeaderCount; ++I) {
    const ElfW(Phdr) &H = Headers[I];
    if (H.p_type == PT_LOAD) {
      Low = std::min<uintptr_t>(Low, Base + H.p_vaddr);
      High = std::max<uintptr_t>(High, Base + H.p_vaddr + H.p_memsz);
    }
    if (H.p_type == PT_TLS && Info.dlpi_tls_data)
      ThreadLocals = {uintptr_t(Info.dlpi_tls_data), uintptr_t(Info.dlpi_tls_data) + H.p_memsz};
    if (H.p_type == PT_DYNAMIC)
      readDynamic(reinterpret_cast<const ElfW(Dyn) *>(Base + H.p_vaddr));
  }
}

void LoadedModule::readDynamic(const ElfW(Dyn) * Entries) {
  // The loader has relocated these pointers, except in the vDSO.
  auto Resolve = [&](ElfW(Addr) Value) { return Value < Base ? Value + Base : Value; };
  for (; Entries->d_tag != DT_NULL; ++Entries) {
    ElfW(Addr) Value = Resolve(Entries->d_un.d_ptr);
    if (Entries->d_tag == DT_SYMTAB)
      Symbols = reinterpret_cast<const ElfW(Sym) *>(Value);
    else if (Entries->d_tag == DT_STRTAB)
      Strings = reinterpret_cast<const char *>(Value);
    else if (Entries->d_tag == DT_GNU_HASH)
      GnuHash = reinterpret_cast<const uint32_t *>(Value);
    else if (Entries->d_tag == DT_JMPREL)
      PltRelocations.First = reinterpret_cast<const ElfW(Rela) *>(Value);
    else if (Entries->d_tag == DT_PLTRELSZ)
      PltRelocations.Count = Entries->d_un.d_val / sizeof(ElfW(Rela));
    else if (Entries->d_tag == DT_RELA)
      DataRelocations.First = reinterpret_cast<const ElfW(Rela) *>(Value);
    else if (Entries->d_tag == DT_RELASZ)
      DataRelocations.Count = Entries->d_un.d_val / sizeof(ElfW(Rela));
  }
}

/// The hash table is the only place that shows where the symbol table ends.
size_t LoadedModule::countSymbols() const {
  if (!hasSymbols())
    return 0;
  uint32_t Buckets = GnuHash[0], FirstHashed = GnuHash[1], BloomWords = GnuHash[2];
  const uint32_t *Bucket = GnuHash + 4 + BloomWords * 2;
  const uint32_t *Chain = Bucket + Buckets;
  uint32_t Last = 0;
  for (uint32_t I = 0; I < Buckets; ++I)
    Last = std::max(Last, Bucket[I]);
  if (Last < FirstHashed)
    return FirstHashed;
  while (!(Chain[Last - FirstHashed] & 1))
    ++Last;
  return Last + 1;
}

uintptr_t LoadedModule::find(const char *Symbol) const {
  if (!hasSymbols())
    return 0;
  uint32_t Hash = 5381;
  for (const char *C = Symbol; *C; ++C)
    Hash = Hash * 33 + uint8_t(*C);
  uint32_t Buckets = GnuHash[0], FirstHashed = GnuHash[1], BloomWords = GnuHash[2];
  const uint32_t *Bucket = GnuHash + 4 + BloomWords * 2;
  const uint32_t *Chain = Bucket + Buckets;
  uint32_t I = Buckets ? Bucket[Hash % Buckets] : 0;
  if (I < FirstHashed)
    return 0;
  for (;; ++I) {
    uint32_t Other = Chain[I - FirstHashed];
    if ((Other | 1) == (Hash | 1) && Symbols[I].st_shndx != SHN_UNDEF &&
        !std::strcmp(Strings + Symbols[I].st_name, Symbol))
      return Base + Symbols[I].st_value;
    if (Other & 1)
      return 0;
  }
}

/// A page that is sealed in part stays writable.
static ElfW(Addr) pageOf(ElfW(Addr) Address) {
  return Address & ~(ElfW(Addr)(sysconf(_SC_PAGESIZE)) - 1);
}

bool LoadedModule::isSealed(uintptr_t Offset) const {
  for (unsigned I = 0; I < HeaderCount; ++I)
    if (const ElfW(Phdr) &H = Headers[I]; H.p_type == PT_GNU_RELRO)
      return Offset >= H.p_vaddr && Offset < pageOf(H.p_vaddr + H.p_memsz);
  return false;
}

std::string LoadedModule::path() const {
  if (Name && *Name)
    return Name;
  char Exe[PATH_MAX];
  ssize_t Size = readlink("/proc/self/exe", Exe, sizeof(Exe));
  return Size > 0 ? std::string(Exe, size_t(Size)) : std::string();
}

std::string realPath(const std::string &Name) {
  char Real[PATH_MAX];
  return realpath(Name.c_str(), Real) ? Real : Name;
}

bool LoadedModule::isCode(uintptr_t Address) const {
  for (unsigned I = 0; I < HeaderCount; ++I) {
    const ElfW(Phdr) &H = Headers[I];
    if (H.p_type == PT_LOAD && (H.p_flags & PF_X) && Address >= Base + H.p_vaddr &&
        Address < Base + H.p_vaddr + H.p_filesz)
      return true;
  }
  return false;
}

bool LoadedModule::isMapped(uintptr_t Address) const {
  for (unsigned I = 0; I < HeaderCount; ++I) {
    const ElfW(Phdr) &H = Headers[I];
    if (H.p_type == PT_LOAD && (H.p_flags & PF_R) && Address >= Base + H.p_vaddr &&
        Address + sizeof(uintptr_t) <= Base + H.p_vaddr + H.p_memsz)
      return true;
  }
  return false;
}

std::string LoadedModule::buildId() const {
  for (unsigned I = 0; I < HeaderCount; ++I) {
    if (Headers[I].p_type != PT_NOTE)
      continue;
    auto *At = reinterpret_cast<const char *>(Base + Headers[I].p_vaddr);
    const char *End = At + Headers[I].p_memsz;
    while (At + sizeof(ElfW(Nhdr)) <= End) {
      auto *Note = reinterpret_cast<const ElfW(Nhdr) *>(At);
      const char *Owner = At + sizeof(*Note);
      const char *Id = Owner + ((Note->n_namesz + 3) & ~3u);
      if (Note->n_type == NT_GNU_BUILD_ID && Note->n_namesz == 4 && !std::memcmp(Owner, "GNU", 4))
        return std::string(Id, Note->n_descsz);
      At = Id + ((Note->n_descsz + 3) & ~3u);
    }
  }
  return {};
}

trace::Module LoadedModule::record() const {
  trace::Module M;
  M.Base = Base;
  M.Low = Low;
  M.High = High;
  M.Path = path();
  M.BuildId = buildId();
  return M;
}

PageVector<LoadedModule> loadedModules() {
  PageVector<LoadedModule> Modules;
  auto Add = [](dl_phdr_info *Info, size_t, void *Data) {
    // The vDSO has no file and nothing of interest.
    if (!Info->dlpi_name || !std::strstr(Info->dlpi_name, "linux-vdso"))
      static_cast<PageVector<LoadedModule> *>(Data)->emplace_back(*Info);
    return 0;
  };
  ForkGate Asks;
  dl_iterate_phdr(Add, &Modules);
  return Modules;
}

uint64_t moduleGeneration() {
  uint64_t Generation = 0;
  auto First = [](dl_phdr_info *Info, size_t, void *Data) {
    *static_cast<uint64_t *>(Data) = Info->dlpi_adds + Info->dlpi_subs;
    return 1;
  };
  ForkGate Asks;
  dl_iterate_phdr(First, &Generation);
  return Generation;
}

bool isOwnCode(uintptr_t Address) {
  struct Range {
    uintptr_t Low = 0, High = 0;
    Range() {
      for (const LoadedModule &M : loadedModules())
        if (M.contains(reinterpret_cast<uintptr_t>(&isOwnCode))) {
          Low = M.low();
          High = M.high();
        }
    }
  };
  static const Range Own;
  return Address >= Own.Low && Address < Own.High;
}

/// The first file that defines it, in the loader's order. dlsym() would do for others, but it
/// takes a table of calls in a program for a fixed address to be the function.
static void *firstDefinition(const char *Symbol) {
  for (const LoadedModule &M : loadedModules())
    if (!isOwnCode(M.low()))
      if (uintptr_t Address = M.find(Symbol))
        return reinterpret_cast<void *>(Address);
  return nullptr;
}

void *nextSymbol(const char *Symbol) {
  return EntersRunningProgram ? firstDefinition(Symbol) : dlsym(RTLD_NEXT, Symbol);
}

void *realSymbol(const char *Symbol) {
  void *Next = nextSymbol(Symbol);
  return Next || EntersRunningProgram ? Next : firstDefinition(Symbol);
}

bool libTorchIsLoaded() { return realSymbol("_ZN3c108GradMode11set_enabledEb") != nullptr; }

} // namespace tensorleak::probe
