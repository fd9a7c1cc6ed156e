//===-- NvccCommands.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/clangd/NvccCommands.h"

#include "checks/frontend/commands/Cuda.h"
#include "checks/frontend/commands/Nvcc.h"
#include "llvm/ADT/STLExtras.h"

namespace tensorleak {

void translateForClangd(clang::tooling::CompileCommand &Command, llvm::StringRef File) {
  const SourceUnit Of{File.str(), Command.Directory, Command.CommandLine};
  const bool IsOfNvcc = !Of.Command.empty() && isNvcc(Of.Command.front());
  if (!IsOfNvcc && !isCuda(Of))
    return;
  Command.CommandLine = clangCommand(Of);
  // A check leaves warnings to the project's compiler; an editor shows Clang's.
  llvm::erase_if(Command.CommandLine, [](const std::string &Argument) {
    return Argument == "-w" || Argument == "-Wno-everything";
  });
}

} // namespace tensorleak
