//===-- KeptParts.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/retained-activation/KeptParts.h"

#include "checks/flow/ValueWalk.h"
#include "checks/model/ClassNames.h"
#include "checks/source/Expressions.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

using Next = ValueWalk::Next;
using Fields = llvm::SmallVector<const FieldDecl *, 4>;

class KeptRecords {
public:
  KeptRecords(Unit &U, const FunctionUnit &F, const Event &E)
      : U(U), F(F), Facts(*F.Facts), E(E), Index(&E - Facts.Events.data()) {}
  std::optional<uint8_t> fate();

private:
  bool collect();
  Fields fieldsOf(const Value &Record) const;
  bool mayCarry(ValueId V, unsigned Before) const;
  bool carries(ValueId V) const;
  bool isOfRecords(QualType T) const;
  bool isReturnedWhole() const;

  Unit &U;
  const FunctionUnit &F;
  const FunctionFacts &Facts;
  const Event &E;
  const unsigned Index;
  const RecordDecl *Class = nullptr;
  llvm::SmallPtrSet<const FieldDecl *, 4> Carrying;
};

/// By what \p Record is made of, which are the fields that hold tensors.
Fields KeptRecords::fieldsOf(const Value &Record) const {
  const auto *List = Record.E ? dyn_cast<InitListExpr>(strip(Record.E)) : nullptr;
  const auto *Of = List ? List->getType()->getAsCXXRecordDecl() : nullptr;
  if (!Of || Of->isInStdNamespace() || Of->isUnion() || Of->getNumBases() > 0)
    return {};
  Fields Found;
  for (const FieldDecl *Field : Of->fields())
    if (Field->getFieldIndex() < List->getNumInits() &&
        U.model().holdsTensors(List->getInit(Field->getFieldIndex())->getType()))
      Found.push_back(Field);
  return Found.size() == Record.Inputs.size() ? Found : Fields();
}

/// What is computed there carries a graph, as far as that is known.
bool KeptRecords::carries(ValueId V) const {
  for (unsigned I = 0; I < Facts.Events.size(); ++I)
    if (Facts.Events[I].Kind == EventKind::Compute && Facts.Events[I].Val == V)
      return F.State.AtEvent[I].Info.Carries != Graph::No;
  return true;
}

bool KeptRecords::mayCarry(ValueId V, unsigned Before) const {
  ValueWalk Walk(Facts, ValueWalk::Variables::Earlier);
  return Walk.alongGraph().before(Before).any(V, [&](ValueId Each, unsigned) {
    const Value &Val = Facts.Values[Each];
    const bool IsWritten =
        Val.From == Source::Load && llvm::any_of(Facts.eventsOf(Val.Loaded), [&](unsigned I) {
          return Facts.Events[I].Kind == EventKind::Store;
        });
    if (IsWritten || Val.From == Source::Group)
      return Next::Into;
    return Val.From == Source::Load || carries(Each) ? Next::Found : Next::Past;
  }) != ValueWalk::Answer::No;
}

/// False where something is kept of which that is not known.
bool KeptRecords::collect() {
  ValueWalk Walk(Facts, ValueWalk::Variables::Earlier);
  return Walk.before(Index).any(E.Val, [&](ValueId V, unsigned Before) {
    const Value &Val = Facts.Values[V];
    if (Val.From == Source::Load || (Val.From == Source::Group && Val.Inputs.size() == 1))
      return Next::Into;
    const Fields Of = fieldsOf(Val);
    for (const auto &[Field, In] : llvm::zip(Of, Val.Inputs))
      if (mayCarry(In, Before == NoId ? Index : Before))
        Carrying.insert(Field);
    if (!Of.empty())
      Class = Of.front()->getParent();
    return Of.empty() ? Next::Found : Next::Past;
  }) == ValueWalk::Answer::No;
}

/// \p T is the record, or a container of such.
bool KeptRecords::isOfRecords(QualType T) const {
  const CXXRecordDecl *R = T.getNonReferenceType()->getAsCXXRecordDecl();
  return R && (R->getCanonicalDecl() == Class->getCanonicalDecl() ||
               llvm::any_of(typeArguments(*R), [&](QualType Part) { return isOfRecords(Part); }));
}

/// A function gives records to its callers.
bool KeptRecords::isReturnedWhole() const {
  return llvm::any_of(U.functions(), [&](const FunctionUnit &Other) {
    return isOfRecords(Other.Facts->Function->getReturnType());
  });
}

std::optional<uint8_t> KeptRecords::fate() {
  const ValueDecl *Holder = Facts.Places[E.Place].Decl;
  if (E.Val == NoId || !Holder || !collect() || Carrying.empty() || !isOfRecords(Holder->getType()))
    return std::nullopt;
  const uint8_t Whole = U.fateOf(Facts, E.Place);
  uint8_t Fate = Whole & (ReachesUnknown | (isReturnedWhole() ? ReachesReturn : 0));
  for (const FieldDecl *Field : Carrying)
    Fate |= U.flow().fateOf(*Field);
  return Fate;
}

} // namespace

std::optional<uint8_t> fateOfGraphs(Unit &U, const FunctionUnit &F, const Event &E) {
  return KeptRecords(U, F, E).fate();
}

} // namespace tensorleak
