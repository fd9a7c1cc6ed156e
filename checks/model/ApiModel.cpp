//===-- ApiModel.cpp - What calls do --------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/model/ApiModel.h"

#include "checks/model/ApiTables.h"
#include "checks/model/ClassNames.h"
#include "checks/model/mutation/Mutation.h"
#include "checks/source/Expressions.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;
using llvm::StringRef;

namespace tensorleak {
namespace {

const Effect *findMethod(const CXXRecordDecl &R, StringRef Method) {
  const Effect *Found = nullptr;
  anyBase(R, [&](const CXXRecordDecl &Base) {
    StringRef Class;
    std::string Name;
    if (isLibraryContainer(Base) || isVariant(Base))
      Class = "std::container";
    else
      Class = Name = qualifiedName(Base);
    if (isTorchContainer(Class))
      Class = "std::container";
    auto It = tables().Methods.find(Class);
    if (It == tables().Methods.end())
      return false;
    mutation::asked("LibTorch", Class + "::" + Method);
    auto Entry = It->second.find(Method);
    if (Entry == It->second.end())
      return false;
    Found = &Entry->second;
    return true;
  });
  return Found;
}

/// Ops by LibTorch's naming conventions, for those that have no line of their own.
std::optional<Effect> byConvention(StringRef Name, bool ReturnsTensor) {
  if (Name.ends_with("_") && !Name.ends_with("__"))
    return Effect{Does::InPlace, None, Name};
  if (Name.ends_with("_out") || Name.ends_with("_outf"))
    return Effect{Does::Out, None, Name};
  if (ReturnsTensor)
    return Effect{Does::Compute, None, Name};
  return std::nullopt;
}

/// The shape of an op's result: of a line of its own, or as its traits say.
ShapeRule shapeRuleOf(StringRef Name, const Effect &E) {
  if (auto It = tables().Shapes.find(Name); It != tables().Shapes.end())
    return It->second;
  if (E.has(LikeSelf) || E.What == Does::InPlace)
    return ShapeRule::Same;
  return E.has(Elementwise) ? ShapeRule::Broadcast : ShapeRule::Unknown;
}

/// The callee's name: operators as `operator+`, conversions and constructors as "".
std::string calleeName(const FunctionDecl &F) {
  if (isa<CXXConstructorDecl, CXXConversionDecl, CXXDestructorDecl>(F))
    return {};
  return F.getDeclName().getAsString();
}

} // namespace

std::optional<Effect> ApiModel::effectOf(const FunctionDecl &Callee) {
  const FunctionDecl *Key = Callee.getCanonicalDecl();
  auto It = Effects.find(Key);
  if (It != Effects.end())
    return It->second;
  auto E = computeEffect(Callee);
  Effects.try_emplace(Key, E);
  return E;
}

static std::optional<Effect> effectOfOp(StringRef Name, bool ReturnsTensor) {
  mutation::asked("LibTorch", Name);
  auto E = lookUp(tables().Ops, Name);
  if (!E)
    E = byConvention(Name, ReturnsTensor);
  if (E)
    E->Shape = shapeRuleOf(Name, *E);
  return E;
}

/// A class of the user's, whose members are followed by their names, through whatever handle.
static bool isUsersRecord(QualType T) {
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  return R && !R->isInStdNamespace() && !isInLibTorch(namespaceOf(*R));
}

/// Where libstdc++ has the methods of a shared pointer. One to a tensor is left out: what
/// another copy of it does is not followed.
static bool isSharedHandle(ApiModel &Model, const CXXRecordDecl &R) {
  const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(&R);
  if (!Spec || !R.isInStdNamespace() || !R.getIdentifier() ||
      !R.getName().starts_with("__shared_ptr"))
    return false;
  const TemplateArgument &Held = Spec->getTemplateArgs()[0];
  if (Held.getKind() != TemplateArgument::Type)
    return false;
  const QualType T = Held.getAsType();
  TypeClass Class = Model.classify(T);
  const CXXRecordDecl *Container = T->getAsCXXRecordDecl();
  if (Container && isLibraryContainer(*Container) && Model.holdsTensors(T))
    return true;
  return Class == TypeClass::Module || Class == TypeClass::Optimizer ||
         isUsersRecord(T); // classes that are derived from it may hold tensors
}

/// `*it`, `++it` and `it + 1` refer into what the iterator does; `it != end` looks at it.
static Effect effectOfIterator(OverloadedOperatorKind Op) {
  switch (Op) {
  case OO_EqualEqual:
  case OO_ExclaimEqual:
  case OO_Less:
  case OO_Greater:
  case OO_LessEqual:
  case OO_GreaterEqual:
    return {Does::Nothing, None, {}};
  default:
    return {Does::Element, None, {}};
  }
}

/// `Options().weight(w)`: LibTorch's setters give their object back, to set the next option. Of
/// options without tensors nothing is kept.
static bool isOptionSetter(const CXXMethodDecl &M) {
  const CXXRecordDecl *Result =
      M.getReturnType()->isReferenceType() ? M.getReturnType()->getPointeeCXXRecordDecl() : nullptr;
  return Result && !M.isConst() && M.getNumParams() == 1 &&
         isInLibTorch(namespaceOf(*M.getParent())) &&
         Result->getCanonicalDecl() == M.getParent()->getCanonicalDecl() &&
         !M.isCopyAssignmentOperator() && !M.isMoveAssignmentOperator();
}

static std::optional<Effect> effectOfMethod(ApiModel &Model, const CXXMethodDecl &M,
                                            StringRef Name) {
  const CXXRecordDecl &R = *M.getParent();
  if (isTensorRecord(R))
    return effectOfOp(Name, Model.holdsTensors(M.getReturnType()));
  if (const Effect *E = findMethod(R, Name))
    return *E;
  if (isIterator(R))
    return effectOfIterator(M.getOverloadedOperator());
  if (isSharedHandle(Model, R)) {
    mutation::asked("LibTorch", "std::container::" + Name);
    return lookUp(tables().Methods.find("std::container")->second, Name).value_or(Effect{});
  }
  if (isOptionSetter(M) && Model.holdsTensors(M.getReturnType()))
    return Effect{Does::Configure, None, {}};
  // What makes tensors of tensors, and is in no table, could do anything.
  bool Computes = Model.holdsTensors(M.getReturnType()) &&
                  llvm::any_of(M.parameters(), [&](const ParmVarDecl *Param) {
                    return Model.holdsTensors(Param->getType());
                  });
  if (isLibraryContainer(R) || (isInLibTorch(namespaceOf(R)) && !Computes))
    return Effect{Does::Nothing, None, {}};
  return std::nullopt;
}

/// `std::make_unique<T>(...)` and its kin, of a class that is the user's: its constructor
/// may do anything to the arguments.
static bool makesUsersObject(const FunctionDecl &F) {
  const CXXRecordDecl *Owner = F.getReturnType()->getAsCXXRecordDecl();
  const auto *Pointer = dyn_cast_or_null<ClassTemplateSpecializationDecl>(Owner);
  if (!Pointer || !Pointer->isInStdNamespace() ||
      !(Pointer->getName() == "unique_ptr" || isSharedPtr(*Pointer)))
    return false;
  const CXXRecordDecl *Made = Pointer->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl();
  return Made && !Made->isInStdNamespace() && !isInLibTorch(namespaceOf(*Made));
}

/// `out << x`: whatever x is, it is read.
static bool writesToStream(const FunctionDecl &F) {
  if (F.getOverloadedOperator() != OO_LessLess || F.getNumParams() != 2)
    return false;
  const CXXRecordDecl *R = recordOf(F.getParamDecl(0)->getType());
  return R && R->isInStdNamespace() && R->getIdentifier() && R->getName() == "basic_ostream";
}

/// `std::visit(f, v)`, `std::get_if<T>(&v)`: what is in the variant goes where it is not followed.
static bool opensVariant(const FunctionDecl &F) {
  return !F.getReturnType()->isBooleanType() && llvm::any_of(F.parameters(), [](auto *Param) {
    const CXXRecordDecl *R = recordOf(Param->getType());
    return R && isVariant(*R);
  });
}

/// Of the C++ library: all that it gives back of what it is given are iterators into it, as
/// `std::begin(all)` and `std::find(all.begin(), all.end(), x)` do.
static Effect effectOfAlgorithm(const FunctionDecl &F) {
  const CXXRecordDecl *Result = recordOf(F.getReturnType());
  const CXXRecordDecl *First = F.getNumParams() ? recordOf(F.getParamDecl(0)->getType()) : nullptr;
  bool Refers =
      Result && isIterator(*Result) && First && (First == Result || isLibraryContainer(*First));
  return Refers ? effectOfIterator(F.getOverloadedOperator()) : Effect{};
}

static std::optional<Effect> effectOfFunction(ApiModel &Model, const FunctionDecl &F,
                                              StringRef Name) {
  std::string Space = namespaceOf(F);
  mutation::asked("LibTorch", Space + "::" + Name);
  const bool OfLibrary = isOfLibrary(F);
  auto It = tables().Functions.find(Space);
  if (It != tables().Functions.end())
    if (auto E = lookUp(It->second, Name);
        E && !(OfLibrary && E->What == Does::Compute && !Model.holdsTensors(F.getReturnType())))
      return E;
  if (writesToStream(F))
    return Effect{};
  if (!isInLibTorch(Space))
    return OfLibrary && !makesUsersObject(F) && !opensVariant(F)
               ? std::optional(effectOfAlgorithm(F))
               : std::nullopt;
  return effectOfOp(Name, Model.holdsTensors(F.getReturnType()));
}

static bool isThread(StringRef Name) {
  mutation::asked("LibTorch", "thread " + Name);
  return tables().Threads.contains(Name);
}

/// `std::vector<std::thread>`.
static bool holdsThreads(const CXXRecordDecl &R) {
  return isLibraryContainer(R) && llvm::any_of(typeArguments(R), [](QualType T) {
           const CXXRecordDecl *Held = T->getAsCXXRecordDecl();
           return Held && isThread(qualifiedName(*Held));
         });
}

bool ApiModel::startsThread(const FunctionDecl &F, llvm::ArrayRef<const Expr *> Args) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  const auto *Constructor = dyn_cast<CXXConstructorDecl>(&F);
  if (Args.empty() || (Constructor && Constructor->isCopyOrMoveConstructor()))
    return false;
  if (Method && !Constructor)
    return holdsThreads(*Method->getParent());
  auto IsDeferred = [](const Expr &E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&E);
    return Ref && isa<EnumConstantDecl>(Ref->getDecl()) && Ref->getDecl()->getName() == "deferred";
  };
  std::string Name =
      qualifiedName(Constructor ? cast<NamedDecl>(*Constructor->getParent()) : cast<NamedDecl>(F));
  return isThread(Name) && !mentions(Args.front(), IsDeferred);
}

