//===-- Instantiation.h - Instantiates the user's own templates -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. A unit is parsed as a prefix, so the thousands of templates
// that LibTorch's headers use stay uninstantiated. The user's own function
// templates must have bodies: this instantiates those, and no others.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PARSE_TEMPLATES_INSTANTIATION_H
#define TENSORLEAK_CHECKS_FRONTEND_PARSE_TEMPLATES_INSTANTIATION_H

namespace clang {
class Sema;
}

namespace tensorleak {

class UserLocations;

/// Instantiates every function that the unit uses and that a template of the
/// user defines, until no new ones appear. Templates that use each other without
/// end are an error, at the compiler's depth.
void instantiateUserTemplates(clang::Sema &Sema, UserLocations &User);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PARSE_TEMPLATES_INSTANTIATION_H
