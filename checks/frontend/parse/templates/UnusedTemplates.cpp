//===-- UnusedTemplates.cpp -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/parse/templates/UnusedTemplates.h"

#include "checks/frontend/parse/Compat.h"
#include "checks/frontend/parse/templates/Instantiation.h"
#include "checks/frontend/parse/templates/TemplateBodies.h"
#include "checks/frontend/parse/templates/UnitScope.h"
#include "checks/model/ResourceModel.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace tensorleak {
namespace {

/// The templates of which nothing was made yet, and the classes that were made of others.
class TemplateFinder : public RecursiveASTVisitor<TemplateFinder> {
public:
  bool VisitClassTemplateDecl(ClassTemplateDecl *T) {
    if (!T->isThisDeclarationADefinition())
      return true;
    if (T->spec_begin() == T->spec_end())
      Classes.push_back(T);
    for (ClassTemplateSpecializationDecl *Instance : T->specializations())
      if (Instance->getSpecializationKind() == TSK_ImplicitInstantiation &&
          Instance->hasDefinition())
        Made.push_back(Instance);
      else if (!Instance->isExplicitSpecialization() && !Instance->hasDefinition())
        Named.push_back(Instance);
    return true;
  }
  bool VisitFunctionTemplateDecl(FunctionTemplateDecl *T) {
    if (T->isThisDeclarationADefinition() && T->spec_begin() == T->spec_end() &&
        !T->getDeclContext()->isDependentContext())
      Functions.push_back(T);
    return true;
  }
  bool TraverseStmt(Stmt *) { return true; } // there are none in bodies
  bool isEmpty() const {
    return Classes.empty() && Functions.empty() && Made.empty() && Named.empty();
  }
  std::vector<ClassTemplateDecl *> Classes;
  std::vector<FunctionTemplateDecl *> Functions;
  std::vector<ClassTemplateSpecializationDecl *> Made;
  std::vector<ClassTemplateSpecializationDecl *> Named; ///< only by a typedef or a pointer
};

/// Wrappers of wrappers of wrappers are as far as this is followed.
constexpr unsigned MaxWrappers = 3;

/// Whether a template names a call that takes or gives back something of the device's, or a
/// function in view that does so: `runtime::allocate(&p, n)`.
class DeviceCalls : public RecursiveASTVisitor<DeviceCalls> {
public:
  explicit DeviceCalls(const ResourceModel &Model) : Model(Model) {}
  bool VisitDeclRefExpr(DeclRefExpr *E) { return look(E->getDecl()); }
  bool VisitMemberExpr(MemberExpr *E) { return look(E->getMemberDecl()); }
  bool VisitUnresolvedLookupExpr(UnresolvedLookupExpr *E) {
    return llvm::all_of(E->decls(), [&](const NamedDecl *D) { return look(D); });
  }
  bool Found = false;

private:
  bool look(const NamedDecl *D) {
    const auto *F = dyn_cast_or_null<FunctionDecl>(D ? D->getUnderlyingDecl() : nullptr);
    const auto *T = dyn_cast_or_null<FunctionTemplateDecl>(D ? D->getUnderlyingDecl() : nullptr);
    F = T ? T->getTemplatedDecl() : F; // cudaMalloc() of any pointer
    if (F && !Found) {
      Found = llvm::any_of(Model.effectsOf(*F), isOfDevice);
      follow(*F);
    }
    return !Found;
  }
  static bool isOfDevice(const ResourceEffect &E) {
    return (E.Kind_ != Family::Count && !infoOf(E.Kind_).IsHost) || (E.Accepts & ~hostFamilies());
  }
  void follow(const FunctionDecl &F) {
    const FunctionDecl *Pattern = F.getTemplateInstantiationPattern();
    const FunctionDecl *Body = nullptr;
    if (Found || Wrappers == MaxWrappers || !Seen.insert(F.getCanonicalDecl()).second ||
        !(Pattern ? *Pattern : F).isDefined(Body))
      return;
    ++Wrappers;
    TraverseStmt(Body->getBody());
    --Wrappers;
  }
  const ResourceModel &Model;
  llvm::SmallPtrSet<const FunctionDecl *, 16> Seen;
  unsigned Wrappers = 0; ///< around the body at hand
};

/// Makes functions and classes of templates, and says nothing of what does not work.
class Maker {
public:
  explicit Maker(Sema &TheSema)
      : TheSema(TheSema), Diags(TheSema.getDiagnostics()),
        Before(Diags.getSuppressAllDiagnostics()) {
    Diags.setSuppressAllDiagnostics(true);
  }
  ~Maker() { Diags.setSuppressAllDiagnostics(Before); }

