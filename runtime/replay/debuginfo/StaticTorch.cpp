//===-- StaticTorch.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/debuginfo/StaticTorch.h"

#include <fcntl.h>
#include <gelf.h>
#include <memory>
#include <string.h>
#include <string_view>
#include <unistd.h>

namespace tensorleak {
namespace {

/// The type name of c10::TensorImpl as its type info has it. The class has a key
/// function, so only the file that defines it has the text; a name in a symbol table
/// has a prefix.
constexpr std::string_view TorchText("\0N3c1010TensorImplE\0", 20);

/// The runtime opens the driver by this name.
constexpr std::string_view CudaText("\0libcuda.so.1\0", 14);

bool hasText(Elf_Scn *Section, std::string_view Text) {
  GElf_Shdr Header;
  if (!gelf_getshdr(Section, &Header) || Header.sh_type != SHT_PROGBITS ||
      (Header.sh_flags & (SHF_ALLOC | SHF_EXECINSTR)) != SHF_ALLOC)
    return false;
  Elf_Data *Data = elf_rawdata(Section, nullptr);
  return Data && Data->d_buf && memmem(Data->d_buf, Data->d_size, Text.data(), Text.size());
}

bool fileHasText(const std::string &Path, std::string_view Text) {
  int File = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return false;
  elf_version(EV_CURRENT);
  std::unique_ptr<Elf, int (*)(Elf *)> Image(elf_begin(File, ELF_C_READ_MMAP, nullptr), elf_end);
  bool Found = false;
  for (Elf_Scn *S = nullptr; !Found && Image && (S = elf_nextscn(Image.get(), S));)
    Found = hasText(S, Text);
  Image.reset();
  close(File);
  return Found;
}

} // namespace

bool holdsLibTorch(const std::string &Path) { return fileHasText(Path, TorchText); }
bool holdsCudaRuntime(const std::string &Path) { return fileHasText(Path, CudaText); }

} // namespace tensorleak
