//===-- LibrarySymbols.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "attach/LibrarySymbols.h"
#include "attach/StoppedThread.h"

#include <cstring>
#include <fcntl.h>
#include <gelf.h>
#include <memory>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace tensorleak {
namespace {

/// An ELF file that is open.
class ElfFile {
public:
  explicit ElfFile(const std::string &Path)
      : File(open(Path.c_str(), O_RDONLY | O_CLOEXEC)), Image(nullptr, elf_end) {
    elf_version(EV_CURRENT);
    if (File >= 0)
      Image.reset(elf_begin(File, ELF_C_READ_MMAP, nullptr));
  }
  ~ElfFile() {
    Image.reset();
    if (File >= 0)
      close(File);
  }
  ElfFile(const ElfFile &) = delete;
  ElfFile &operator=(const ElfFile &) = delete;

  Elf *get() const { return Image.get(); }

private:
  int File;
  std::unique_ptr<Elf, int (*)(Elf *)> Image;
};

void addFunctions(Elf *Image, Elf_Scn *Section, uint64_t Base,
                  std::map<std::string, uint64_t> &Out) {
  GElf_Shdr Header;
  if (!gelf_getshdr(Section, &Header) || Header.sh_type != SHT_DYNSYM)
    return;
  Elf_Data *Data = elf_getdata(Section, nullptr);
  for (int I = 0; Data && I < static_cast<int>(Header.sh_size / Header.sh_entsize); ++I) {
    GElf_Sym Symbol;
    const char *Name =
        gelf_getsym(Data, I, &Symbol) ? elf_strptr(Image, Header.sh_link, Symbol.st_name) : nullptr;
    if (Name && Symbol.st_shndx != SHN_UNDEF && GELF_ST_TYPE(Symbol.st_info) == STT_FUNC)
      Out.emplace(Name, Base + Symbol.st_value);
  }
}

/// The offset within the code of one that is mapped at \p Code.
size_t syscallIn(std::string_view Code) {
  constexpr std::string_view Instruction("\x0f\x05", 2);
  return Code.find(Instruction);
}

} // namespace

LibrarySymbols::LibrarySymbols(const MappedImage &Image) {
  constexpr std::string_view Deleted = " (deleted)";
  if (Image.Path.size() > Deleted.size() &&
      Image.Path.compare(Image.Path.size() - Deleted.size(), Deleted.size(), Deleted) == 0)
    throw EntryError("its C library was replaced on the disk since it started; start it anew");
  ElfFile File(Image.Path);
  for (Elf_Scn *S = nullptr; File.get() && (S = elf_nextscn(File.get(), S));)
    addFunctions(File.get(), S, Image.Base, Functions);
  size_t Size = 0;
  const char *Bytes = File.get() ? elf_rawfile(File.get(), &Size) : nullptr;
  GElf_Phdr Segment;
  for (int I = 0; Bytes && gelf_getphdr(File.get(), I, &Segment); ++I) {
    if (Segment.p_type != PT_LOAD || !(Segment.p_flags & PF_X) ||
        Segment.p_offset + Segment.p_filesz > Size)
      continue;
    size_t At = syscallIn({Bytes + Segment.p_offset, Segment.p_filesz});
    if (At != std::string_view::npos && !SyscallAt)
      SyscallAt = Image.Base + Segment.p_vaddr + At;
  }
}

uint64_t LibrarySymbols::find(const std::string &Name) const {
  auto Found = Functions.find(Name);
  return Found == Functions.end() ? 0 : Found->second;
}

} // namespace tensorleak