  void make(FunctionTemplateDecl &Template);
  void make(ClassTemplateDecl &Template);
  void make(ClassTemplateSpecializationDecl &Class);
  void makeLife(const CXXRecordDecl &Class);
  void makeBodies(const CXXRecordDecl &Class);

  llvm::DenseSet<const FunctionDecl *> InPart; ///< of which not all fits the types made up

private:
  std::optional<TemplateArgument> argumentFor(const NamedDecl &Parameter) const;
  std::optional<TemplateArgumentListInfo> argumentsFor(TemplateDecl &Template) const;
  void makeBody(FunctionDecl *Function);
  void makeUpBody(FunctionDecl *Function);

  Sema &TheSema;
  DiagnosticsEngine &Diags;
  bool Before;
};

} // namespace

/// A number for each type, and one for each number.
std::optional<TemplateArgument> Maker::argumentFor(const NamedDecl &Parameter) const {
  ASTContext &Context = TheSema.Context;
  if (isa<TemplateTypeParmDecl>(Parameter))
    return TemplateArgument(Context.FloatTy);
  const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(&Parameter);
  QualType Type = Value ? Value->getType() : QualType();
  if (!Value || Type->isDependentType() || !Type->isIntegralType(Context))
    return std::nullopt;
  llvm::APSInt One(Context.getIntWidth(Type), Type->isUnsignedIntegerType());
  One = 1;
  return TemplateArgument(Context, One, Type.getUnqualifiedType());
}

/// Those without a default, which must come first; none for a pack.
std::optional<TemplateArgumentListInfo> Maker::argumentsFor(TemplateDecl &Template) const {
  const SourceLocation At = Template.getLocation();
  TemplateArgumentListInfo All(At, At);
  for (NamedDecl *Parameter : *Template.getTemplateParameters()) {
    if (Parameter->isTemplateParameterPack())
      break;
    const auto *Type = dyn_cast<TemplateTypeParmDecl>(Parameter);
    const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(Parameter);
    if ((Type && Type->hasDefaultArgument()) || (Value && Value->hasDefaultArgument()))
      break;
    auto Argument = argumentFor(*Parameter);
    if (!Argument)
      return std::nullopt;
    All.addArgument(TheSema.getTrivialTemplateArgumentLoc(
        *Argument, Value ? Value->getType() : QualType(), At, Parameter));
  }
  return All;
}

void Maker::makeBody(FunctionDecl *Function) {
  const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern();
  if (Pattern && Pattern->isDefined() && !Function->isDefined() && !Function->isInvalidDecl())
    TheSema.InstantiateFunctionDefinition(Function->getLocation(), Function, /*Recursive=*/false,
                                          /*DefinitionRequired=*/false, /*AtEndOfTU=*/true);
}

void Maker::makeUpBody(FunctionDecl *Function) {
  makeBody(Function);
  if (!Function->hasBody() && makeBodyInPart(TheSema, *Function))
    InPart.insert(Function);
}

