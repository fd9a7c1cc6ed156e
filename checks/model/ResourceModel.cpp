//===-- ResourceModel.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/model/ResourceModel.h"

#include "checks/model/ClassNames.h"
#include "checks/model/mutation/Mutation.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace tensorleak {
namespace {

/// Bits with the names that Cuda.def uses.
namespace traits {
constexpr unsigned None = 0, Memory = 1, Host = 2, Tensors = 4;
}
namespace sets {
#define FAMILY(Id, What, Release, Traits) constexpr FamilySet Id = only(Family::Id);
#include "checks/model/Cuda.def"
} // namespace sets

std::vector<FamilyInfo> makeInfos() {
  using namespace traits;
  return {
#define FAMILY(Id, What, Release, Traits)                                                          \
  {What, Release, ((Traits) & Memory) != 0, ((Traits) & Host) != 0, ((Traits) & Tensors) != 0},
#include "checks/model/Cuda.def"
  };
}

ResourceEffect takes(ResourceEffect::Kind What, Family F, unsigned Argument,
                     llvm::StringRef Sizes) {
  return {What, F, 0, Argument, Sizes};
}

ResourceEffect gives(ResourceEffect::Kind What, FamilySet Accepts, unsigned Argument) {
  return {What, Family::Count, Accepts, Argument, ""};
}

void addWords(llvm::StringSet<> &To, llvm::StringRef Words) {
  llvm::SmallVector<llvm::StringRef, 16> Each;
  Words.split(Each, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef Word : Each)
    if (!mutation::changes("Cuda", Word))
      To.insert(Word);
}

/// A namespace whose members are found without its name.
bool isTransparent(const DeclContext &Scope) {
  const auto *Space = dyn_cast<NamespaceDecl>(&Scope);
  return Space && (Space->isInline() || Space->isAnonymousNamespace());
}

/// "" for C functions and everything at global scope, else the namespace.
std::optional<llvm::StringRef> scopeOf(const Decl &Member) {
  const DeclContext *Scope = Member.getDeclContext()->getRedeclContext();
  while (isTransparent(*Scope))
    Scope = Scope->getParent()->getRedeclContext();
  if (Scope->isTranslationUnit())
    return llvm::StringRef();
  const auto *Space = dyn_cast<NamespaceDecl>(Scope);
  if (!Space || !Space->getParent()->getRedeclContext()->isTranslationUnit())
    return std::nullopt;
  return Space->getName() == "std" ? llvm::StringRef() : Space->getName();
}

} // namespace

const FamilyInfo &infoOf(Family F) {
  static const std::vector<FamilyInfo> Infos = makeInfos();
  return Infos[unsigned(F)];
}

FamilySet hostFamilies() {
  FamilySet Host = 0;
  for (unsigned F = 0; F < unsigned(Family::Count); ++F)
    if (infoOf(Family(F)).IsHost)
      Host |= only(Family(F));
  return Host;
}

bool isDeviceStatus(QualType T) {
  static const llvm::StringSet<> Names = [] {
    llvm::StringSet<> Each;
#define STATUS(Enums) addWords(Each, Enums);
#include "checks/model/Cuda.def"
    return Each;
  }();
  // The arguments of a class without a definition have no type.
  const auto *Enum = T.isNull() ? nullptr : T->getAs<EnumType>();
  if (!Enum)
    return false;
  const TypedefNameDecl *Alias = Enum->getDecl()->getTypedefNameForAnonDecl();
  llvm::StringRef Name = Alias ? Alias->getName() : Enum->getDecl()->getName();
  mutation::asked("Cuda", Name);
  return Names.contains(Name);
}

