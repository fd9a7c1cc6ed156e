//===-- ApiModel.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/model/ApiModel.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using llvm::StringRef;

namespace tensorleak {
namespace {

using EffectMap = llvm::StringMap<Effect>;

/// LibTorch.def, indexed.
struct Tables {
  EffectMap Ops;                          ///< op name -> effect
  llvm::StringMap<EffectMap> Methods;     ///< class -> method -> effect
  llvm::StringMap<EffectMap> Functions;   ///< namespace -> function -> effect
  llvm::StringMap<Guard> Guards;          ///< class -> guard
  llvm::StringMap<FieldKind> Fields;      ///< qualified name -> kind
  llvm::StringSet<> ParameterlessModules; ///< class names in torch::nn, without Impl
  llvm::StringMap<ShapeRule> Shapes;      ///< op name -> the shape of its result

  Tables();
};

llvm::SmallVector<StringRef, 16> wordsOf(StringRef Names) {
  llvm::SmallVector<StringRef, 16> List;
  Names.split(List, ' ', -1, /*KeepEmpty=*/false);
  return List;
}

void addAll(EffectMap &Map, StringRef Names, Does What, uint32_t Traits) {
  for (StringRef Name : wordsOf(Names)) {
    auto It = Map.try_emplace(Name, Effect{What, Traits, {}}).first;
    It->second.Name = It->first();
    if (What == Does::InPlace)
      It->second.Shape = ShapeRule::Same;
  }
}

Tables::Tables() {
#define OPS(What, Traits, Names) addAll(Ops, Names, Does::What, Traits);
#define METHODS(Class, What, Traits, Names) addAll(Methods[Class], Names, Does::What, Traits);
#define FUNCTIONS(Space, What, Traits, Names) addAll(Functions[Space], Names, Does::What, Traits);
#define GUARD(Class, Kind) Guards[Class] = Guard::Kind;
#define FIELD(Class, Name, Kind) Fields[Class "::" Name] = FieldKind::Kind;
#define PARAMETERLESS_MODULES(Names)                                                               \
  for (StringRef Name : wordsOf(Names))                                                            \
    ParameterlessModules.insert(Name);
#include "checks/model/LibTorch.def"
#define SHAPE(Rule, Names)                                                                         \
  for (StringRef Name : wordsOf(Names))                                                            \
    Shapes[Name] = ShapeRule::Rule;
#include "checks/model/Shapes.def"
}

const Tables &tables() {
  static const Tables T;
  return T;
}

/// Without template arguments, those of a class around it included.
std::string qualifiedName(const NamedDecl &D) {
  if (const auto *Around = dyn_cast<ClassTemplateSpecializationDecl>(D.getDeclContext()))
    return qualifiedName(*Around) + "::" + D.getNameAsString();
  return D.getQualifiedNameAsString();
}

std::string namespaceOf(const Decl &D) {
  const auto *Space = dyn_cast<NamespaceDecl>(D.getDeclContext()->getEnclosingNamespaceContext());
  return Space ? qualifiedName(*Space) : std::string();
}

bool isLibraryContainer(const CXXRecordDecl &R) {
  if (!R.isInStdNamespace())
    return false;
  static const llvm::StringSet<> Names = {
      "vector",        "deque", "list",     "forward_list",  "map",        "multimap",
      "unordered_map", "set",   "multiset", "unordered_set", "queue",      "stack",
      "optional",      "array", "pair",     "unique_ptr",    "shared_ptr", "weak_ptr",
      "reference_wrapper", "unordered_multimap", "priority_queue", "initializer_list"};
  return R.getIdentifier() && Names.contains(R.getName());
}

/// c10's own containers of tensors.
bool isTorchContainer(StringRef Name) {
  return Name == "c10::ArrayRef" || Name == "c10::List" || Name == "c10::optional" ||
         Name == "c10::Dict" || Name == "c10::IListRef" || Name == "torch::OrderedDict" ||
         Name == "torch::OrderedDict::Item" ||
         Name == "c10::SmallVector" || Name == "std::span";
}

const CXXRecordDecl *recordOf(QualType T) {
  if (T.isNull())
    return nullptr;
  T = T.getNonReferenceType();
  while (T->isPointerType())
    T = T->getPointeeType();
  return T->getAsCXXRecordDecl();
}

/// \p R itself or a base whose name \p Accepts.
template <typename Pred> bool anyBase(const CXXRecordDecl &R, Pred Accepts, unsigned Depth = 0) {
  if (Accepts(R))
    return true;
  const CXXRecordDecl *Def = R.getDefinition();
  if (!Def || Depth > 16)
    return false;
  for (const CXXBaseSpecifier &Base : Def->bases())
    if (const CXXRecordDecl *B = Base.getType()->getAsCXXRecordDecl())
      if (anyBase(*B, Accepts, Depth + 1))
        return true;
  return false;
}

const Effect *findMethod(const CXXRecordDecl &R, StringRef Method) {
  const Effect *Found = nullptr;
  anyBase(R, [&](const CXXRecordDecl &Base) {
    StringRef Class;
    std::string Name;
    if (isLibraryContainer(Base))
      Class = "std::container";
    else
      Class = Name = qualifiedName(Base);
    if (isTorchContainer(Class))
      Class = "std::container";
    auto It = tables().Methods.find(Class);
    if (It == tables().Methods.end())
      return false;
    auto Entry = It->second.find(Method);
    if (Entry == It->second.end())
      return false;
    Found = &Entry->second;
    return true;
  });
  return Found;
}

bool isTensorRecord(const CXXRecordDecl &R) {
  std::string Name = qualifiedName(R);
  return Name == "at::Tensor" || Name == "at::TensorBase" || Name == "torch::autograd::Variable";
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

std::optional<Effect> lookUp(const EffectMap &Map, StringRef Name) {
  auto It = Map.find(Name);
  if (It == Map.end())
    return std::nullopt;
  return It->second;
}

/// The callee's name: operators as `operator+`, conversions and constructors as "".
std::string calleeName(const FunctionDecl &F) {
  if (isa<CXXConstructorDecl, CXXConversionDecl, CXXDestructorDecl>(F))
    return {};
  return F.getDeclName().getAsString();
}

} // namespace

static bool isInLibTorch(StringRef Space) {
  return Space == "at" || Space == "torch" || Space == "c10" || Space.starts_with("at::") ||
         Space.starts_with("torch::") || Space.starts_with("c10::");
}

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
  auto E = lookUp(tables().Ops, Name);
  if (!E)
    E = byConvention(Name, ReturnsTensor);
  if (E)
    E->Shape = shapeRuleOf(Name, *E);
  return E;
}

/// Where libstdc++ has the methods of a shared pointer. One to tensors is left out: what
/// another copy of it does is not followed.
static bool isSharedHandle(ApiModel &Model, const CXXRecordDecl &R) {
  const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(&R);
  if (!Spec || !R.isInStdNamespace() || !R.getIdentifier() ||
      !R.getName().starts_with("__shared_ptr"))
    return false;
  const TemplateArgument &Held = Spec->getTemplateArgs()[0];
  TypeClass Class = Held.getKind() == TemplateArgument::Type ? Model.classify(Held.getAsType())
                                                             : TypeClass::Other;
  return Class == TypeClass::Module || Class == TypeClass::Optimizer;
}

static std::optional<Effect> effectOfMethod(ApiModel &Model, const CXXMethodDecl &M,
                                            StringRef Name) {
  const CXXRecordDecl &R = *M.getParent();
  if (isTensorRecord(R))
    return effectOfOp(Name, Model.holdsTensors(M.getReturnType()));
  if (const Effect *E = findMethod(R, Name))
    return *E;
  if (isSharedHandle(Model, R))
    return lookUp(tables().Methods.find("std::container")->second, Name).value_or(Effect{});
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
      !(Pointer->getName() == "unique_ptr" || Pointer->getName() == "shared_ptr"))
    return false;
  const CXXRecordDecl *Made = Pointer->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl();
  return Made && !Made->isInStdNamespace() && !isInLibTorch(namespaceOf(*Made));
}

