//===-- Boxes.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/model/boxes/Boxes.h"

#include "checks/model/ClassNames.h"
#include "checks/source/Expressions.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;
using llvm::StringRef;

namespace tensorleak {

static const CXXRecordDecl *classOf(QualType T) {
  return T.isNull() ? nullptr : T.getNonReferenceType()->getAsCXXRecordDecl();
}

static bool isOptional(const CXXRecordDecl &R) {
  return R.getIdentifier() && R.getName() == "optional" &&
         (R.isInStdNamespace() || isInLibTorch(namespaceOf(R)));
}

/// A pointer to one object, which it deletes: not to an array, nor with a deleter of the user's.
static bool isPlainUniquePtr(const CXXRecordDecl &R) {
  if (!R.isInStdNamespace() || !R.getIdentifier() || R.getName() != "unique_ptr")
    return false;
  auto Types = typeArguments(R);
  const CXXRecordDecl *Deleter = Types.size() == 2 ? classOf(Types[1]) : nullptr;
  return Deleter && Deleter->isInStdNamespace() && !Types[0]->isArrayType();
}

static bool hasParts(const CXXRecordDecl &R) {
  return R.isInStdNamespace() && R.getIdentifier() &&
         (R.getName() == "pair" || R.getName() == "tuple");
}

BoxKind boxKind(QualType T) {
  const CXXRecordDecl *R = classOf(T);
  if (!R || !isa<ClassTemplateSpecializationDecl>(R))
    return BoxKind::None;
  if (isOptional(*R) || isPlainUniquePtr(*R))
    return BoxKind::One;
  return hasParts(*R) ? BoxKind::Parts : BoxKind::None;
}

llvm::SmallVector<QualType, 4> partsOf(QualType T) {
  llvm::SmallVector<QualType, 4> Types = typeArguments(*classOf(T));
  if (boxKind(T) == BoxKind::One)
    Types.resize(1); // without the deleter
  return Types;
}

//===-- Access ------------------------------------------------------------===//

/// `*box`, `box->`.
static std::optional<BoxAccess> accessByOperator(const CXXOperatorCallExpr &Call) {
  bool Points = Call.getOperator() == OO_Arrow;
  if (!(Points || Call.getOperator() == OO_Star) || Call.getNumArgs() != 1 ||
      boxKind(Call.getArg(0)->getType()) != BoxKind::One)
    return std::nullopt;
  return BoxAccess{Call.getArg(0), 0, Points};
}

/// `box.value()`, `box.get()`.
static std::optional<BoxAccess> accessByMethod(const CXXMemberCallExpr &Call) {
  const CXXMethodDecl *Method = Call.getMethodDecl();
  const Expr *Box = Call.getImplicitObjectArgument();
  if (!Method || !Method->getIdentifier() || boxKind(Box->getType()) != BoxKind::One)
    return std::nullopt;
  bool Points = Method->getName() == "get";
  return Points || Method->getName() == "value" ? std::optional(BoxAccess{Box, 0, Points})
                                                : std::nullopt;
}

/// `std::get<0>(box)`.
static std::optional<BoxAccess> accessByIndex(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->getIdentifier() || !Callee->isInStdNamespace() ||
      Callee->getName() != "get" || Call.getNumArgs() != 1 ||
      boxKind(Call.getArg(0)->getType()) != BoxKind::Parts)
    return std::nullopt;
  const TemplateArgumentList *Args = Callee->getTemplateSpecializationArgs();
  if (!Args || !Args->size() || Args->get(0).getKind() != TemplateArgument::Integral)
    return std::nullopt;
  return BoxAccess{Call.getArg(0), unsigned(Args->get(0).getAsIntegral().getZExtValue())};
}

/// The number of the alternative of \p Variant that \p Named says.
static std::optional<unsigned> alternativeMeant(QualType Variant, const TemplateArgument &Named) {
  if (Named.getKind() == TemplateArgument::Integral)
    return unsigned(Named.getAsIntegral().getZExtValue());
  if (Named.getKind() != TemplateArgument::Type)
    return std::nullopt;
  for (const auto &[Index, Part] : llvm::enumerate(partsOf(Variant)))
    if (Part.getCanonicalType() == Named.getAsType().getCanonicalType())
      return unsigned(Index);
  return std::nullopt;
}

