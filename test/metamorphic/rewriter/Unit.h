//===-- Unit.h - A parsed file, and the edits of it ---------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rewriting looks for the sites in a file where it applies. The edits of one site hold
// together only; sites are independent, so that one can be applied alone.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TEST_METAMORPHIC_REWRITER_UNIT_H
#define TENSORLEAK_TEST_METAMORPHIC_REWRITER_UNIT_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tensorleak::rewriter {

/// Bytes of the main file.
struct Span {
  unsigned Begin = 0, End = 0;
};

struct Edit {
  unsigned Offset = 0, Length = 0;
  std::string Text;
  bool Joins = false; ///< others may be inserted at the same place
};

struct Site {
  unsigned Line = 0;
  std::vector<Edit> Edits;
  std::vector<std::string> Headers{}; ///< that the edits need, as <name>
  std::string Preamble{};             ///< declared before the first declaration of the file
};

class Unit {
public:
  Unit(clang::ASTContext &Context, const std::vector<clang::Decl *> &Decls);

  clang::ASTContext &context() const { return Context; }
  const std::vector<clang::Decl *> &decls() const { return Decls; }
  /// Functions of the host that the file defines; of templates the pattern.
  const std::vector<const clang::FunctionDecl *> &functions() const { return Functions; }
  bool isCuda() const { return Context.getLangOpts().CUDA; }

  /// What stands in the file for \p Range itself; nothing where a macro makes it.
  std::optional<Span> span(clang::SourceRange Range) const;
  /// The same, where an argument of a macro counts as standing in the file.
  std::optional<Span> spelled(clang::SourceRange Range) const;
  /// A whole statement with its semicolon, macros included.
  std::optional<Span> statement(const clang::Stmt *S) const;
  std::string text(Span S) const { return Text.substr(S.Begin, S.End - S.Begin).str(); }
  std::string text(clang::SourceRange Range) const;
  llvm::StringRef text() const { return Text; }
  unsigned line(unsigned Offset) const;
  unsigned offset(clang::SourceLocation Loc) const;
  /// Right behind the token \p Kind that is the next one after \p Loc.
  std::optional<unsigned> behindNext(clang::SourceLocation Loc, clang::tok::TokenKind Kind) const;

  /// All nodes below and with \p Root, in the order of the source.
  std::vector<const clang::Stmt *> below(const clang::Stmt *Root) const;
  template <typename Node> std::vector<const Node *> all(const clang::Stmt *Root) const {
    std::vector<const Node *> Out;
    for (const clang::Stmt *S : below(Root))
      if (const auto *Found = llvm::dyn_cast<Node>(S))
        Out.push_back(Found);
    return Out;
  }
  const clang::Stmt *parent(const clang::Stmt *S) const;
  /// The statement that \p S belongs to, if others can stand before and after it.
  const clang::Stmt *enclosingStatement(const clang::Stmt *S) const;
  bool isInCompound(const clang::Stmt *S) const;

  /// The type as it can be written anywhere in the file.
  std::optional<std::string> written(clang::QualType Type) const;

  /// \p NewText behind the statement that ends at \p End: on a line of its own where the rest
  /// of the line is a comment, which stays with its statement.
  Edit behind(unsigned End, const std::string &NewText) const;
  /// A statement more after \p S, in braces where it was the only one of a loop or branch.
  void addAfter(Site &Out, const clang::Stmt *S, const std::string &NewText) const;
  /// Where a line begins or ends.
  unsigned beginOfLine(unsigned Offset) const;
  unsigned endOfLine(unsigned Offset) const;

private:
  clang::ASTContext &Context;
  std::vector<clang::Decl *> Decls;
  std::vector<const clang::FunctionDecl *> Functions;
  llvm::StringRef Text;
};

using Sites = std::vector<Site>;
using Uses = std::map<const clang::ValueDecl *, std::vector<const clang::DeclRefExpr *>>;

/// The references to variables below \p Root.
Uses usesIn(const Unit &U, const clang::Stmt *Root);
/// Variables that a lambda below \p Root names among its captures.
std::vector<const clang::ValueDecl *> namedCaptures(const Unit &U, const clang::Stmt *Root);

/// at::Tensor.
bool isTensor(clang::QualType Type);
/// A container of the C++ library, however it is qualified.
const clang::ClassTemplateSpecializationDecl *stdContainer(clang::QualType Type);
/// The type of the I-th argument of a container's template; null where there is none.
clang::QualType elementType(const clang::ClassTemplateSpecializationDecl &Container, unsigned I);
/// What keeps memory: a tensor, a container of tensors, in CUDA a pointer.
bool isHolder(const Unit &U, clang::QualType Type);

/// Appends \p Site unless it has no edits.
void keep(Sites &Out, Site &&Site);

} // namespace tensorleak::rewriter

#endif // TENSORLEAK_TEST_METAMORPHIC_REWRITER_UNIT_H