static std::optional<Effect> effectOfFunction(ApiModel &Model, const FunctionDecl &F,
                                              StringRef Name) {
  std::string Space = namespaceOf(F);
  auto It = tables().Functions.find(Space);
  if (It != tables().Functions.end())
    if (auto E = lookUp(It->second, Name))
      return E;
  if (!isInLibTorch(Space))
    return F.isInStdNamespace() && !makesUsersObject(F) ? std::optional<Effect>(Effect{})
                                                        : std::nullopt;
  return effectOfOp(Name, Model.holdsTensors(F.getReturnType()));
}

std::optional<Effect> ApiModel::computeEffect(const FunctionDecl &F) {
  std::string Name = calleeName(F);
  if (Name.empty())
    return std::nullopt;
  std::optional<Effect> E;
  if (const auto *M = dyn_cast<CXXMethodDecl>(&F); M && !M->getParent()->isLambda())
    E = effectOfMethod(*this, *M, Name);
  else
    E = effectOfFunction(*this, F, Name);
  // Names are kept by the AST's identifier table, which outlives the analysis.
  if (E && E->Name.empty() && F.getIdentifier())
    E->Name = F.getName();
  else if (E && F.getIdentifier())
    E->Name = F.getName();
  return E;
}

TypeClass ApiModel::classify(QualType T) {
  if (T.isNull() || T->isDependentType())
    return TypeClass::Other;
  T = T.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  auto It = Classes.find(T.getTypePtr());
  if (It != Classes.end())
    return It->second;
  TypeClass C = computeClass(T, 0);
  Classes[T.getTypePtr()] = C;
  return C;
}

