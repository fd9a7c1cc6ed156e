//===-- SourceTokens.h - The tokens of a file, and how they use a name -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. What a name that nothing declares must be is seen by what stands
// around it. The preprocessor does not run here: both branches of an #if are read.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_ERRORS_SOURCETOKENS_H
#define TENSORLEAK_CHECKS_FRONTEND_ERRORS_SOURCETOKENS_H

#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tensorleak {

/// What a use of a name says of it; bits of a set.
enum NameUse : unsigned {
  UsedAsType = 1,       ///< `X x;`, `new X`, `: public X`
  UsedAsTypeMaybe = 2,  ///< `f(X *x)`, which may be a product
  UsedInCall = 4,       ///< `X(...)`: a function, or an object that is made
  UsedAsValue = 8,      ///< anything else
  UsedAsNamespace = 16, ///< `using namespace X;`
  UsedAsMacro = 32,     ///< `class X Name {`, `X void f();`
  UsedAsConstant = 64,  ///< `case X:`
};

/// The tokens of one file, comments and keywords told apart.
class SourceTokens {
public:
  explicit SourceTokens(std::string Text);

  size_t size() const { return All.size(); }
  /// The identifier at \p Index; "" where something else stands.
  llvm::StringRef name(size_t Index) const;
  /// The first token that begins at byte \p Offset or behind it.
  size_t from(unsigned Offset) const;
  /// The token that begins at byte \p Offset; size() where none does.
  size_t at(unsigned Offset) const;
  bool is(size_t Index, clang::tok::TokenKind Kind) const { return kind(Index) == Kind; }

  /// Behind the `>` that ends template arguments which begin at \p Index, a `<`; \p Index itself
  /// where it is a comparison.
  size_t behindArguments(size_t Index) const;

  /// What the template arguments are that begin at \p Index, a `<`: a letter for each, 't' for a
  /// type and 'c' for a constant.
  std::string argumentsAt(size_t Index) const;

  /// What is said of the name that the tokens [\p First, \p End) are: a chain of `A::B` whose last
  /// link ends, with its template arguments, before \p End.
  unsigned useOf(size_t First, size_t End) const;

  /// What stands behind the parenthesis that \p Index opens.
  size_t behindParenthesis(size_t Index) const;

  /// Whether a declaration goes on or begins at \p Index.
  bool isInDeclaration(size_t Index) const {
    return is(Index, clang::tok::identifier) || isTypeKeyword(Index);
  }
  bool beginsStatement(size_t Index) const;
  /// Whether `class Name`, `struct Name` or `using Name` begins something here, other than a
  /// template.
  bool definesClass(llvm::StringRef Name) const;

private:
  struct Token {
    clang::tok::TokenKind Kind;
    llvm::StringRef Text;
    unsigned Offset;
  };
  clang::tok::TokenKind kind(size_t Index) const;
  bool isTypeKeyword(size_t Index) const;
  unsigned useBefore(size_t First) const;
  unsigned useByStar(size_t First, size_t Star) const;
  bool isCast(size_t First, size_t End) const;

  std::string Text;
  clang::LangOptions Language;
  clang::IdentifierTable Keywords;
  std::vector<Token> All;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_ERRORS_SOURCETOKENS_H
