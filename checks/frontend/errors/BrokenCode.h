//===-- BrokenCode.h - What the compiler's errors leave to be analysed -----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend, between the parse and the analyses. Clang goes on after an
// error. Of many a wrong expression it keeps the parts, and that they are used is
// known; others are missing in the tree, and a free that is not there looks like a
// leak. A function with an error of the second kind is not analysed; the others
// are. Errors in device code cost nothing: only host code is analysed.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_ERRORS_BROKENCODE_H
#define TENSORLEAK_CHECKS_FRONTEND_ERRORS_BROKENCODE_H

#include "checks/frontend/errors/Errors.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <utility>
#include <vector>

namespace clang {
class Decl;
class FunctionDecl;
class SourceManager;
} // namespace clang

namespace tensorleak {

class BrokenCode {
public:
  /// \p Errors: what the compiler reports; \p Decls: the user's declarations.
  BrokenCode(llvm::ArrayRef<SourceError> Errors, llvm::ArrayRef<clang::Decl *> Decls,
             const clang::SourceManager &Sources);

  /// Whether the tree lacks something in \p Function.
  bool contains(const clang::FunctionDecl &Function) const;

  /// Whether \p Function names a variable or member that nobody declares, nor a header that is
  /// missing: it may be a known one that is spelled wrong.
  bool lacksNamesOf(const clang::FunctionDecl &Function) const;

  bool isInDeviceCode(clang::SourceLocation Error) const;

  /// Whether the form of the main file's code is wrong, or it ends in the midst of something: what
  /// is not typed yet may be what undoes what is seen, in any function.
  bool isHalfTyped() const;

private:
  using Place = std::pair<unsigned, unsigned>; ///< offset in a file, and index of the error there

  void addPlaces(unsigned Error);
  /// A file of thousands of functions has hundreds of errors: not each is held against each.
  std::vector<SourceError> errorsIn(clang::SourceRange Range) const;
  bool isIn(clang::SourceLocation Error, clang::SourceRange Range) const;
  bool isInAny(clang::SourceLocation Error, llvm::ArrayRef<clang::SourceRange> Ranges) const;
  bool isClosed(const clang::FunctionDecl &Function) const;
  bool hasBrokenClass(const clang::FunctionDecl &Function) const;

  const clang::SourceManager &Sources;
  std::vector<SourceError> Errors;
  bool LacksHeader = false;                                 ///< some header is not found
  llvm::DenseMap<clang::FileID, std::vector<Place>> Places; ///< in order
  std::vector<clang::SourceRange> DeviceCode;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_ERRORS_BROKENCODE_H
