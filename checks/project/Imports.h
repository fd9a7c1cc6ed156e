//===-- Imports.h - What the other files say, in this file's terms --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_PROJECT_IMPORTS_H
#define TENSORLEAK_CHECKS_PROJECT_IMPORTS_H

#include "checks/facts/Summary.h"
#include "checks/project/DeclNames.h"
#include "checks/project/ProjectFacts.h"
#include "checks/resources/facts/ResourceFacts.h"
#include <memory>
#include <set>

namespace tensorleak {

/// How other files call a function of this one.
struct CallContext {
  unsigned Calls = 0, InStepLoop = 0;
  Mode Entry = Mode::On; ///< one mode for all calls, or On
  unsigned Fate = 0;     ///< of what the calls return
};

/// What other files do to the members of a record. Those of a member go by their names.
struct RecordElsewhere {
  std::map<std::string, std::set<Family>> Taken;
  std::map<std::string, std::set<std::string>> GivenBy; ///< by a function's name
  std::set<std::string> Given;                          ///< by any of them, or perhaps
  std::set<std::string> Open;       ///< functions that hand whole objects to unseen code
  std::set<std::string> NotAllSeen; ///< members that functions with errors use
  bool takes(const std::string &Member, bool IsHost) const;
};

class Imports : public FunctionsElsewhere, public ResourcesElsewhere {
public:
  /// \p View may be null: then nothing is known.
  Imports(ProjectView *View, llvm::ArrayRef<clang::Decl *> Decls) : View(View), Index(Decls) {}

  const ImportedFunction *function(const clang::FunctionDecl &F) override;
  const ResourceSummary *resources(const clang::FunctionDecl &F) override;
  /// Of a record, or of a global variable.
  RecordElsewhere record(const clang::NamedDecl &Owner);
  /// All zero when nobody else calls it.
  CallContext callsOf(const clang::FunctionDecl &F);
  /// SharedState and Fate bits of a field or a global.
  unsigned stateOf(const clang::ValueDecl &D);

  using FunctionMap =
      llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<ImportedFunction>>;
  const FunctionMap &functions() const { return Functions; }

private:
  nlohmann::json ask(const char *Kind, const clang::Decl &D);

  ProjectView *View;
  DeclIndex Index;
  FunctionMap Functions;
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<ResourceSummary>> Resources;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_PROJECT_IMPORTS_H
