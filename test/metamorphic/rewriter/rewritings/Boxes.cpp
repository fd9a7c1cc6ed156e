//===-- Boxes.cpp - Local holders stand in something else ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/Rewritings.h"

using namespace clang;

namespace tensorleak::rewriter {
namespace {

/// How a box is declared and used: $ is the type, # the first value, @ the name of the box, % that
/// of the variable.
struct Box {
  const char *Declared;
  const char *Used;
  std::vector<std::string> Headers;
};

std::string filled(const char *Pattern, const std::string &Type, const std::string &Value,
                   const std::string &Variable) {
  std::string Out;
  for (const char *C = Pattern; *C; ++C)
    Out += *C == '$'   ? Type
           : *C == '#' ? Value
           : *C == '@' ? Variable + "_box"
           : *C == '%' ? Variable
                       : std::string(1, *C);
  return Out;
}

/// The variable keeps its name.
bool isUsedAsBefore(const Box &B) { return llvm::StringRef(B.Used) == "%"; }

/// The declaration of one holder that stands in a block.
const VarDecl *boxable(const Unit &U, const DeclStmt *S) {
  const auto *V = S->isSingleDecl() ? dyn_cast<VarDecl>(S->getSingleDecl()) : nullptr;
  const bool Local = V && V->hasLocalStorage() && !isa<DecompositionDecl>(V);
  return Local && V->getLocation().isFileID() && isHolder(U, V->getType()) && U.isInCompound(S)
             ? V
             : nullptr;
}

/// What stands behind `=`, as a value of the type.
std::string converted(const Unit &U, const VarDecl &V, const std::string &Type,
                      const std::string &Value) {
  const Expr *Init = V.getInit()->IgnoreImplicit();
  if (isa<InitListExpr>(Init))
    return Type + Value;
  const bool Same = U.context().hasSameUnqualifiedType(Init->getType(), V.getType());
  return Same ? Value : "static_cast<" + Type + ">(" + Value + ")";
}

/// What the box is given in the place of the initialiser; nothing where that is not clear.
std::optional<std::string> valueOf(const Unit &U, const VarDecl &V, const std::string &Type) {
  const Expr *Init = V.getInit();
  if (!Init)
    return V.getType()->isPointerType() ? "nullptr" : Type + "()";
  const auto *Made = dyn_cast<CXXConstructExpr>(Init->IgnoreImplicit());
  const bool NoArguments = Made && llvm::all_of(Made->arguments(), [](const Expr *A) {
                             return isa<CXXDefaultArgExpr>(A);
                           });
  if (NoArguments && V.getInitStyle() == VarDecl::CallInit)
    return Type + "()";
  auto Where = U.span(Init->getSourceRange());
  if (!Where || V.getInitStyle() == VarDecl::ListInit)
    return std::nullopt;
  if (V.getInitStyle() == VarDecl::CInit)
    return converted(U, V, Type, U.text(*Where));
  // `T x(a, b)`: the arguments, without the name.
  const unsigned Name = U.offset(V.getLocation()) + V.getName().size();
  auto Whole = U.span(V.getSourceRange());
  return Whole ? std::optional(Type + U.text(Span{Name, Whole->End})) : std::nullopt;
}

bool addUses(const Unit &U, Site &S, const VarDecl &V, const Uses &All, const std::string &Used) {
  auto Found = All.find(&V);
  if (Found == All.end())
    return true;
  for (const DeclRefExpr *Ref : Found->second) {
    auto Where = U.spelled(Ref->getSourceRange());
    if (!Where)
      return false;
    // A macro may use its argument twice.
    if (llvm::none_of(S.Edits, [&](const Edit &E) { return E.Offset == Where->Begin; }))
      S.Edits.push_back({Where->Begin, Where->End - Where->Begin, Used});
  }
  return true;
}

void addBox(const Unit &U, Sites &Out, const DeclStmt *S, const Uses &All, const Box &TheBox) {
  const VarDecl *V = boxable(U, S);
  auto Where = V ? U.span(S->getSourceRange()) : std::nullopt;
  auto Type = V ? U.written(V->getType().getUnqualifiedType()) : std::nullopt;
  auto Value = Type ? valueOf(U, *V, *Type) : std::nullopt;
  if (!Where || !Value)
    return;
  const std::string Name = V->getNameAsString();
  Site Found{U.line(Where->Begin), {}, TheBox.Headers};
  Found.Edits.push_back(
      {Where->Begin, Where->End - Where->Begin, filled(TheBox.Declared, *Type, *Value, Name)});
  if (isUsedAsBefore(TheBox) || addUses(U, Found, *V, All, filled(TheBox.Used, *Type, "", Name)))
    Out.push_back(std::move(Found));
}

/// A variable that is used while another is made would be edited twice.
bool usesHolder(const Unit &U, const DeclStmt *S) {
  return llvm::any_of(U.all<DeclRefExpr>(S), [&](const DeclRefExpr *Ref) {
    const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
    return V && V->hasLocalStorage() && isHolder(U, V->getType());
  });
}

void addBoxes(const Unit &U, Sites &Out, const Box &TheBox) {
  for (const FunctionDecl *F : U.functions()) {
    if (F->isTemplated())
      continue;
    const Uses All = usesIn(U, F->getBody());
    const auto Captured = namedCaptures(U, F->getBody());
    for (const auto *S : U.all<DeclStmt>(F->getBody()))
      if (S->isSingleDecl() && (isUsedAsBefore(TheBox) || !usesHolder(U, S)) &&
          !llvm::is_contained(Captured, dyn_cast<ValueDecl>(S->getSingleDecl())))
        addBox(U, Out, S, All, TheBox);
  }
}

} // namespace

void inStruct(const Unit &U, Sites &Out) {
  addBoxes(U, Out, {"struct @_type { $ value; } @{#};", "@.value", {}});
}

void inOptional(const Unit &U, Sites &Out) {
  addBoxes(U, Out, {"std::optional<$> @ = #;", "(*@)", {"optional"}});
}

void inTuple(const Unit &U, Sites &Out) {
  addBoxes(U, Out, {"std::tuple<$, int> @(#, 0);", "std::get<0>(@)", {"tuple"}});
}

void inUniquePtr(const Unit &U, Sites &Out) {
  addBoxes(U, Out, {"auto @ = std::make_unique<$>(#);", "(*@)", {"memory"}});
}

void inMap(const Unit &U, Sites &Out) {
  addBoxes(U, Out, {"std::map<int, $> @; @.emplace(0, #);", "@.at(0)", {"map"}});
}

void asBinding(const Unit &U, Sites &Out) {
  addBoxes(U, Out, {"auto [%, @] = std::tuple<$, int>(#, 0);", "%", {"tuple"}});
}

void byLambda(const Unit &U, Sites &Out) {
  addBoxes(U, Out, {"$ % = [&]() -> $ { return #; }();", "%", {}});
}

void apartFromInit(const Unit &U, Sites &Out) { addBoxes(U, Out, {"$ %{}; % = #;", "%", {}}); }

void withTypeAlias(const Unit &U, Sites &Out) {
  addBoxes(U, Out, {"using @_type = $; @_type % = #;", "%", {}});
}

void throughPointer(const Unit &U, Sites &Out) {
  addBoxes(U, Out, {"$ % = #; auto *@ = &%;", "(*@)", {}});
}

} // namespace tensorleak::rewriter