/// `if (pointer)`, of an optional, a smart pointer, a stream.
static bool isQuestion(const FunctionDecl &F) {
  const auto *Conversion = dyn_cast<CXXConversionDecl>(&F);
  return Conversion && Conversion->getConversionType()->isBooleanType() &&
         (isOfLibrary(F) || isInLibTorch(namespaceOf(F)));
}

/// What an element of `c10::List` is read through, and the like.
static bool yieldsTensors(ApiModel &Model, const FunctionDecl &F) {
  const auto *Conversion = dyn_cast<CXXConversionDecl>(&F);
  return Conversion && isInLibTorch(namespaceOf(F)) &&
         Model.holdsTensors(Conversion->getConversionType().getNonReferenceType());
}

bool ApiModel::knowsByName(const FunctionDecl &Callee) const {
  std::string Space = namespaceOf(Callee), Name = calleeName(Callee);
  if (!isInLibTorch(Space) || Name.empty())
    return false;
  if (const auto *M = dyn_cast<CXXMethodDecl>(&Callee))
    return !M->getParent()->isLambda() && findMethod(*M->getParent(), Name);
  auto It = tables().Functions.find(Space);
  bool IsOp = (Space == "at" || Space == "torch") && tables().Ops.count(Name);
  return IsOp || (It != tables().Functions.end() && It->second.count(Name));
}

