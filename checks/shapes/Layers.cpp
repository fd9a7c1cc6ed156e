//===-- Layers.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/shapes/Layers.h"

#include "checks/Budgets.h"
#include "checks/model/arguments/ArgumentTypes.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/Statements.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

const ValueDecl *moduleDecl(const Expr *E) {
  E = strip(E);
  for (unsigned Depth = 0; E && !isOver(Budget::NestedLayers, Depth); ++Depth) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return Ref->getDecl();
    if (const auto *M = dyn_cast<MemberExpr>(E))
      return dyn_cast<FieldDecl>(M->getMemberDecl());
    const auto *Op = dyn_cast<CXXOperatorCallExpr>(E);
    const auto *U = dyn_cast<UnaryOperator>(E);
    if (Op && followsPointer(*Op))
      E = strip(Op->getArg(0));
    else if (U && U->getOpcode() == UO_Deref)
      E = strip(U->getSubExpr());
    else
      return nullptr;
  }
  return nullptr;
}

//===-- Where layers are made ---------------------------------------------===//

void Layers::addOrigin(const ValueDecl &D, const Expr &E, const FunctionDecl *In) {
  if (Model.classify(D.getType()) != TypeClass::Module || isEmpty(E))
    return;
  auto &By = MadeFor[&D].By;
  if (llvm::none_of(By, [&](const Origin &O) { return O.E == &E; }))
    By.push_back({&E, In});
}

/// `nullptr`, and what the compiler puts where nothing is written.
bool Layers::isEmpty(const Expr &E) {
  const Expr *S = unwrap(&E);
  return !S || isa<CXXDefaultInitExpr, CXXNullPtrLiteralExpr>(S);
}

void Layers::collectCall(const CallExpr &Call, const FunctionDecl &F, bool Varies) {
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&Call);
      Op && Op->getOperator() == OO_Equal && Op->getNumArgs() == 2) {
    if (const ValueDecl *D = moduleDecl(Op->getArg(0)))
      addOrigin(*D, *Op->getArg(1), &F);
    return;
  }
  const auto *Method = dyn_cast<CXXMemberCallExpr>(&Call);
  const Expr *Object = Method ? Method->getImplicitObjectArgument() : nullptr;
  if (!Object || Model.classify(Object->getType()) != TypeClass::Module)
    return;
  Converts |= llvm::any_of(Call.arguments(), [](const Expr *A) {
    return argumentType(A->getType()) == ArgumentType::ScalarType;
  });
  const LayerKind *Kind = layerKind(Model.layerName(Object->getType()));
  if (!Kind || Kind->Rule != ShapeRule::Sequence || !Call.getNumArgs())
    return;
  auto E = Call.getDirectCallee() ? Model.effectOf(*Call.getDirectCallee()) : std::nullopt;
  const ValueDecl *D = moduleDecl(Object);
  if (!D || !E || E->What != Does::Register)
    return;
  Made &Sequence = MadeFor[D];
  Sequence.Appended.push_back({Call.getArg(Call.getNumArgs() - 1), &F});
  Sequence.AppendsVary |= Varies;
}

void Layers::collectIn(const Stmt *S, const FunctionDecl &F, bool Varies) {
  if (!S || isa<LambdaExpr>(S)) // its body is a function of its own
    return;
  if (const auto *Call = dyn_cast<CallExpr>(S))
    collectCall(*Call, F, Varies);
  if (isa<CallExpr, CXXConstructExpr>(S))
    collectConstruction(*cast<Expr>(S), F);
  if (const auto *D = dyn_cast<DeclStmt>(S))
    for (const Decl *Each : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Each); V && V->getInit())
        addOrigin(*V, *V->getInit(), &F);
  Varies |= isLoop(*S) || isa<IfStmt, SwitchStmt>(S);
  for (const Stmt *Child : S->children())
    collectIn(Child, F, Varies);
}

void Layers::collect() {
  if (std::exchange(IsCollected, true))
    return;
  for (const FunctionDecl *F : Functions) {
    collectIn(F->getBody(), *F, /*Varies=*/false);
    const auto *Ctor = dyn_cast<CXXConstructorDecl>(F);
    if (!Ctor)
      continue;
    for (const CXXCtorInitializer *Init : Ctor->inits())
      if (const FieldDecl *Field = Init->getAnyMember(); Field && Init->isWritten()) {
        addOrigin(*Field, *Init->getInit(), F);
        collectIn(Init->getInit(), *F, /*Varies=*/false);
      }
  }
}

bool Layers::convertsDtype() {
  collect();
  return Converts;
}

