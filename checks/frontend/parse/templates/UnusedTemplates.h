//===-- UnusedTemplates.h - Templates that only other files make ---*- C++ -*-===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. A header of templates makes none of them, and so a check of it would see no
// function. Those that ask the device for something are made here, of types made up: what a
// template does with its memory seldom depends on them. What cannot be made of these types
// stays a template, and says nothing.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PARSE_TEMPLATES_UNUSEDTEMPLATES_H
#define TENSORLEAK_CHECKS_FRONTEND_PARSE_TEMPLATES_UNUSEDTEMPLATES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class Decl;
class FunctionDecl;
class Sema;
} // namespace clang

namespace tensorleak {

class UserLocations;

/// Makes the templates among \p Decls that call the device's API and that the unit makes
/// nothing of, and those of the user that their bodies use; and the constructors and destructors
/// of the classes that it makes objects of by way of the library. Nothing is reported of what does
/// not compile then: the user has not asked for it. Returns the functions of which a part did not
/// compile and was left out.
llvm::DenseSet<const clang::FunctionDecl *>
instantiateUnusedTemplates(clang::Sema &Sema, llvm::ArrayRef<clang::Decl *> Decls,
                           UserLocations &User);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PARSE_TEMPLATES_UNUSEDTEMPLATES_H