bool ApiModel::holdsTensors(QualType T) { return holdsTensors(T, 0); }

bool ApiModel::holdsTensors(QualType T, unsigned Depth) {
  switch (computeClass(T, Depth)) {
  case TypeClass::Tensor:
  case TypeClass::TensorContainer:
  case TypeClass::TensorRecord:
  case TypeClass::TensorTuple:
    return true;
  default:
    return false;
  }
}

static TypeClass classByName(StringRef Name) {
  if (Name == "torch::nn::Module" || Name == "torch::nn::ModuleHolder" ||
      Name == "torch::jit::Module" || Name == "torch::nn::AnyModule")
    return TypeClass::Module;
  if (Name == "torch::optim::Optimizer")
    return TypeClass::Optimizer;
  if (Name == "c10::IValue")
    return TypeClass::TensorRecord;
  return TypeClass::Other;
}

/// Those of the class around it for a class within a template, such as the item of a
/// dictionary.
static llvm::ArrayRef<TemplateArgument> templateArguments(const CXXRecordDecl &R) {
  const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(&R);
  if (!Spec)
    Spec = dyn_cast<ClassTemplateSpecializationDecl>(R.getDeclContext());
  return Spec ? Spec->getTemplateArgs().asArray() : llvm::ArrayRef<TemplateArgument>();
}

static void collectTypes(llvm::ArrayRef<TemplateArgument> Args,
                         llvm::SmallVectorImpl<QualType> &Out) {
  for (const TemplateArgument &A : Args) {
    if (A.getKind() == TemplateArgument::Type)
      Out.push_back(A.getAsType());
    else if (A.getKind() == TemplateArgument::Pack)
      collectTypes(A.pack_elements(), Out);
  }
}

/// What a library template holds: its arguments decide.
static TypeClass classOfWrapped(TypeClass Inner, bool IsTuple) {
  switch (Inner) {
  case TypeClass::Module:
  case TypeClass::Optimizer:
  case TypeClass::Guard:
    return Inner;
  case TypeClass::Other:
    return TypeClass::Other;
  default:
    return IsTuple ? TypeClass::TensorTuple : TypeClass::TensorContainer;
  }
}

TypeClass ApiModel::classOfRecord(const CXXRecordDecl &R, unsigned Depth) {
  const std::pair<const CXXRecordDecl *, unsigned> Key(R.getCanonicalDecl(), Depth);
  auto It = RecordClasses.find(Key);
  if (It != RecordClasses.end())
    return It->second;
  TypeClass C = computeRecordClass(R, Depth);
  RecordClasses[Key] = C;
  return C;
}