//===-- Parameters of constructors ----------------------------------------===//

/// `Net(128)`, std::make_shared<NetImpl>(128), and a holder that makes one. What a class elsewhere
/// is given, nobody asks (see givers); and to look for the constructor of one of LibTorch's reads
/// all of it.
void Layers::collectConstruction(const Expr &E, const FunctionDecl &F) {
  const auto *C = dyn_cast<CXXConstructExpr>(&E);
  const auto *Call = dyn_cast<CallExpr>(&E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!C && !(Callee && Callee->isInStdNamespace()))
    return;
  Exprs Args(C ? C->arguments() : Call->arguments());
  const CXXConstructorDecl *Made = C ? C->getConstructor() : nullptr;
  const CXXRecordDecl *Class = Model.moduleClass(E.getType());
  const CXXRecordDecl *Whole = Class ? Class->getDefinition() : nullptr;
  if (Class && (!Made || Made->getParent()->getCanonicalDecl() != Class->getCanonicalDecl()))
    Made = Whole && isInMainFile(*Whole) ? constructorFor(*Whole, Args.size()) : nullptr;
  if (Made && isInMainFile(*Made->getParent()) && !Made->isCopyOrMoveConstructor())
    Constructions[Made->getCanonicalDecl()].push_back({std::move(Args), &F});
}

SizeReader Layers::readerOf(const FunctionDecl *In) {
  SizeReader Reader(Context, Model, In, nullptr);
  Reader.setConstructed([this](const ValueDecl &D) { return givenFor(D); });
  return Reader;
}

/// What each construction in view gives for \p Param.
std::vector<Origin> Layers::givers(const ParmVarDecl &Param) {
  const auto *Constructor = dyn_cast<CXXConstructorDecl>(Param.getDeclContext());
  if (!Constructor || !isInMainFile(*Constructor->getParent()))
    return {};
  collect();
  std::vector<Origin> Out;
  for (const Construction &Each : Constructions[Constructor->getCanonicalDecl()]) {
    unsigned I = Param.getFunctionScopeIndex();
    Out.push_back({I < Each.Args.size() ? Each.Args[I] : Param.getDefaultArg(), Each.In});
  }
  return Out;
}

Dim Layers::sameNumber(ArrayRef<Origin> By) {
  Dim Found;
  for (const Origin &Each : By) {
    auto Number = Each.E ? readerOf(Each.In).number(Each.E) : std::nullopt;
    if (!Number || (Found && Found->number() != Number))
      return std::nullopt;
    Found = Dim(*Number);
  }
  return Found;
}

Dim Layers::givenFor(const ValueDecl &ParamOrMember) {
  auto [It, IsNew] = GivenFor.try_emplace(&ParamOrMember, std::nullopt);
  if (!IsNew) // also while it is computed
    return It->second;
  Dim Found;
  if (const auto *Param = dyn_cast<ParmVarDecl>(&ParamOrMember))
    Found = sameNumber(givers(*Param));
  else if (const auto *Member = dyn_cast<FieldDecl>(&ParamOrMember))
    Found = sameNumber(Members.originsOf(*Member));
  return GivenFor[&ParamOrMember] = Found;
}

//===-- What they are made with -------------------------------------------===//

static llvm::SmallVector<const Expr *, 2> givenArgs(ArrayRef<const Expr *> All) {
  llvm::SmallVector<const Expr *, 2> Given;
  llvm::copy_if(All, std::back_inserter(Given),
                [](const Expr *E) { return !isa<CXXDefaultArgExpr>(E); });
  return Given;
}

static DimList valueOf(const Expr &E, SizeReader &Reader) {
  return Reader.sizes(&E).value_or(DimList());
}

static void readPositional(Layer &Out, ArrayRef<const Expr *> Args, SizeReader &Reader) {
  for (unsigned I = 0; I < Args.size(); ++I) {
    bool IsNamed = I < Out.Kind->Positional.size();
    Out.Given.try_emplace(IsNamed ? Out.Kind->Positional[I] : StringRef("..."),
                          valueOf(*Args[I], Reader));
  }
}

