//===-- LackedName.h - What the compiler's errors say is not declared -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. Where a header is missing, so are the names that it declares.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_ERRORS_LACKEDNAME_H
#define TENSORLEAK_CHECKS_FRONTEND_ERRORS_LACKEDNAME_H

#include "clang/Basic/Diagnostic.h"
#include <optional>
#include <string>
#include <vector>

namespace tensorleak {

/// What our own declarations of such names are read as.
inline constexpr llvm::StringLiteral StandInFile = "/tensorleak/names-of-missing-headers.h";

/// A name that is used and not declared, or, with our stand-in, declared twice.
struct LackedName {
  enum class Role : uint8_t {
    Unsaid,    ///< an error that any use of a name makes
    Type,      ///< only a type can stand there
    Namespace, ///< only a namespace can
    Member,    ///< of an object whose class is a stand-in
    Clash,     ///< what is declared besides our stand-in
    NoType,    ///< something is declared by it that has no type: `REGISTER(a, b);`
    Macro,     ///< the next token is one that no declaration has there
    Incomplete ///< what it names seems to have the type that stands before: `class EXPORT Name`
  };
  std::string Name;               ///< "" of a macro
  std::vector<std::string> Scope; ///< the namespaces that it is looked for in; empty: any
  Role As = Role::Unsaid;
  bool OfLibrary = false; ///< the scope is one that headers which are there declare, such as `at`
  std::string File;       ///< where the name is spelled, absolute
  unsigned Offset = 0;    ///< of its first byte there; of a macro, of a byte before it
};

/// The name that \p Info, an error, is about; none where it is about something else.
std::optional<LackedName> lackedName(const clang::Diagnostic &Info);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_ERRORS_LACKEDNAME_H
