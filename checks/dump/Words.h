//===-- Words.h - How dumps name places, values and effects ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DUMP_WORDS_H
#define TENSORLEAK_CHECKS_DUMP_WORDS_H

#include "checks/facts/Facts.h"
#include "clang/Basic/SourceManager.h"
#include <string>

namespace tensorleak {

/// Of an expression, where its name or operator is; of nothing, \p F.
clang::SourceLocation locationOf(const clang::Stmt *S, const clang::FunctionDecl &F);
/// "train.cpp:12:3"; relative to the current folder where it is below it.
std::string placeInSource(clang::SourceLocation Loc, const clang::SourceManager &SM);
/// "model.weights"
std::string placeText(const FunctionFacts &Facts, PlaceId P);
/// "add(x, y)", where loads go by their places.
std::string valueText(const FunctionFacts &Facts, ValueId V);
std::string valuesText(const FunctionFacts &Facts, llvm::ArrayRef<ValueId> Values);
/// "Compute Elementwise HasInPlace, shape Broadcast"
std::string effectText(const Effect &E);
llvm::StringRef modeText(Mode M);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DUMP_WORDS_H
