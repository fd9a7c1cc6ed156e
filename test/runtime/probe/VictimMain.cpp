//===-- VictimMain.cpp - The victim as a program ----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Victim.cpp.
//
//===----------------------------------------------------------------------===//
#include <cstdlib>

extern "C" int runVictim(const char *What, int Steps);

int main(int Argc, char **Argv) { return Argc == 3 ? runVictim(Argv[1], std::atoi(Argv[2])) : 2; }