/// `Options(1, 20, 5).stride(2).padding({1, 1})`: from the last setter to the constructor.
Layer Layers::readOptions(const LayerKind &Kind, const Expr &E, SizeReader &Reader) {
  Layer Out, Nothing;
  Out.Kind = &Kind;
  const Expr *At = strip(&E);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(At)) // auto options = LinearOptions(1, 20);
    if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
        V && V->getInit() && !isa<ParmVarDecl>(V) && Reader.isUnchanged(*V))
      At = strip(V->getInit());
  while (const auto *Set = dyn_cast<CXXMemberCallExpr>(At)) {
    const FunctionDecl *Callee = Set->getDirectCallee();
    if (!Callee || !Callee->getIdentifier() || Set->getNumArgs() != 1)
      return Nothing;
    Out.Given.try_emplace(Callee->getName(), valueOf(*Set->getArg(0), Reader));
    At = strip(Set->getImplicitObjectArgument());
  }
  const auto *C = dyn_cast<CXXConstructExpr>(At);
  if (!C)
    return Nothing;
  readPositional(Out, givenArgs({C->getArgs(), C->getNumArgs()}), Reader);
  return Out;
}

Layer Layers::readModules(Layer Out, const Exprs &Args, const FunctionDecl *In, unsigned Depth) {
  for (const Expr *Arg : Args)
    Out.Modules.push_back(read(*Arg, In, Depth + 1));
  return Out;
}

/// A layer of \p Type made from \p Args.
Layer Layers::readMade(const Expr &Type, Exprs Args, const FunctionDecl *In, unsigned Depth) {
  Layer Out;
  Out.Kind = layerKind(Model.layerName(Type.getType()));
  if (!Out.Kind)
    return Out;
  if (Out.Kind->Rule == ShapeRule::Sequence)
    return readModules(std::move(Out), Args, In, Depth);
  SizeReader Reader = readerOf(In);
  if (Args.size() == 1 &&
      argumentType(strip(Args.front())->getType()) == ArgumentType::LayerOptions)
    return readOptions(*Out.Kind, *Args.front(), Reader);
  readPositional(Out, Args, Reader);
  return Out;
}

Layer Layers::read(const Expr &Given, const FunctionDecl *In, unsigned Depth) {
  const Expr *E = strip(&Given);
  if (!E || isOver(Budget::NestedLayers, Depth))
    return {};
  if (const ValueDecl *D = moduleDecl(E)) {
    const Layer *L = D ? find(*D) : nullptr;
    return L ? *L : Layer();
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    auto Effect = Callee ? Model.effectOf(*Callee) : std::nullopt;
    auto Args = givenArgs({Call->getArgs(), Call->getNumArgs()});
    if (Effect && Effect->What == Does::Register && !Args.empty())
      return read(*Args.back(), In, Depth + 1);
    bool Makes = Callee && Callee->isInStdNamespace() && // std::make_shared<LinearImpl>(...)
                 !Model.layerName(Call->getType()).empty();
    return Makes ? readMade(*Call, Args, In, Depth) : Layer();
  }
  const auto *C = dyn_cast<CXXConstructExpr>(E);
  if (!C)
    return {};
  auto Args = givenArgs({C->getArgs(), C->getNumArgs()});
  bool Converts = Args.size() == 1 &&
                  Model.classify(strip(Args[0])->getType()) == TypeClass::Module &&
                  Model.layerName(strip(Args[0])->getType()) == Model.layerName(C->getType());
  return Converts ? read(*Args.front(), In, Depth + 1) : readMade(*C, Args, In, Depth);
}

Layer Layers::read(const ValueDecl &D) {
  collect();
  const auto *Field = dyn_cast<FieldDecl>(&D);
  if (Field && Field->hasInClassInitializer() && Field->getInClassInitializer())
    addOrigin(D, *Field->getInClassInitializer(), nullptr);
  auto It = MadeFor.find(&D);
  if (It == MadeFor.end() || It->second.By.size() > 1)
    return {};
  const Made M = It->second; // the map may grow below
  Layer Out;
  if (M.By.size() == 1)
    Out = read(*M.By.front().E, M.By.front().In, 0);
  else
    Out.Kind = layerKind(Model.layerName(D.getType()));
  bool Appends = Out.Kind && Out.Kind->Rule == ShapeRule::Sequence;
  if (M.AppendsVary || (!Appends && (M.By.empty() || !M.Appended.empty())))
    return {};
  for (const Origin &Each : M.Appended)
    Out.Modules.push_back(read(*Each.E, Each.In, 1));
  return Out;
}

const Layer *Layers::find(const ValueDecl &D) {
  if (Model.classify(D.getType()) != TypeClass::Module)
    return nullptr;
  auto [It, Fresh] = Known.try_emplace(&D, nullptr); // null while it is read: `fc = fc`
  if (!Fresh)
    return It->second.get();
  auto Found = std::make_unique<Layer>(read(D));
  if (!Found->Kind)
    return nullptr;
  return (Known[&D] = std::move(Found)).get();
}

} // namespace tensorleak
