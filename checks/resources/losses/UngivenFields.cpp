//===-- UngivenFields.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/losses/UngivenFields.h"

#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "checks/source/UserCode.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ParentMap.h"

using namespace clang;

namespace tensorleak {
namespace {

/// Reads of one variable or field, and what becomes of them.
class UseReader {
public:
  UseReader(FileAnalyses &File, const ValueDecl &D) : File(File), D(D) {}
  /// Each use in \p Body only looks at what it points to, fills it, or hands it to \p Sink.
  bool onlyLooks(const Stmt *Body, const FieldDecl *Sink) const;
  /// An initializer of the constructor \p F takes it.
  bool isTakenBy(const FunctionDecl &F) const;

private:
  bool isUse(const Expr &E) const;
  bool isHarmless(const Expr &Use, const ParentMap &Parents, const FieldDecl *Sink) const;
  bool isHarmlessIn(const Stmt &Around, const Stmt &Use, const FieldDecl *Sink) const;
  bool isHarmlessCall(const CallExpr &Call) const;

  FileAnalyses &File;
  const ValueDecl &D;
};

/// A launch, or a function of a library that is no container's and gives nothing back.
bool UseReader::isHarmlessCall(const CallExpr &Call) const {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (isa<CUDAKernelCallExpr>(Call))
    return true;
  if (!Callee || isa<CXXMethodDecl>(Callee) || Callee->isInStdNamespace() ||
      !isInLibraryHeader(*Callee))
    return false;
  return llvm::none_of(File.resources().model().effectsOf(*Callee), [](const ResourceEffect &E) {
    return E.What == ResourceEffect::Free || E.What == ResourceEffect::FreeAt ||
           E.What == ResourceEffect::Attach;
  });
}

/// The field that \p List gives \p Value.
const FieldDecl *fieldGiven(const InitListExpr &List, const Stmt &Value) {
  const RecordDecl *Record = List.getType()->getAsRecordDecl();
  if (!Record || Record->isUnion())
    return nullptr;
  auto Field = Record->field_begin();
  for (const Expr *Init : List.inits()) {
    if (Field == Record->field_end())
      return nullptr;
    if (Init == &Value)
      return *Field;
    ++Field;
  }
  return nullptr;
}

bool UseReader::isHarmlessIn(const Stmt &Around, const Stmt &Use, const FieldDecl *Sink) const {
  if (const auto *Call = dyn_cast<CallExpr>(&Around))
    return isHarmlessCall(*Call);
  if (isa<ArraySubscriptExpr>(Around))
    return true;
  if (const auto *Op = dyn_cast<UnaryOperator>(&Around))
    return Op->getOpcode() == UO_Deref || Op->getOpcode() == UO_LNot;
  if (const auto *Op = dyn_cast<BinaryOperator>(&Around)) {
    const bool IsSink = Sink && Op->getRHS() == &Use && variableOrMember(Op->getLHS()) == Sink;
    return Op->isComparisonOp() || Op->isLogicalOp() ||
           (Op->getOpcode() == BO_Assign && (Op->getLHS() == &Use || IsSink));
  }
  if (const auto *List = dyn_cast<InitListExpr>(&Around))
    return Sink && fieldGiven(*List, Use) == Sink;
  if (const auto *If = dyn_cast<IfStmt>(&Around))
    return If->getCond() == &Use;
  return false;
}

bool UseReader::isHarmless(const Expr &Use, const ParentMap &Parents, const FieldDecl *Sink) const {
  const Stmt *At = &Use;
  while (const Stmt *Around = Parents.getParent(At)) {
    const auto *Op = dyn_cast<UnaryOperator>(Around);
    const auto *Sum = dyn_cast<BinaryOperator>(Around);
    const bool IsSame = isa<ParenExpr, CastExpr>(Around) || (Op && Op->getOpcode() == UO_AddrOf) ||
                        (Sum && Sum->isAdditiveOp());
    if (!IsSame)
      return isHarmlessIn(*Around, *At, Sink);
    At = Around;
  }
  return false;
}

bool UseReader::onlyLooks(const Stmt *Body, const FieldDecl *Sink) const {
  auto IsUse = [this](const Expr &E) { return isUse(E); };
  if (!mentions(Body, IsUse))
    return true;
  const ParentMap Parents(const_cast<Stmt *>(Body));
  return !mentions(Body, [&](const Expr &E) { return isUse(E) && !isHarmless(E, Parents, Sink); });
}

bool UseReader::isUse(const Expr &E) const {
  const auto *Ref = dyn_cast<DeclRefExpr>(&E);
  const auto *Member = dyn_cast<MemberExpr>(&E);
  return (Ref && Ref->getDecl() == &D) || (Member && Member->getMemberDecl() == &D);
}

bool UseReader::isTakenBy(const FunctionDecl &F) const {
  const auto *Ctor = dyn_cast<CXXConstructorDecl>(&F);
  return Ctor && llvm::any_of(Ctor->inits(), [this](const CXXCtorInitializer *Init) {
           return mentions(Init->getInit(), [this](const Expr &E) { return isUse(E); });
         });
}

class FieldFinder {
public:
  explicit FieldFinder(FileAnalyses &File) : File(File) {}
  void run(const FunctionResources &F, std::vector<UngivenField> &Out);

private:
  const Expr *placeOf(const Site &S) const;
  const FieldDecl *fieldFilled(const FunctionResources &F, const Site &S) const;
  bool isOnlyNamedHere(const FieldDecl &Field) const;
  bool isNeverGiven(const FieldDecl &Field);