TypeClass ApiModel::computeRecordClass(const CXXRecordDecl &R, unsigned Depth) {
  std::string Name = qualifiedName(R);
  if (isTensorRecord(R))
    return TypeClass::Tensor;
  if (tables().Guards.count(Name))
    return TypeClass::Guard; // a user's class that holds a guard: see guardOf
  bool IsTuple = R.isInStdNamespace() && R.getIdentifier() &&
                 (R.getName() == "tuple" || R.getName() == "pair");
  if (IsTuple || isLibraryContainer(R) || isTorchContainer(Name)) {
    llvm::SmallVector<QualType, 4> Types;
    collectTypes(templateArguments(R), Types);
    for (QualType T : Types)
      if (TypeClass C = classOfWrapped(computeClass(T, Depth + 1), IsTuple); C != TypeClass::Other)
        return C;
    return TypeClass::Other;
  }
  TypeClass Found = TypeClass::Other;
  anyBase(R, [&](const CXXRecordDecl &Base) {
    Found = classByName(&Base == &R ? Name : qualifiedName(Base));
    return Found != TypeClass::Other;
  });
  bool OfLibrary = R.isInStdNamespace() || Name.find("__gnu_cxx::") == 0; // iterators
  if (Found != TypeClass::Other || !R.hasDefinition() || OfLibrary || R.isLambda())
    return Found;
  for (const FieldDecl *F : R.getDefinition()->fields())
    if (holdsTensors(F->getType(), Depth + 1))
      return TypeClass::TensorRecord;
  return TypeClass::Other;
}

TypeClass ApiModel::computeClass(QualType T, unsigned Depth) {
  if (T.isNull() || T->isDependentType() || Depth > 4)
    return TypeClass::Other;
  T = T.getNonReferenceType();
  if (const auto *Array = T->getAsArrayTypeUnsafe())
    return computeClass(Array->getElementType(), Depth + 1) == TypeClass::Tensor
               ? TypeClass::TensorContainer
               : TypeClass::Other;
  const CXXRecordDecl *R = recordOf(T);
  return R ? classOfRecord(*R, Depth) : TypeClass::Other;
}

/// A class of the table, one derived from it, or a user's RAII class that holds one.
static Guard guardOfRecord(const CXXRecordDecl &R, unsigned Depth) {
  Guard Found = Guard::None;
  anyBase(R, [&](const CXXRecordDecl &Base) {
    auto It = tables().Guards.find(qualifiedName(Base));
    if (It != tables().Guards.end())
      Found = It->second;
    return Found != Guard::None;
  });
  if (Found != Guard::None || Depth > 1 || !R.hasDefinition() || R.isInStdNamespace())
    return Found;
  for (const FieldDecl *F : R.getDefinition()->fields())
    if (const CXXRecordDecl *Member = F->getType()->getAsCXXRecordDecl())
      if (Guard G = guardOfRecord(*Member, Depth + 1); G != Guard::None)
        return G;
  return Guard::None;
}

Guard ApiModel::guardOf(QualType T) {
  const CXXRecordDecl *R = T.isNull() ? nullptr : recordOf(T);
  if (!R)
    return Guard::None;
  llvm::SmallVector<QualType, 1> Types;
  if (isLibraryContainer(*R))
    collectTypes(templateArguments(*R), Types);
  if (!Types.empty())
    R = recordOf(Types.front());
  return R ? guardOfRecord(*R, 0) : Guard::None;
}

/// The module class behind a holder: `ModuleHolder<ReLUImpl>` gives ReLUImpl.
static const CXXRecordDecl *moduleImpl(QualType T) {
  const CXXRecordDecl *Impl = recordOf(T);
  if (!Impl)
    return nullptr;
  anyBase(*Impl, [&](const CXXRecordDecl &Base) {
    if (qualifiedName(Base) != "torch::nn::ModuleHolder" && !isLibraryContainer(Base))
      return false;
    llvm::SmallVector<QualType, 1> Types;
    collectTypes(templateArguments(Base), Types);
    if (!Types.empty())
      if (const CXXRecordDecl *Contained = Types.front()->getAsCXXRecordDecl())
        Impl = Contained;
    return true;
  });
  return Impl;
}

/// A class of LibTorch that brings no parameters to what is derived from it.
static bool isBareBase(const CXXRecordDecl &R) {
  return R.getIdentifier() && (R.getName() == "Module" || R.getName() == "Cloneable" ||
                               tables().ParameterlessModules.contains(R.getName()));
}

