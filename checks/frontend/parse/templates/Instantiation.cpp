//===-- Instantiation.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/parse/templates/Instantiation.h"

#include "checks/source/UserCode.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Scope.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace clang;

namespace tensorleak {

/// Whether \p Argument is a lambda of the user that is a template itself.
static bool isGenericUserLambda(const TemplateArgument &Argument, UserLocations &User) {
  if (Argument.getKind() != TemplateArgument::Type)
    return false;
  const CXXRecordDecl *Class = Argument.getAsType().getNonReferenceType()->getAsCXXRecordDecl();
  return Class && Class->isGenericLambda() && User.contains(Class->getLocation());
}

/// What calls a generic lambda of the user must have a body, or the lambda's own
/// body stays a template.
static bool callsGenericUserLambda(const FunctionDecl &Function, UserLocations &User) {
  const TemplateArgumentList *Arguments = Function.getTemplateSpecializationArgs();
  return Arguments && llvm::any_of(Arguments->asArray(), [&](const TemplateArgument &A) {
           return isGenericUserLambda(A, User);
         });
}

/// The function to instantiate, when the user wrote the template behind \p Pending.
static FunctionDecl *userFunction(ValueDecl *Pending, UserLocations &User) {
  auto *Function = dyn_cast<FunctionDecl>(Pending);
  if (!Function || Function->isDefined())
    return nullptr;
  const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern();
  bool Wanted =
      Pattern && (User.contains(Pattern->getLocation()) || callsGenericUserLambda(*Function, User));
  return Wanted ? Function : nullptr;
}

namespace {

/// The scope of the whole unit. Clang's own ends with the parse, but what it declares late
/// goes there: __builtin_trap, for an object of a class that is passed to "...".
class UnitScope {
public:
  explicit UnitScope(Sema &TheSema)
      : TheSema(TheSema), Before(TheSema.TUScope),
        Own(std::make_unique<Scope>(/*Parent=*/nullptr, Scope::DeclScope,
                                    TheSema.getDiagnostics())) {
    Own->setEntity(TheSema.Context.getTranslationUnitDecl());
    if (!Before)
      TheSema.TUScope = Own.get();
  }
  ~UnitScope() { TheSema.TUScope = Before; }

private:
  Sema &TheSema;
  Scope *Before;
  std::unique_ptr<Scope> Own;
};

} // namespace

/// Asks for the virtual methods of the user's class templates of which objects are made: a call
/// through a base class names none of them. Returns how many of the classes have been looked at.
static size_t referToVirtualMethods(Sema &Sema, UserLocations &User, size_t From) {
  for (; From < Sema.VTableUses.size(); ++From) {
    auto [Class, PointOfUse] = Sema.VTableUses[From];
    const CXXRecordDecl *Pattern = Class->getTemplateInstantiationPattern();
    const CXXRecordDecl *Definition = Class->getDefinition();
    if (Pattern && Definition && User.contains(Pattern->getLocation()))
      Sema.MarkVirtualMembersReferenced(PointOfUse, Definition);
  }
  return From;
}

unsigned instantiateUserTemplates(Sema &Sema, UserLocations &User) {
  UnitScope Whole(Sema);
  unsigned Count = 0;
  size_t Classes = referToVirtualMethods(Sema, User, 0);
  // Instantiating a body appends what it uses in turn.
  while (!Sema.PendingInstantiations.empty()) {
    auto Pending = std::exchange(Sema.PendingInstantiations, {});
    for (auto &[Decl, PointOfUse] : Pending) {
      FunctionDecl *Function = userFunction(Decl, User);
      if (!Function)
        continue;
      Sema.InstantiateFunctionDefinition(PointOfUse, Function, /*Recursive=*/false,
                                         /*DefinitionRequired=*/false, /*AtEndOfTU=*/true);
      ++Count;
    }
    Classes = referToVirtualMethods(Sema, User, Classes);
  }
  return Count;
}

} // namespace tensorleak
