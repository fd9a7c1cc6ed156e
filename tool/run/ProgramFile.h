//===-- ProgramFile.h - What a program's file says of its process ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The probe is a library for 64-bit x86 and glibc that takes part in malloc. Which programs
// have no room for it is read from their files; none is executed for that.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_RUN_PROGRAMFILE_H
#define TENSORLEAK_TOOL_RUN_PROGRAMFILE_H

#include <string>
#include <vector>

namespace tensorleak {

struct ProgramFile {
  bool IsElf = false;         ///< a script is none, and is judged by what it starts
  bool Is64BitX86 = false;    ///< ELFCLASS64 and EM_X86_64
  std::string Interpreter;    ///< the loader that PT_INTERP names, "" if it is linked statically
  const char *Sanitizer = ""; ///< "AddressSanitizer", whose runtime is linked into the file
  std::vector<std::string> Needed; ///< the libraries that it names itself: "libcudart.so.13"
};

/// \p Path may be /proc/PID/exe. Of a file that cannot be read nothing is known: no ELF.
ProgramFile readProgramFile(const std::string &Path);

/// The sanitizer whose runtime the shared library \p Path is, "" if it is none that has malloc
/// to itself.
const char *sanitizerOfLibrary(const std::string &Path);

/// Why there is no room for the probe in a program of such a file, "" if there is.
std::string whyNoProbe(const ProgramFile &File);

/// The same of a program that has the runtime of \p Sanitizer.
std::string whyNoProbeBeside(const std::string &Sanitizer);

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_RUN_PROGRAMFILE_H
