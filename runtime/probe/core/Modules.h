//===-- Modules.h - The files that are loaded, and their symbols -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers three questions without dlopen, so that it works whatever way LibTorch
// was loaded (RTLD_LOCAL in Python): which files are mapped, who defines a
// symbol, which symbols begin with a prefix.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_CORE_MODULES_H
#define TENSORLEAK_RUNTIME_PROBE_CORE_MODULES_H

#include "runtime/probe/core/PagedMemory.h"
#include "runtime/probe/core/locks/ForkGate.h"
#include "runtime/trace/Records.h"

#include <atomic>
#include <cstdint>
#include <link.h>
#include <string>

namespace tensorleak::probe {

/// A loaded file. Pointers are valid while it is loaded.
class LoadedModule {
public:
  explicit LoadedModule(const dl_phdr_info &Info);

  /// The path of the file; resolved for the main program.
  std::string path() const;
  uintptr_t base() const { return Base; }
  uintptr_t low() const { return Low; }
  uintptr_t high() const { return High; }
  bool contains(uintptr_t Address) const { return Address >= Low && Address < High; }
  bool isCode(uintptr_t Address) const;
  /// Whether \p Address and the word there lie in a segment of the file.
  bool isMapped(uintptr_t Address) const;
  /// Where the calling thread has the thread-local variables of the file; empty if the file has
  /// none, or the thread has used none so far.
  AddressRange threadLocals() const { return ThreadLocals; }
  trace::Module record() const;

  /// The address of a symbol that the file defines, or 0.
  uintptr_t find(const char *Symbol) const;
  /// Calls Visit(name, address) for every defined symbol.
  template <typename F> void forEachSymbol(F Visit) const {
    for (size_t I = 1, Count = countSymbols(); I < Count; ++I)
      if (Symbols[I].st_shndx != SHN_UNDEF && Symbols[I].st_value)
        Visit(Strings + Symbols[I].st_name, Base + Symbols[I].st_value);
  }

  /// Calls Visit(name, slot, whether it is read-only) for every word of the file in which
  /// the loader puts the address of a symbol.
  template <typename F> void forEachImport(F Visit) const {
    for (const Relocations &Table : {PltRelocations, DataRelocations})
      for (size_t I = 0; Symbols && Strings && I < Table.Count; ++I) {
        const ElfW(Rela) &R = Table.First[I];
        if (size_t Symbol = ELF64_R_SYM(R.r_info); Symbol && isImport(ELF64_R_TYPE(R.r_info)))
          Visit(Strings + Symbols[Symbol].st_name, reinterpret_cast<uintptr_t *>(Base + R.r_offset),
                isSealed(R.r_offset));
      }
  }

private:
  struct Relocations {
    const ElfW(Rela) *First = nullptr;
    size_t Count = 0;
  };
  static bool isImport(uint64_t Type) {
    return Type == R_X86_64_JUMP_SLOT || Type == R_X86_64_GLOB_DAT || Type == R_X86_64_64;
  }
  /// Whether the loader made it read-only when it was done.
  bool isSealed(uintptr_t Offset) const;
  bool hasSymbols() const { return Symbols && Strings && GnuHash; }
  void readDynamic(const ElfW(Dyn) * Entries);
  size_t countSymbols() const;
  std::string buildId() const;

  const char *Name;
  const ElfW(Phdr) * Headers;
  unsigned HeaderCount;
  uintptr_t Base, Low = ~uintptr_t(0), High = 0;
  const ElfW(Sym) *Symbols = nullptr;
  const char *Strings = nullptr;
  const uint32_t *GnuHash = nullptr;
  Relocations PltRelocations, DataRelocations;
  AddressRange ThreadLocals;
};

/// In pages of its own: the loader's lock is held while the list grows, and who holds an
/// allocator's lock may wait for the loader's (tcmalloc takes stacks under its own).
PageVector<LoadedModule> loadedModules();

/// Calls Visit for every loaded file. None is unloaded meanwhile: the loader waits, so that Visit
/// must not allocate (see above), nor wait for who does.
template <typename F> void forEachModule(F Visit) {
  auto Each = [](dl_phdr_info *Info, size_t, void *Data) {
    (*static_cast<F *>(Data))(LoadedModule(*Info));
    return 0;
  };
  ForkGate Asks;
  dl_iterate_phdr(Each, &Visit);
}

/// Changes whenever a file is loaded or unloaded. Cheap.
uint64_t moduleGeneration();

/// Whether this is the probe that enters a program that runs already: nothing was interposed
/// by the loader then.
#ifdef TENSORLEAK_ATTACHED
constexpr bool EntersRunningProgram = true;
#else
constexpr bool EntersRunningProgram = false;
#endif

/// The definition of \p Symbol that the loader would take if the probe were not there, as
/// far as it says so without memory of its own; or null.
void *nextSymbol(const char *Symbol);

/// The definition of \p Symbol that an interposed call would have reached, or null.
void *realSymbol(const char *Symbol);

/// A definition that is looked up once. No thread waits for one that looks: who looks waits for the
/// loader, and who waits may hold the loader's lock, as the constructors of a library that is
/// being opened do.
class SymbolOnce {
public:
  constexpr explicit SymbolOnce(const char *Name) : Name(Name) {}
  void *get() {
    uintptr_t Known = Address.load(std::memory_order_relaxed);
    if (Known == Unknown) {
      Known = reinterpret_cast<uintptr_t>(realSymbol(Name));
      Address.store(Known, std::memory_order_relaxed);
    }
    return reinterpret_cast<void *>(Known);
  }

private:
  static constexpr uintptr_t Unknown = 1;
  const char *const Name;
  std::atomic<uintptr_t> Address{Unknown};
};

/// True if a file that looks like LibTorch's core is loaded.
bool libTorchIsLoaded();

/// Without links, and from the root; \p Name itself if there is no such file. Loaded names are as
/// the program was called, or as somebody loaded them.
std::string realPath(const std::string &Name);

/// The probe's own code.
bool isOwnCode(uintptr_t Address);

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_CORE_MODULES_H