/// A member that is, or could hold, a parameter or a module with parameters.
bool ApiModel::mayHoldParameters(const CXXRecordDecl &R, unsigned Depth) {
  for (const FieldDecl *F : R.fields()) {
    TypeClass C = classify(F->getType());
    bool Harmless = C == TypeClass::Other || C == TypeClass::Guard ||
                    (C == TypeClass::Module && isParameterless(F->getType(), Depth + 1));
    if (!Harmless)
      return true;
  }
  for (const CXXBaseSpecifier &Base : R.bases())
    if (const CXXRecordDecl *B = Base.getType()->getAsCXXRecordDecl())
      if (!B->hasDefinition() ||
          (isInLibTorch(namespaceOf(*B)) ? !isBareBase(*B)
                                         : mayHoldParameters(*B->getDefinition(), Depth + 1)))
        return true;
  return false;
}

constexpr unsigned MaxNesting = 8; // of modules in modules

bool ApiModel::isParameterless(QualType T, unsigned Depth) {
  const CXXRecordDecl *R = moduleImpl(T);
  if (!R || !R->getIdentifier() || Depth > MaxNesting || isScriptModule(T))
    return false;
  if (!isInLibTorch(namespaceOf(*R)))
    return R->hasDefinition() && !mayHoldParameters(*R->getDefinition(), Depth);
  StringRef Name = R->getName();
  Name.consume_back("Impl");
  return tables().ParameterlessModules.contains(Name);
}

bool ApiModel::hasLayers(QualType T, unsigned Depth) {
  const CXXRecordDecl *R = moduleImpl(T);
  if (!R || Depth > MaxNesting || isParameterless(T))
    return false;
  if (isScriptModule(T) || isInLibTorch(namespaceOf(*R)) || !R->hasDefinition())
    return true;
  return llvm::any_of(R->fields(), [&](const FieldDecl *F) {
           return classify(F->getType()) == TypeClass::Module && hasLayers(F->getType(), Depth + 1);
         }) || llvm::any_of(R->bases(), [&](const CXXBaseSpecifier &Base) {
           const CXXRecordDecl *B = Base.getType()->getAsCXXRecordDecl();
           return B && !(isInLibTorch(namespaceOf(*B)) && isBareBase(*B)) &&
                  hasLayers(Base.getType(), Depth + 1);
         });
}

bool ApiModel::isLayer(QualType T) {
  const CXXRecordDecl *R = moduleImpl(T);
  return R && R->getIdentifier() && namespaceOf(*R) == "torch::nn" && !isParameterless(T) &&
         R->getName() != "SequentialImpl" && R->getName() != "Module";
}

const CXXRecordDecl *ApiModel::moduleClass(QualType T) { return moduleImpl(T); }

StringRef ApiModel::layerName(QualType T) {
  const CXXRecordDecl *R = moduleImpl(T);
  if (!R || !R->getIdentifier() || namespaceOf(*R) != "torch::nn")
    return {};
  StringRef Name = R->getName();
  Name.consume_back("Impl");
  return Name;
}

FieldKind ApiModel::kindOf(const FieldDecl &F) const {
  auto It = tables().Fields.find(qualifiedName(F));
  return It == tables().Fields.end() ? FieldKind::Plain : It->second;
}

bool ApiModel::isModuleClass(const RecordDecl &R) {
  const auto *Class = dyn_cast<CXXRecordDecl>(&R);
  return Class && classOfRecord(*Class, 0) == TypeClass::Module;
}

bool ApiModel::isSharedModule(QualType T) {
  const CXXRecordDecl *R = recordOf(T);
  if (!R || T.getNonReferenceType()->isPointerType() || classify(T) != TypeClass::Module)
    return false;
  bool IsSharedPtr = R->isInStdNamespace() && R->getIdentifier() && R->getName() == "shared_ptr";
  return IsSharedPtr || anyBase(*R, [](const CXXRecordDecl &Base) {
           return qualifiedName(Base) == "torch::nn::ModuleHolder";
         });
}

bool ApiModel::isKeyed(QualType T) {
  const CXXRecordDecl *R = recordOf(T);
  return R && isLibraryContainer(*R) &&
         (R->getName().contains("map") || R->getName().contains("set"));
}

bool ApiModel::isScriptModule(QualType T) {
  const CXXRecordDecl *R = recordOf(T);
  return R && anyBase(*R, [](const CXXRecordDecl &Base) {
           return qualifiedName(Base) == "torch::jit::Module";
         });
}

} // namespace tensorleak