static bool isAboutGradients(Does What) {
  switch (What) {
  case Does::RequireGrad:
  case Does::Freeze:
  case Does::TrainModule:
  case Does::Parameters:
  case Does::Backward:
  case Does::AutogradGrad:
  case Does::GradOf:
  case Does::ResetGrad:
  case Does::SetGradMode:
    return true;
  default: // an optimizer's step() has the name of much else, and needs one of these before it
    return false;
  }
}

static bool isAboutGradients(const EffectMap &Map, StringRef Name) {
  auto Known = lookUp(Map, Name);
  return Known && isAboutGradients(Known->What);
}

bool ApiModel::isAboutGradients(StringRef Name) const {
  const Tables &All = tables();
  auto IsIn = [Name](const auto &Scope) {
    return tensorleak::isAboutGradients(Scope.getValue(), Name);
  };
  return tensorleak::isAboutGradients(All.Ops, Name) || llvm::any_of(All.Functions, IsIn) ||
         llvm::any_of(All.Methods, IsIn) || llvm::any_of(All.Guards, [Name](const auto &Class) {
           return Class.getKey().ends_with(("::" + Name).str());
         });
}

std::optional<Effect> ApiModel::computeEffect(const FunctionDecl &F) {
  if (isQuestion(F))
    return Effect{Does::Nothing, ZeroIfEmpty, {}};
  if (yieldsTensors(*this, F))
    return Effect{Does::Element, None, {}};
  std::string Name = calleeName(F);
  if (Name.empty())
    return std::nullopt;
  std::optional<Effect> E;
  if (const auto *M = dyn_cast<CXXMethodDecl>(&F); M && !M->getParent()->isLambda())
    E = effectOfMethod(*this, *M, Name);
  else
    E = effectOfFunction(*this, F, Name);
  // Names are kept by the AST's identifier table, which outlives the analysis.
  if (E && F.getIdentifier())
    E->Name = F.getName();
  return E;
}

} // namespace tensorleak
