//===-- Host.cpp - A program that loads LibTorch late -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows nothing of LibTorch until it loads the plugin, with RTLD_LOCAL, as Python
// does. With a last argument "deepbind" LibTorch binds to itself, past the probe.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

int main(int Argc, char **Argv) {
  if (Argc < 4)
    return 2;
  int Deep = Argc == 5 && !std::strcmp(Argv[4], "deepbind") ? RTLD_DEEPBIND : 0;
  void *Plugin = dlopen(Argv[1], RTLD_NOW | RTLD_LOCAL | Deep);
  if (!Plugin) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  auto *Run = reinterpret_cast<int (*)(const char *, int)>(dlsym(Plugin, "runVictim"));
  return Run ? Run(Argv[2], std::atoi(Argv[3])) : 1;
}
