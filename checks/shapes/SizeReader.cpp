//===-- SizeReader.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/shapes/SizeReader.h"

#include "checks/Budgets.h"
#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace tensorleak {

const InitListExpr *bracesIn(const Stmt *S) {
  if (!S || isa<LambdaExpr, CallExpr>(S))
    return nullptr;
  if (const auto *List = dyn_cast<InitListExpr>(S))
    return List;
  for (const Stmt *Child : S->children())
    if (const InitListExpr *List = bracesIn(Child))
      return List;
  return nullptr;
}

const Expr *unwrap(const Expr *E) {
  for (E = strip(E); E; E = strip(cast<CXXConstructExpr>(E)->getArg(0))) {
    const auto *C = dyn_cast<CXXConstructExpr>(E);
    if (!C || C->getNumArgs() == 0 ||
        llvm::any_of(llvm::drop_begin(C->arguments()),
                     [](const Expr *Arg) { return !isa<CXXDefaultArgExpr>(Arg); }))
      return E;
  }
  return E;
}

//===-- Symbols -----------------------------------------------------------===//

const Symbol &SizeReader::symbolFor(const void *Root, int Part, StringRef Text) {
  return *new (Context) Symbol{Root, Part, Text.copy(Context.getAllocator())};
}

ShapeRef SizeReader::shapeOfNamed(const void *Root, StringRef Name) {
  return makeShapeOf(symbolFor(Root, Symbol::Elements, (Name + ".numel()").str()));
}

Dim SizeReader::dimension(const TensorType &T, int64_t Index) {
  if (!T.Dims || !T.Dims->Parts.empty())
    return std::nullopt;
  const Shape &S = *T.Dims;
  int64_t Rank = S.Dims.size();
  if (S.hasRank() || (Index < 0 && -Index <= Rank)) {
    auto At = wrapDim(Index, Rank);
    return At ? S.Dims[*At] : std::nullopt;
  }
  const Symbol *All = S.Lead->onlySymbol();
  if (!All || Rank || Index < 0)
    return std::nullopt;
  StringRef Name = All->Text.drop_back(StringRef(".numel()").size());
  return symbolFor(All->Root, int(Index), (Name + ".size(" + std::to_string(Index) + ")").str());
}

/// An expression of known parts that is no product: one symbol as a whole.
Dim SizeReader::opaque(const Expr &E) {
  constexpr size_t MaxLength = 40; // of what a message should repeat
  auto Range = CharSourceRange::getTokenRange(E.getSourceRange());
  StringRef Text = Lexer::getSourceText(Range, Context.getSourceManager(), Context.getLangOpts());
  if (Text.empty() || Text.size() > MaxLength || Text.contains('\n'))
    return std::nullopt;
  return symbolFor(nullptr, Symbol::Whole, ("(" + Text + ")").str());
}

//===-- Is it the same wherever it is read? -------------------------------===//

void SizeReader::addBody(const FunctionDecl &Body, llvm::ArrayRef<const Expr *> Given) {
  Bodies.push_back({&Body, llvm::SmallVector<const Expr *, 4>(Given)});
}

bool SizeReader::isOfBody(const VarDecl &V) const {
  return V.getDeclContext() == In ||
         llvm::any_of(Bodies, [&](const auto &B) { return B.first == V.getDeclContext(); });
}

/// What the parameter \p V of a body stands for; null for other variables.
const Expr *SizeReader::givenTo(const VarDecl &V) const {
  const auto *Param = dyn_cast<ParmVarDecl>(&V);
  const unsigned I = Param ? Param->getFunctionScopeIndex() : 0;
  for (const auto &[Body, Given] : Bodies)
    if (Param && Body == V.getDeclContext() && I < Given.size())
      return Given[I];
  return nullptr;
}

bool SizeReader::isUnchanged(const VarDecl &V) {
  if (V.getType().isConstQualified() || V.isConstexpr())
    return true;
  bool OfAnother = !V.hasGlobalStorage() && !isOfBody(V);
  if (!In || !In->getBody() || V.isStaticLocal() || OfAnother || V.getType()->isReferenceType())
    return false;
  return !writes().MayChange.count(&V);
}

/// What a lambda captures by reference changes only where its body changes it.
static bool isCapturedByReference(const LambdaExpr &L, const Stmt *Child) {
  const auto *Init = llvm::find(L.capture_inits(), Child);
  return Init != L.capture_init_end() &&
         (L.capture_begin() + (Init - L.capture_init_begin()))->getCaptureKind() == LCK_ByRef;
}

/// `T &&`, which a template only takes to hand it on, as make_shared and ModuleHolder do.
static bool isForwarded(const FunctionDecl *Callee, unsigned Index) {
  const FunctionDecl *Pattern = Callee ? Callee->getTemplateInstantiationPattern() : nullptr;
  if (!Pattern || !Pattern->getNumParams())
    return false;
  unsigned Last = Pattern->getNumParams() - 1; // of a pack there is one
  QualType T = Pattern->getParamDecl(std::min(Index, Last))->getType();
  if (const auto *Pack = T->getAs<PackExpansionType>())
    T = Pack->getPattern();
  return T->isRValueReferenceType() && T->getPointeeType()->isTemplateTypeParmType() &&
         !T->getPointeeType().hasQualifiers();
}

