//===-- FlagUseRecorder.h - Hears what headers ask of the flags ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every name that the preprocessor meets, also one that it pastes together, gets an entry in its
// table of identifiers, and no macro is looked up without one. So what is not in the table when
// the headers are read was not asked for. Only the names that the flags themselves define are in
// it anyway; of these the preprocessor's callbacks tell.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PRELUDE_FLAGUSERECORDER_H
#define TENSORLEAK_CHECKS_FRONTEND_PRELUDE_FLAGUSERECORDER_H

#include "checks/frontend/prelude/FlagUse.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringSet.h"

namespace tensorleak {

class FlagUseRecorder : public clang::PPCallbacks {
public:
  /// To be added to \p PP before it reads anything.
  explicit FlagUseRecorder(clang::Preprocessor &PP) : PP(PP) {}

  /// When all is read: what was asked. Macros of the flags that nobody asked for are undefined,
  /// so that what is precompiled now holds none.
  FlagUse finish();

  void MacroDefined(const clang::Token &Name, const clang::MacroDirective *) override;
  void MacroUndefined(const clang::Token &Name, const clang::MacroDefinition &,
                      const clang::MacroDirective *) override {
    ask(Name);
  }
  void MacroExpands(const clang::Token &Name, const clang::MacroDefinition &, clang::SourceRange,
                    const clang::MacroArgs *) override {
    ask(Name);
  }
  void Defined(const clang::Token &Name, const clang::MacroDefinition &,
               clang::SourceRange) override {
    ask(Name);
  }
  void Ifdef(clang::SourceLocation, const clang::Token &Name,
             const clang::MacroDefinition &) override {
    ask(Name);
  }
  void Ifndef(clang::SourceLocation, const clang::Token &Name,
              const clang::MacroDefinition &) override {
    ask(Name);
  }
  using PPCallbacks::Elifdef;
  void Elifdef(clang::SourceLocation, const clang::Token &Name,
               const clang::MacroDefinition &) override {
    ask(Name);
  }
  using PPCallbacks::Elifndef;
  void Elifndef(clang::SourceLocation, const clang::Token &Name,
                const clang::MacroDefinition &) override {
    ask(Name);
  }

  void InclusionDirective(clang::SourceLocation Hash, const clang::Token &, llvm::StringRef Name,
                          bool IsAngled, clang::CharSourceRange, clang::OptionalFileEntryRef,
                          llvm::StringRef SearchPath, llvm::StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override;
  void HasInclude(clang::SourceLocation, llvm::StringRef Name, bool, clang::OptionalFileEntryRef,
                  clang::SrcMgr::CharacteristicKind) override {
    Included.insert(Name);
  }

private:
  void ask(const clang::Token &Name) { Asked.insert(Name.getIdentifierInfo()); }
  std::vector<llvm::StringRef> mentioned() const;
  void undefine(llvm::StringRef Name);

  clang::Preprocessor &PP;
  llvm::DenseSet<const clang::IdentifierInfo *> Asked; ///< all macros, not only of the flags
  llvm::StringSet<> Included;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PRELUDE_FLAGUSERECORDER_H
