//===-- UnitScope.h - Where a unit's late declarations go -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. Every instantiation behind the end of the parse needs one.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PARSE_TEMPLATES_UNITSCOPE_H
#define TENSORLEAK_CHECKS_FRONTEND_PARSE_TEMPLATES_UNITSCOPE_H

#include "clang/AST/ASTContext.h"
#include "clang/Sema/Scope.h"
#include "clang/Sema/Sema.h"
#include <memory>

namespace tensorleak {

/// The scope of the whole unit. Clang's own ends with the parse, but what it declares late
/// goes there: __builtin_trap, for an object of a class that is passed to "...".
class UnitScope {
public:
  explicit UnitScope(clang::Sema &TheSema)
      : TheSema(TheSema), Before(TheSema.TUScope),
        Own(std::make_unique<clang::Scope>(/*Parent=*/nullptr, clang::Scope::DeclScope,
                                           TheSema.getDiagnostics())) {
    Own->setEntity(TheSema.Context.getTranslationUnitDecl());
    if (!Before)
      TheSema.TUScope = Own.get();
  }
  ~UnitScope() { TheSema.TUScope = Before; }
  UnitScope(const UnitScope &) = delete;
  UnitScope &operator=(const UnitScope &) = delete;

private:
  clang::Sema &TheSema;
  clang::Scope *Before;
  std::unique_ptr<clang::Scope> Own;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PARSE_TEMPLATES_UNITSCOPE_H