/// Whether \p Child, an argument of \p S, is only handed on.
static bool isForwardedBy(const Stmt &S, const Stmt *Child) {
  const auto *Call = dyn_cast<CallExpr>(&S);
  const auto *Made = dyn_cast<CXXConstructExpr>(&S);
  if ((!Call && !Made) || isa<CXXOperatorCallExpr>(S))
    return false;
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : Made->getConstructor();
  unsigned Index = 0;
  for (const Expr *Arg : Call ? Call->arguments() : Made->arguments()) {
    if (Arg == Child)
      return isForwarded(Callee, Index);
    ++Index;
  }
  return false;
}

/// Every variable that stands for more than its value may be written by what it is handed to.
void SizeReader::Writes::collectChanges(const Stmt *S, bool IsRead) {
  if (!S)
    return;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S); Ref && !IsRead)
    MayChange.insert(Ref->getDecl());
  const auto *Lambda = dyn_cast<LambdaExpr>(S);
  bool HandsOn = IsRead && isa<ParenExpr, ConditionalOperator, MaterializeTemporaryExpr>(S);
  for (const Stmt *Child : S->children())
    collectChanges(Child, HandsOn || onlyReads(*S) || Given.count(Child) ||
                              isForwardedBy(*S, Child) ||
                              (Lambda && isCapturedByReference(*Lambda, Child)));
}

void SizeReader::Writes::add(const Expr *Target) {
  Target = Target->IgnoreParenImpCasts();
  if (const auto *M = dyn_cast<MemberExpr>(Target))
    Targets.try_emplace(M->getMemberDecl(), M->getBeginLoc());
  else if (const auto *Ref = dyn_cast<DeclRefExpr>(Target))
    Targets.try_emplace(Ref->getDecl(), Ref->getBeginLoc());
}

void SizeReader::Writes::collect(const Stmt *S, bool InLoop) {
  if (!S)
    return;
  if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isAssignmentOp())
    add(B->getLHS());
  else if (const auto *U = dyn_cast<UnaryOperator>(S);
           U && (U->isIncrementDecrementOp() || U->getOpcode() == UO_AddrOf))
    add(U->getSubExpr());
  else if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(S); Op && Op->isAssignmentOp())
    add(Op->getArg(0));
  if (const auto *D = dyn_cast<DeclStmt>(S); D && InLoop)
    for (const Decl *Each : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Each))
        DeclaredInLoop.insert(V);
  InLoop |= isLoop(*S);
  for (const Stmt *Child : S->children())
    collect(Child, InLoop);
}

/// What a body may change through its parameters.
void SizeReader::Writes::handBack(const FunctionDecl &Body, llvm::ArrayRef<const Expr *> Given) {
  for (const ParmVarDecl *Param : Body.parameters()) {
    const unsigned I = Param->getFunctionScopeIndex();
    const auto *Ref = I < Given.size() ? dyn_cast_or_null<DeclRefExpr>(strip(Given[I])) : nullptr;
    if (Ref && Param->getType()->isReferenceType() && MayChange.count(Param))
      MayChange.insert(Ref->getDecl());
  }
}

const SizeReader::Writes &SizeReader::writes() {
  if (!Written) {
    Written.emplace();
    for (const auto &[Body, Given] : Bodies)
      Written->Given.insert(Given.begin(), Given.end());
    Written->collect(In ? In->getBody() : nullptr, /*InLoop=*/false);
    Written->collectChanges(In ? In->getBody() : nullptr, /*IsRead=*/false);
    for (const auto &[Body, Given] : llvm::reverse(Bodies)) {
      Written->collect(Body->getBody(), /*InLoop=*/true);
      Written->collectChanges(Body->getBody(), /*IsRead=*/false);
      Written->handBack(*Body, Given);
    }
  }
  return *Written;
}

//===-- Expressions -------------------------------------------------------===//

static std::optional<int64_t> computed(BinaryOperatorKind Op, int64_t L, int64_t R) {
  int64_t Out;
  switch (Op) {
  case BO_Add:
    return llvm::AddOverflow(L, R, Out) ? std::nullopt : std::optional(Out);
  case BO_Sub:
    return llvm::SubOverflow(L, R, Out) ? std::nullopt : std::optional(Out);
  case BO_Div:
    return R > 0 ? std::optional(L / R) : std::nullopt;
  default:
    return std::nullopt;
  }
}

Dim SizeReader::ofBinary(const BinaryOperator &B) {
  Dim L = size(B.getLHS()), R = size(B.getRHS());
  if (!L || !R)
    return std::nullopt;
  if (B.getOpcode() == BO_Mul)
    return product(*L, *R);
  if (L->number() && R->number()) {
    auto Value = computed(B.getOpcode(), *L->number(), *R->number());
    return Value ? Dim(*Value) : std::nullopt;
  }
  return B.isAdditiveOp() || B.isMultiplicativeOp() ? opaque(B) : std::nullopt;
}