void Maker::make(FunctionTemplateDecl &Template) {
  auto Arguments = argumentsFor(Template);
  if (!Arguments)
    return;
  llvm::SmallVector<TemplateArgument, 4> All;
  if (!fitsTemplate(TheSema, Template, *Arguments, All))
    return;
  auto *List = TemplateArgumentList::CreateCopy(TheSema.Context, All);
  if (FunctionDecl *Made =
          TheSema.InstantiateFunctionDeclaration(&Template, List, Template.getLocation()))
    makeUpBody(Made);
}

void Maker::makeBodies(const CXXRecordDecl &Class) {
  for (Decl *Member : Class.decls())
    if (auto *Method = dyn_cast<CXXMethodDecl>(Member))
      makeBody(Method);
}

void Maker::make(ClassTemplateDecl &Template) {
  auto Arguments = argumentsFor(Template);
  if (!Arguments)
    return;
  QualType Type = classOfTemplate(TheSema, Template, *Arguments);
  if (Type.isNull() || !TheSema.isCompleteType(Template.getLocation(), Type))
    return;
  if (const CXXRecordDecl *Class = Type->getAsCXXRecordDecl(); Class && !Class->isInvalidDecl())
    for (Decl *Member : Class->decls())
      if (auto *Method = dyn_cast<CXXMethodDecl>(Member))
        makeUpBody(Method);
}

/// Of the types that the user names.
void Maker::make(ClassTemplateSpecializationDecl &Class) {
  if (TheSema.isCompleteType(Class.getLocation(), typeOf(Class)) && !Class.isInvalidDecl())
    makeBodies(Class);
}

/// What begins and ends an object that the library makes and destroys: the bodies of make_unique
/// and of the pointer's own destructor are not in view, and so nothing else asks for them.
void Maker::makeLife(const CXXRecordDecl &Class) {
  if (CXXDestructorDecl *Dtor = Class.getDestructor())
    makeBody(Dtor);
  auto IsMade = [](const CXXConstructorDecl *C) { return C->isUserProvided() && C->isDefined(); };
  if (llvm::none_of(Class.ctors(), IsMade))
    for (CXXConstructorDecl *Constructor : Class.ctors())
      makeBody(Constructor);
}

/// In the template itself, or in a method that is defined outside of its class.
static bool callsDevice(TemplateDecl &Template, const ResourceModel &Model) {
  DeviceCalls Calls(Model);
  Calls.TraverseDecl(&Template);
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Template.getTemplatedDecl()))
    for (const CXXMethodDecl *Method : Class->methods())
      if (const FunctionDecl *Body = nullptr; !Calls.Found && Method->isDefined(Body))
        Calls.TraverseStmt(Body->getBody());
  return Calls.Found;
}

llvm::DenseSet<const FunctionDecl *>
instantiateUnusedTemplates(Sema &TheSema, llvm::ArrayRef<Decl *> Decls, UserLocations &User) {
  TemplateFinder Finder;
  for (Decl *D : Decls)
    Finder.TraverseDecl(D);
  if (Finder.isEmpty())
    return {};
  const ResourceModel Model;
  UnitScope Whole(TheSema);
  Maker Quiet(TheSema);
  for (ClassTemplateSpecializationDecl *Class : Finder.Made)
    if (callsDevice(*Class->getSpecializedTemplate(), Model))
      Quiet.makeBodies(*Class);
    else
      Quiet.makeLife(*Class);
  for (ClassTemplateSpecializationDecl *Class : Finder.Named)
    if (callsDevice(*Class->getSpecializedTemplate(), Model))
      Quiet.make(*Class);
  for (ClassTemplateDecl *Class : Finder.Classes)
    if (callsDevice(*Class, Model))
      Quiet.make(*Class);
  for (FunctionTemplateDecl *Function : Finder.Functions)
    if (callsDevice(*Function, Model) && Function->spec_begin() == Function->spec_end())
      Quiet.make(*Function);
  instantiateUserTemplates(TheSema, User);
  return std::move(Quiet.InPart);
}

} // namespace tensorleak