ResourceModel::ResourceModel() {
  using namespace sets;
  using E = ResourceEffect;
#define OUT(Id, Argument, Sizes, Names) add("", Names, takes(E::Out, Family::Id, Argument, Sizes));
#define RESULT(Id, Sizes, Names) add("", Names, takes(E::Result, Family::Id, 0, Sizes));
#define ATTACH(Id, Argument, Names) add("", Names, takes(E::Attach, Family::Id, Argument, ""));
#define FREE(Ids, Argument, Names) add("", Names, gives(E::Free, Ids, Argument));
#define FREE_AT(Ids, Argument, Names) add("", Names, gives(E::FreeAt, Ids, Argument));
#define FREE_ALL(Names) add("", Names, gives(E::FreeAll, ~FamilySet(0), 0));
#define FILL(Names) add("", Names, gives(E::Fill, 0, 0));
#define COPY(Names) add("", Names, gives(E::Copy, 0, 0));
#define LAST_ERROR(Names) add("", Names, gives(E::LastError, 0, 0));
#define END(Names) add("", Names, gives(E::End, 0, 0));
#define BORROW(Namespace, Names) add(Namespace, Names, gives(E::Borrow, 0, 0));
#define POINTER(Namespace, Classes) addClasses(Namespace, Classes);
#define FREE_OF(Ids, Namespace, Names) add(Namespace, Names, gives(E::Free, Ids, 0));
#define MAKE(Id, Namespace, Names)                                                                 \
  add(Namespace, Names, takes(E::Result, Family::Id, 0, ""));                                      \
  Makes[Namespace] |= sets::Id;
#define FREE_SELF(Ids, Namespace, Names) add(Namespace, Names, gives(E::FreeSelf, Ids, 0));
#define ONLY_USES(Namespaces) addWords(Users, Namespaces);
#include "checks/model/Cuda.def"
}

void ResourceModel::add(llvm::StringRef Scope, llvm::StringRef Names, const ResourceEffect &E) {
  llvm::SmallVector<llvm::StringRef, 8> Each;
  Names.split(Each, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef Name : Each)
    if (!mutation::changes("Cuda", Scope + "::" + Name + " " + llvm::Twine(unsigned(E.What))))
      Effects[(Scope + "::" + Name).str()].push_back(E);
}

void ResourceModel::addClasses(llvm::StringRef Scope, llvm::StringRef Classes) {
  llvm::SmallVector<llvm::StringRef, 8> Each;
  Classes.split(Each, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef Name : Each)
    if (!mutation::changes("Cuda", Scope + "::" + Name))
      Pointers.insert((Scope + "::" + Name).str());
}

/// cuMemFree_v2 is what the macro cuMemFree stands for, cudaFreeAsync_ptsz what
/// cudaFreeAsync stands for where each thread has a default stream of its own.
static llvm::StringRef withoutSuffix(llvm::StringRef Name) {
  if (!Name.consume_back("_ptsz"))
    Name.consume_back("_ptds");
  llvm::StringRef Base = Name.rtrim("0123456789");
  return Base.size() < Name.size() && Base.consume_back("_v") ? Base : Name;
}

/// The class that \p F is a method of, or the function itself: what a namespace holds.
static const NamedDecl &memberOfScope(const FunctionDecl &F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  return Method ? *cast<NamedDecl>(Method->getParent()) : *cast<NamedDecl>(&F);
}

llvm::ArrayRef<ResourceEffect> ResourceModel::effectsOf(const FunctionDecl &Callee) const {
  if (!Callee.getIdentifier())
    return {};
  const NamedDecl &Member = memberOfScope(Callee);
  auto Scope = scopeOf(Member);
  if (!Scope || (Scope->empty() && &Member != &Callee))
    return {};
  std::string Name = (*Scope + "::").str();
  if (&Member != &Callee)
    Name += (Member.getName() + "::").str();
  Name += withoutSuffix(Callee.getName());
  mutation::asked("Cuda", Name);
  auto It = Effects.find(Name);
  return It == Effects.end() ? llvm::ArrayRef<ResourceEffect>() : It->second;
}

bool isForNumbers(const CXXRecordDecl &Class) {
  auto Types = typeArguments(Class);
  return !Types.empty() && Types.front()->isArithmeticType();
}

static bool mayHoldPointers(const NamedDecl &Member) {
  const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(&Member);
  return Class && !isForNumbers(*Class);
}

bool ResourceModel::onlyUses(const FunctionDecl &Callee) const {
  const NamedDecl &Member = memberOfScope(Callee);
  auto Scope = scopeOf(Member);
  return Scope && !Scope->empty() && Users.contains(*Scope) && !mayHoldPointers(Member);
}

FamilySet ResourceModel::deletedAs(QualType T) const {
  const auto *Class = T.isNull() ? nullptr : T->getAsCXXRecordDecl();
  auto Scope = Class ? scopeOf(*Class) : std::nullopt;
  return Scope && !Scope->empty() ? Makes.lookup(*Scope) : 0;
}

bool ResourceModel::isPointer(QualType T) const {
  const auto *Class = T.isNull() ? nullptr : T.getNonReferenceType()->getAsCXXRecordDecl();
  auto Scope = Class && Class->getIdentifier() ? scopeOf(*Class) : std::nullopt;
  return Scope && !Scope->empty() && Pointers.contains((*Scope + "::" + Class->getName()).str());
}

} // namespace tensorleak
