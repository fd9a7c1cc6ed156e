//===-- UngivenFields.h - Fields of records that nobody ever gives back -----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. Where an object goes is not always followed: into a variant, through a pointer
// to void, into a callback. But who gives back what is in a field of it must name the field.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_LOSSES_UNGIVENFIELDS_H
#define TENSORLEAK_CHECKS_RESOURCES_LOSSES_UNGIVENFIELDS_H

#include "checks/resources/FileAnalyses.h"

namespace tensorleak {

/// What is taken into a field of a record that only this file, which has the program's main(), can
/// name, and that is nowhere used but to look at what it points to.
struct UngivenField {
  const FunctionResources *In;
  SiteId Site;
  const clang::FieldDecl *Field;
};

/// In the order of the code.
std::vector<UngivenField> findUngivenFields(FileAnalyses &File);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_LOSSES_UNGIVENFIELDS_H