/// `auto n = x.size(0);` while the parameter x is still what the caller gave: a name
/// that the caller understands too.
Dim SizeReader::ofArgument(const VarDecl &V) {
  const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(unwrap(V.getInit()));
  const auto *Ref =
      Call ? dyn_cast<DeclRefExpr>(strip(Call->getImplicitObjectArgument())) : nullptr;
  const auto *Param = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
  auto E =
      Param && Call->getDirectCallee() ? Model.effectOf(*Call->getDirectCallee()) : std::nullopt;
  if (!E || E->Shape != ShapeRule::Size || Call->getNumArgs() != 1 ||
      !Model.isTensor(Param->getType()))
    return std::nullopt;
  auto Assigned = writes().Targets.find(Param);
  bool IsLate =
      Assigned != writes().Targets.end() &&
      Context.getSourceManager().isBeforeInTranslationUnit(Assigned->second, V.getLocation());
  auto Index = number(Call->getArg(0));
  if (IsLate || writes().DeclaredInLoop.count(&V) || !Index || *Index < 0)
    return std::nullopt;
  TensorType Given;
  Given.Dims = shapeOfNamed(Param, Param->getName());
  return dimension(Given, *Index);
}

Dim SizeReader::ofVariable(const VarDecl &V) {
  if (const Expr *Given = givenTo(V))
    return writes().MayChange.count(&V) ? std::nullopt : size(Given);
  if (!isUnchanged(V))
    return std::nullopt;
  if (!isa<ParmVarDecl>(V) && V.getInit()) {
    // Tensors may have changed since the variable was made: numbers only.
    TypeOf Suspended = std::exchange(Types, nullptr);
    Dim Known = size(V.getInit());
    Types = std::move(Suspended);
    if (Known && Known->number())
      return Known;
  }
  if (const auto *Param = dyn_cast<ParmVarDecl>(&V); Param && FromOutside)
    if (Dim Given = FromOutside(*Param))
      return Given;
  if (Dim OfArgument = ofArgument(V))
    return OfArgument;
  return symbolFor(&V, Symbol::Whole, V.getName());
}

Dim SizeReader::ofMember(const MemberExpr &M) {
  const ValueDecl *Field = M.getMemberDecl();
  if (const auto *V = dyn_cast<VarDecl>(Field))
    return ofVariable(*V);
  if (!isa<FieldDecl>(Field) || isWritten(*Field))
    return std::nullopt;
  if (FromOutside)
    if (Dim Given = FromOutside(*Field))
      return Given;
  Dim Spelled = opaque(M);
  if (!Spelled)
    return std::nullopt;
  StringRef Text = Spelled->onlySymbol()->Text.drop_front().drop_back(); // no parentheses
  Text.consume_front("this->");
  return symbolFor(Field, Symbol::Whole, Text);
}

Dim SizeReader::ofCall(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const auto *OnObject = dyn_cast<CXXMemberCallExpr>(&Call);
  auto E = Callee && OnObject ? Model.effectOf(*Callee) : std::nullopt;
  if (!E || !Types)
    return std::nullopt;
  const Expr &Object = *OnObject->getImplicitObjectArgument();
  if (E->Shape == ShapeRule::Elements)
    return Types(Object).elements();
  if (E->Shape != ShapeRule::Size || Call.getNumArgs() != 1)
    return std::nullopt;
  auto Index = number(Call.getArg(0));
  return Index ? dimension(Types(Object), *Index) : std::nullopt;
}

Dim SizeReader::size(const Expr *E) {
  E = unwrap(E);
  if (!E || E->isValueDependent() || !E->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  Expr::EvalResult Result;
  if (E->EvaluateAsInt(Result, Context)) {
    std::optional<int64_t> Size = Result.Val.getInt().tryExtValue();
    return Size ? Dim(*Size) : std::nullopt;
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return ofBinary(*B);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return ofCall(*Call);
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return ofMember(*M);
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return V ? ofVariable(*V) : std::nullopt;
}

std::optional<int64_t> SizeReader::number(const Expr *E) {
  Dim D = size(E);
  return D ? D->number() : std::nullopt;
}

std::optional<DimList> SizeReader::sizes(const Expr *E) {
  const Expr *One = unwrap(E);
  if (!One)
    return std::nullopt;
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(One); Call && Call->getDirectCallee()) {
    auto Does = Model.effectOf(*Call->getDirectCallee());
    if (Does && Does->Shape == ShapeRule::Sizes) {
      TensorType Of = Types ? Types(*Call->getImplicitObjectArgument()) : TensorType();
      return Of.Dims && Of.Dims->hasRank() ? std::optional(Of.Dims->Dims) : std::nullopt;
    }
  }
  if (One->getType()->isIntegralOrEnumerationType())
    return DimList{size(One)};
  const InitListExpr *List = bracesIn(E);
  if (!List || isOver(Budget::SizesRead, List->getNumInits()))
    return std::nullopt;
  DimList Out;
  for (const Expr *Init : List->inits())
    Out.push_back(size(Init));
  return Out;
}

} // namespace tensorleak