std::optional<BoxAccess> alternativeNamedBy(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const TemplateArgumentList *Named = Callee ? Callee->getTemplateSpecializationArgs() : nullptr;
  if (!Named || !Named->size() || Call.getNumArgs() != 1)
    return std::nullopt;
  const Expr *Variant = bare(Call.getArg(0));
  const bool Points = callsStd(Call, "get_if");
  if (const auto *Address = dyn_cast<UnaryOperator>(Variant); Points && Address)
    Variant = bare(Address->getSubExpr());
  const CXXRecordDecl *R = classOf(Variant->getType());
  if (!R || !isVariant(*R) ||
      !(Points || callsStd(Call, "get") || callsStd(Call, "holds_alternative")))
    return std::nullopt;
  auto Index = alternativeMeant(Variant->getType(), Named->get(0));
  return Index && *Index < partsOf(Variant->getType()).size()
             ? std::optional(BoxAccess{Variant, *Index, Points})
             : std::nullopt;
}

std::optional<BoxAccess> boxAccess(const CallExpr &Call) {
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&Call))
    return accessByOperator(*Op);
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call))
    return accessByMethod(*Member);
  return accessByIndex(Call);
}

/// What \p E looks into, by an access of a box or by the `*` of a pointer; null for nothing.
static const Expr *boxIn(const Expr &E) {
  if (const auto *Star = dyn_cast<UnaryOperator>(&E))
    return Star->getOpcode() == UO_Deref ? Star->getSubExpr() : nullptr;
  const auto *Call = dyn_cast<CallExpr>(&E);
  auto Access = Call ? boxAccess(*Call) : std::nullopt;
  return Access ? Access->Box : nullptr;
}

const Expr *outermostBox(const Expr *E) {
  E = strip(E);
  while (const Expr *Box = E ? boxIn(*E) : nullptr)
    E = strip(Box);
  return E;
}

//===-- New boxes ---------------------------------------------------------===//

using Parts = std::optional<llvm::ArrayRef<const Expr *>>;

static bool isOfClass(QualType T, StringRef Name) {
  const CXXRecordDecl *R = classOf(T);
  return R && R->getIdentifier() && R->getName() == Name;
}

bool isNullOpt(const Expr &Value) { return isOfClass(Value.getType(), "nullopt_t"); }

/// One for each part, or none for an optional without a value.
static Parts asParts(QualType Box, llvm::ArrayRef<const Expr *> Args) {
  if (Args.size() == 1 && isNullOpt(*Args[0]))
    return Args.drop_front();
  bool IsOther = Args.size() == 1 && boxKind(Box) == boxKind(Args[0]->getType()) &&
                 classOf(Box)->getName() == classOf(Args[0]->getType())->getName();
  return Args.size() == partsOf(Box).size() && !IsOther ? Parts(Args) : std::nullopt;
}

/// Not of a pointer, which is not what its box holds.
static Parts partsOfConstruction(const CXXConstructExpr &C) {
  if (C.getConstructor()->isCopyOrMoveConstructor() || isOfClass(C.getType(), "unique_ptr"))
    return std::nullopt;
  llvm::ArrayRef<const Expr *> Args(C.getArgs(), C.getNumArgs());
  return Args.empty() ? Parts(Args) : asParts(C.getType(), Args);
}

bool isMaker(const Expr &E) {
  const auto *Call = dyn_cast<CallExpr>(&E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getIdentifier() && Callee->isInStdNamespace() &&
         Callee->getName().starts_with("make_");
}

const CXXRecordDecl *classMadeBy(const CallExpr &Maker) {
  if (!isMaker(Maker) || !isOwningPointer(Maker.getType()))
    return nullptr;
  const CXXRecordDecl *Made =
      typeArguments(*recordOf(Maker.getType())).front()->getAsCXXRecordDecl();
  return Made ? Made->getDefinition() : nullptr;
}

bool isBoxMaker(const Expr &E) { return isMaker(E) && boxKind(E.getType()) != BoxKind::None; }

/// `std::make_unique<T>(x)` makes a copy of x where x is a T; else a constructor makes it.
static Parts partsOfMaker(const CallExpr &Call) {
  if (!isBoxMaker(Call))
    return std::nullopt;
  llvm::ArrayRef<const Expr *> Args(Call.getArgs(), Call.getNumArgs());
  QualType Made = partsOf(Call.getType()).front();
  if (boxKind(Call.getType()) == BoxKind::One && Made->isRecordType() &&
      !(Args.size() == 1 && classOf(Args[0]->getType()) == classOf(Made)))
    return std::nullopt;
  return asParts(Call.getType(), Args);
}

Parts partsOfNewBox(const Expr &E) {
  if (boxKind(E.getType()) == BoxKind::None)
    return std::nullopt;
  if (const auto *C = dyn_cast<CXXConstructExpr>(&E))
    return partsOfConstruction(*C);
  const auto *Call = dyn_cast<CallExpr>(&E);
  return Call ? partsOfMaker(*Call) : std::nullopt;
}

} // namespace tensorleak