  FileAnalyses &File;
  llvm::DenseMap<const FieldDecl *, bool> Known;
};

/// Where the call of \p S puts it: `data` in `cudaMalloc(&data, n)`.
const Expr *FieldFinder::placeOf(const Site &S) const {
  const auto *Call = dyn_cast_or_null<CallExpr>(S.Call);
  const FunctionDecl *Callee = Call && !S.Inner.isValid() ? Call->getDirectCallee() : nullptr;
  if (!Callee)
    return nullptr;
  for (const ResourceEffect &E : File.resources().model().effectsOf(*Callee))
    if (E.What == ResourceEffect::Out && E.Argument < Call->getNumArgs()) {
      const auto *Address = dyn_cast<UnaryOperator>(bare(Call->getArg(E.Argument)));
      return Address && Address->getOpcode() == UO_AddrOf ? bare(Address->getSubExpr()) : nullptr;
    }
  return nullptr;
}

/// The field of a record that the function fills, perhaps by way of a local variable, which nobody
/// else gets.
const FieldDecl *FieldFinder::fieldFilled(const FunctionResources &F, const Site &S) const {
  const Expr *Place = placeOf(S);
  if (const auto *Member = dyn_cast_or_null<MemberExpr>(Place))
    return dyn_cast<FieldDecl>(Member->getMemberDecl());
  const VarDecl *V = Place ? variableRead(*Place) : nullptr;
  const Stmt *Body = F.Facts.Function->getBody();
  const FieldDecl *Found = nullptr;
  if (!V || !V->isLocalVarDecl() || !V->hasLocalStorage())
    return nullptr;
  anyBelow(Body, [&](const Stmt &Part) {
    if (const auto *List = dyn_cast<InitListExpr>(&Part))
      for (const Expr *Init : List->inits())
        if (variableRead(*bare(Init)) == V)
          Found = fieldGiven(*List, *Init);
    return Found != nullptr;
  });
  return Found && UseReader(File, *V).onlyLooks(Body, Found) ? Found : nullptr;
}

/// A plain pointer or handle in a record of the program's only file, with all methods in view.
bool FieldFinder::isOnlyNamedHere(const FieldDecl &Field) const {
  const auto *Class = dyn_cast<CXXRecordDecl>(Field.getParent());
  return Class && isInMainFile(*Class) && !Class->isLambda() && !Class->isUnion() &&
         !Class->isTemplated() && !isa<ClassTemplateSpecializationDecl>(Class) &&
         mayBeHandle(Field.getType()) && allMethodsSeen(*Class, {&Field});
}

bool FieldFinder::isNeverGiven(const FieldDecl &Field) {
  auto [It, IsNew] = Known.try_emplace(&Field, false);
  if (!IsNew || !isOnlyNamedHere(Field))
    return It->second;
  auto TakesApart = [&](const Stmt &S) {
    const auto *D = dyn_cast<DeclStmt>(&S);
    return D && llvm::any_of(D->decls(), [&](const Decl *Each) {
             const auto *Parts = dyn_cast<DecompositionDecl>(Each);
             return Parts && llvm::any_of(Parts->bindings(), [&](const BindingDecl *B) {
                      return B->getBinding() && variableOrMember(B->getBinding()) == &Field;
                    });
           });
  };
  const UseReader Uses(File, Field);
  return It->second = llvm::all_of(File.unit().functions(), [&](const FunctionUnit &G) {
           const FunctionDecl &Function = *G.Facts->Function;
           return !G.HasErrors && !anyIn(Function, TakesApart) && !Uses.isTakenBy(Function) &&
                  Uses.onlyLooks(Function.getBody(), nullptr);
         });
}

void FieldFinder::run(const FunctionResources &F, std::vector<UngivenField> &Out) {
  for (SiteId Id = 0; Id < F.Facts.Sites.size(); ++Id) {
    const Site &S = F.Facts.Sites[Id];
    const FieldDecl *Field = infoOf(S.What).IsHost ? nullptr : fieldFilled(F, S);
    if (Field && isNeverGiven(*Field))
      Out.push_back({&F, Id, Field});
  }
}

} // namespace

std::vector<UngivenField> findUngivenFields(FileAnalyses &File) {
  std::vector<UngivenField> Out;
  const auto &All = File.resources().functions();
  const bool IsReset = llvm::any_of(All, [](const auto &F) { return F->Summary.ReleasesAll; });
  if (!File.resources().hasMain() || IsReset)
    return Out;
  FieldFinder Finder(File);
  for (const auto &F : All)
    if (!F->HasErrors)
      Finder.run(*F, Out);
  return Out;
}

} // namespace tensorleak
