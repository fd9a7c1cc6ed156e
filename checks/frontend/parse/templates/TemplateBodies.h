//===-- TemplateBodies.h - The body of a template, for types made up --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. The compiler drops the whole body of an instantiation for one
// expression that does not fit: `run(block)`, where `run` is a number. Such an
// expression is marked in the template as the parser marks one that it has not
// understood, and the body is made anew without it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PARSE_TEMPLATES_TEMPLATEBODIES_H
#define TENSORLEAK_CHECKS_FRONTEND_PARSE_TEMPLATES_TEMPLATEBODIES_H

namespace clang {
class FunctionDecl;
class Sema;
} // namespace clang

namespace tensorleak {

/// Gives \p Function, of which nobody has made the body, that of its template. Nothing is reported.
/// Returns whether some of it had to be marked; there is no body where that did not help.
bool makeBodyInPart(clang::Sema &TheSema, clang::FunctionDecl &Function);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PARSE_TEMPLATES_TEMPLATEBODIES_H
