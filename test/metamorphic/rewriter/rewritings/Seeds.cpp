//===-- Seeds.cpp - Bugs that are put in, one at a time -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No seed changes the number of a line: findings are compared by line.
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/Rewritings.h"
#include "test/metamorphic/rewriter/rewritings/Loops.h"

#include "llvm/Support/Regex.h"

using namespace clang;

namespace tensorleak::rewriter {
namespace {

/// Names of the libraries' calls that give something back; the bench does not ask the
/// tool's own tables, or it would be blind where these are.
bool isRelease(const FunctionDecl &Callee) {
  static const llvm::Regex Name("^(cuda|cu|cublas|cublasLt|cudnn|cufft|curand|cusolver[A-Za-z]*|"
                                "cusparse|nccl|nvjpeg|nvrtc|cutensor)[A-Za-z]*"
                                "(Free|Destroy|Release|Unregister|Unload)[A-Za-z]*$");
  return Callee.getIdentifier() && Name.match(Callee.getName());
}

bool isInMainFile(const Unit &U, const Decl &D) {
  const SourceManager &Sources = U.context().getSourceManager();
  return Sources.isInMainFile(Sources.getExpansionLoc(D.getLocation()));
}

/// `cudaFree(0)` makes a context and releases nothing.
bool releasesNothing(const Unit &U, const CallExpr &Call) {
  return llvm::all_of(Call.arguments(), [&](const Expr *A) {
    return A->IgnoreParenCasts()->isNullPointerConstant(U.context(),
                                                        Expr::NPC_ValueDependentIsNotNull);
  });
}

/// \p E makes way for nothing, of the same type; once where a macro uses it twice.
void addWithout(const Unit &U, Sites &Out, const Expr *E, const std::string &Type) {
  auto Where = U.spelled(E->getSourceRange());
  if (!Where ||
      llvm::any_of(Out, [&](const Site &S) { return S.Edits.front().Offset == Where->Begin; }))
    return;
  Out.push_back({U.line(Where->Begin),
                 {{Where->Begin, Where->End - Where->Begin, "static_cast<" + Type + ">(0)"}}});
}

/// Calls of methods of this name.
std::vector<const CXXMemberCallExpr *> callsOf(const Unit &U, StringRef Name) {
  std::vector<const CXXMemberCallExpr *> Out;
  for (const FunctionDecl *F : U.functions())
    for (const auto *Call : U.all<CXXMemberCallExpr>(F->getBody()))
      if (const CXXMethodDecl *Method = Call->getMethodDecl();
          Method && Method->getIdentifier() && Method->getName() == Name)
        Out.push_back(Call);
  return Out;
}

void addWithoutCalls(const Unit &U, Sites &Out, StringRef Name,
                     bool (*Counts)(const Unit &, const Expr *Object)) {
  for (const CXXMemberCallExpr *Call : callsOf(U, Name))
    if (Counts(U, Call->getImplicitObjectArgument()) && U.isInCompound(Call))
      addWithout(U, Out, Call, "void");
}

bool isOfTorch(const CXXRecordDecl *Record) {
  if (!Record)
    return false;
  const std::string Name = Record->getQualifiedNameAsString();
  return llvm::any_of(llvm::ArrayRef<StringRef>{"torch::", "at::", "c10::"},
                      [&](StringRef Space) { return StringRef(Name).starts_with(Space); });
}

bool holdsTensors(const Unit &U, QualType Type) {
  const auto *Record = Type->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition())
    return false;
  return isOfTorch(Record) || llvm::any_of(Record->fields(), [&](const FieldDecl *F) {
           return isHolder(U, F->getType()) && !F->getType()->isPointerType();
         });
}

bool isModule(const CXXRecordDecl *Record) {
  if (!Record || !Record->hasDefinition())
    return false;
  if (StringRef(Record->getQualifiedNameAsString()).starts_with("torch::nn::Module"))
    return true;
  return llvm::any_of(Record->bases(), [](const CXXBaseSpecifier &Base) {
    return isModule(Base.getType()->getAsCXXRecordDecl());
  });
}

bool isGuard(QualType Type) {
  const auto *Record = Type->getAsCXXRecordDecl();
  return Record && Record->getIdentifier() && isOfTorch(Record) &&
         llvm::is_contained({"NoGradGuard", "InferenceMode", "AutoGradMode"}, Record->getName());
}

/// The last tensor that a round of a loop declares.
const DeclStmt *lastResult(const CompoundStmt &Body) {
  for (const Stmt *S : llvm::reverse(Body.body())) {
    const auto *Declared = dyn_cast<DeclStmt>(S);
    const auto *V = Declared && Declared->isSingleDecl()
                        ? dyn_cast<VarDecl>(Declared->getSingleDecl())
                        : nullptr;
    if (V && isTensor(V->getType()) && V->hasInit())
      return Declared;
  }
  return nullptr;
}

void addPush(const Unit &U, Sites &Out, const CompoundStmt &Body) {
  const DeclStmt *S = lastResult(Body);
  auto Where = S ? U.statement(S) : std::nullopt;
  if (!Where)
    return;
  const std::string Name = cast<VarDecl>(S->getSingleDecl())->getNameAsString();
  Out.push_back({U.line(Where->Begin),
                 {{Where->End, 0,
                   " static std::vector<at::Tensor> seeded; seeded.push_back(" + Name + ");"}}});
}

} // namespace

