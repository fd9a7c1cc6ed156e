//===-- Instantiation.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/parse/templates/Instantiation.h"

#include "checks/frontend/parse/templates/UnitScope.h"
#include "checks/source/UserCode.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/DiagnosticSema.h"
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

namespace {

/// What the unit uses and has no body yet, the last found first: of templates that use each other
/// without end, one way is as deep as it may be before there are many.
class PendingFunctions {
public:
  PendingFunctions(Sema &TheSema, UserLocations &User) : TheSema(TheSema), User(User) {}

  /// Instantiates all, and what that uses in turn.
  void run() {
    take(0);
    while (!Stack.empty())
      instantiate(Stack.pop_back_val());
  }

private:
  struct Pending {
    FunctionDecl *Function;
    SourceLocation PointOfUse;
    unsigned Depth; ///< of the bodies that ask for each other
  };

  /// What was used since the last call, by a body at \p Depth or by a virtual table.
  void take(unsigned Depth) {
    Classes = referToVirtualMethods(TheSema, User, Classes);
    auto Used = std::exchange(TheSema.PendingInstantiations, {});
    for (auto &[Decl, PointOfUse] : llvm::reverse(Used))
      if (FunctionDecl *Function = userFunction(Decl, User))
        Stack.push_back({Function, PointOfUse, Depth});
  }

  void instantiate(const Pending &Next) {
    if (Next.Depth > TheSema.getLangOpts().InstantiationDepth)
      return giveUp(Next);
    if (Next.Function->isDefined()) // asked for twice
      return;
    TheSema.InstantiateFunctionDefinition(Next.PointOfUse, Next.Function, /*Recursive=*/false,
                                          /*DefinitionRequired=*/false, /*AtEndOfTU=*/true);
    take(Next.Depth + 1);
  }

  /// As the compiler does, which has the bodies nested in each other.
  void giveUp(const Pending &Endless) {
    TheSema.Diag(Endless.PointOfUse, diag::err_template_recursion_depth_exceeded)
        << TheSema.getLangOpts().InstantiationDepth;
    if (++TooDeep > 1)
      Stack.clear();
  }

  Sema &TheSema;
  UserLocations &User;
  llvm::SmallVector<Pending, 32> Stack;
  size_t Classes = 0; ///< whose virtual methods were asked for
  unsigned TooDeep = 0;
};

} // namespace

void instantiateUserTemplates(Sema &Sema, UserLocations &User) {
  UnitScope Whole(Sema);
  PendingFunctions(Sema, User).run();
}

} // namespace tensorleak
