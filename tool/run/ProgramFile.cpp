//===-- ProgramFile.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/ProgramFile.h"

#include <cstring>
#include <fcntl.h>
#include <gelf.h>
#include <memory>
#include <string_view>
#include <unistd.h>

namespace tensorleak {
namespace {

/// Those whose runtimes replace malloc. GCC links them as shared libraries, clang into the
/// program, which then exports the function that starts them.
struct SanitizerRuntime {
  const char *Name, *Start, *Library, *ClangLibrary;
};
constexpr SanitizerRuntime Runtimes[] = {
    {"AddressSanitizer", "__asan_init", "libasan.so", "libclang_rt.asan"},
    {"HWAddressSanitizer", "__hwasan_init", "libhwasan.so", "libclang_rt.hwasan"},
    {"LeakSanitizer", "__lsan_init", "liblsan.so", "libclang_rt.lsan"},
    {"MemorySanitizer", "__msan_init", "libmsan.so", "libclang_rt.msan"},
    {"ThreadSanitizer", "__tsan_init", "libtsan.so", "libclang_rt.tsan"},
};

std::string interpreterIn(Elf *Image) {
  size_t Count = 0;
  elf_getphdrnum(Image, &Count);
  for (size_t I = 0; I < Count; ++I) {
    GElf_Phdr Segment;
    if (!gelf_getphdr(Image, static_cast<int>(I), &Segment) || Segment.p_type != PT_INTERP)
      continue;
    Elf_Data *Text = elf_getdata_rawchunk(Image, static_cast<int64_t>(Segment.p_offset),
                                          Segment.p_filesz, ELF_T_BYTE);
    if (!Text || !Text->d_buf)
      return "";
    const char *Begin = static_cast<const char *>(Text->d_buf);
    return {Begin, strnlen(Begin, Text->d_size)};
  }
  return "";
}

const char *sanitizerStartedBy(std::string_view Function) {
  for (const SanitizerRuntime &R : Runtimes)
    if (Function == R.Start)
      return R.Name;
  return "";
}

/// Among the functions that the table of symbols in \p Section defines.
const char *sanitizerIn(Elf *Image, Elf_Scn *Section) {
  GElf_Shdr Header;
  Elf_Data *Symbols = elf_getdata(Section, nullptr);
  if (!gelf_getshdr(Section, &Header) || Header.sh_type != SHT_DYNSYM || !Symbols)
    return "";
  GElf_Sym Symbol;
  for (int I = 0; gelf_getsym(Symbols, I, &Symbol); ++I) {
    const char *Name = elf_strptr(Image, Header.sh_link, Symbol.st_name);
    bool Defined = Name && Symbol.st_shndx != SHN_UNDEF;
    if (const char *Found = Defined ? sanitizerStartedBy(Name) : ""; *Found)
      return Found;
  }
  return "";
}

const char *sanitizerIn(Elf *Image) {
  for (Elf_Scn *S = nullptr; (S = elf_nextscn(Image, S));)
    if (const char *Found = sanitizerIn(Image, S); *Found)
      return Found;
  return "";
}

void addNeeded(Elf *Image, Elf_Scn *Section, std::vector<std::string> &Out) {
  GElf_Shdr Header;
  Elf_Data *Entries = elf_getdata(Section, nullptr);
  if (!gelf_getshdr(Section, &Header) || Header.sh_type != SHT_DYNAMIC || !Entries)
    return;
  GElf_Dyn Entry;
  for (int I = 0; gelf_getdyn(Entries, I, &Entry); ++I)
    if (const char *Name = Entry.d_tag == DT_NEEDED
                               ? elf_strptr(Image, Header.sh_link, Entry.d_un.d_val)
                               : nullptr)
      Out.push_back(Name);
}

ProgramFile read(Elf *Image) {
  ProgramFile Out;
  GElf_Ehdr Header;
  if (!gelf_getehdr(Image, &Header))
    return Out;
  Out.IsElf = true;
  Out.Is64BitX86 = Header.e_ident[EI_CLASS] == ELFCLASS64 && Header.e_machine == EM_X86_64;
  Out.Interpreter = interpreterIn(Image);
  Out.Sanitizer = sanitizerIn(Image);
  for (Elf_Scn *S = nullptr; (S = elf_nextscn(Image, S));)
    addNeeded(Image, S, Out.Needed);
  return Out;
}

bool begins(const std::string &Name, std::string_view Start) {
  return Name.compare(0, Start.size(), Start) == 0;
}

} // namespace

ProgramFile readProgramFile(const std::string &Path) {
  int File = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return {};
  elf_version(EV_CURRENT);
  ProgramFile Out;
  if (std::unique_ptr<Elf, int (*)(Elf *)> Image(elf_begin(File, ELF_C_READ_MMAP, nullptr),
                                                 elf_end);
      Image)
    Out = read(Image.get());
  close(File);
  return Out;
}

const char *sanitizerOfLibrary(const std::string &Path) {
  std::string Name = Path.substr(Path.rfind('/') + 1);
  for (const SanitizerRuntime &R : Runtimes)
    if (begins(Name, R.Library) || begins(Name, R.ClangLibrary))
      return R.Name;
  return "";
}

std::string whyNoProbe(const ProgramFile &File) {
  if (!File.IsElf)
    return "";
  if (!File.Is64BitX86)
    return "it is not a 64-bit program for x86";
  if (File.Interpreter.empty())
    return "it is statically linked, and no library can be preloaded into it; link LibTorch and "
           "libc as shared libraries";
  if (File.Interpreter.find("/ld-musl") != std::string::npos)
    return "it uses the C library musl; the probe needs glibc";
  return *File.Sanitizer ? whyNoProbeBeside(File.Sanitizer) : "";
}

std::string whyNoProbeBeside(const std::string &Sanitizer) {
  return "it is built with " + Sanitizer +
         ", which has malloc to itself; run a build without "
         "-fsanitize";
}

} // namespace tensorleak