void seedRelease(const Unit &U, Sites &Out) {
  for (const FunctionDecl *F : U.functions())
    for (const auto *Call : U.all<CallExpr>(F->getBody())) {
      const FunctionDecl *Callee = Call->getDirectCallee();
      if (Callee && isRelease(*Callee) && !isInMainFile(U, *Callee) && !releasesNothing(U, *Call))
        addWithout(U, Out, Call, Callee->getReturnType().getAsString());
    }
}

void seedDelete(const Unit &U, Sites &Out) {
  for (const FunctionDecl *F : U.functions())
    for (const auto *Delete : U.all<CXXDeleteExpr>(F->getBody()))
      if (!Delete->getDestroyedType().isNull() && holdsTensors(U, Delete->getDestroyedType()))
        addWithout(U, Out, Delete, "void");
}

void seedReset(const Unit &U, Sites &Out) {
  addWithoutCalls(U, Out, "zero_grad", [](const Unit &, const Expr *) { return true; });
}

void seedEval(const Unit &U, Sites &Out) {
  addWithoutCalls(U, Out, "eval", [](const Unit &, const Expr *Object) {
    const QualType Type = Object->getType();
    return isModule(Type->isPointerType() ? Type->getPointeeCXXRecordDecl()
                                          : Type->getAsCXXRecordDecl());
  });
}

void seedClear(const Unit &U, Sites &Out) {
  addWithoutCalls(U, Out, "clear", [](const Unit &U, const Expr *Object) {
    return stdContainer(Object->getType()) && isHolder(U, Object->getType().getNonReferenceType());
  });
}

void seedGuard(const Unit &U, Sites &Out) {
  for (const FunctionDecl *F : U.functions())
    for (const auto *S : U.all<DeclStmt>(F->getBody())) {
      const auto *V = S->isSingleDecl() ? dyn_cast<VarDecl>(S->getSingleDecl()) : nullptr;
      auto Where = V && isGuard(V->getType()) ? U.span(S->getSourceRange()) : std::nullopt;
      if (Where)
        Out.push_back({U.line(Where->Begin), {{Where->Begin, Where->End - Where->Begin, ";"}}});
    }
}

void seedDetach(const Unit &U, Sites &Out) {
  for (StringRef Name : {"detach", "detach_"})
    for (const CXXMemberCallExpr *Call : callsOf(U, Name)) {
      const Expr *Object = Call->getImplicitObjectArgument();
      auto Whole = U.spelled(Call->getSourceRange()), Kept = U.spelled(Object->getSourceRange());
      if (isTensor(Object->getType()) && Whole && Kept)
        Out.push_back({U.line(Kept->End), {{Kept->End, Whole->End - Kept->End, ""}}});
    }
}

void seedPush(const Unit &U, Sites &Out) {
  for (const FunctionDecl *F : U.functions())
    for (const Stmt *S : U.below(F->getBody()))
      if (const auto *Body = dyn_cast_or_null<CompoundStmt>(bodyOfLoop(S)))
        addPush(U, Out, *Body);
}

} // namespace tensorleak::rewriter
