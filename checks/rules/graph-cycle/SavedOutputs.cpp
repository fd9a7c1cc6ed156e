//===-- SavedOutputs.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/graph-cycle/SavedOutputs.h"

#include "checks/flow/ValueWalk.h"
#include "checks/model/ClassNames.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

using Next = ValueWalk::Next;
using Places = llvm::SmallVector<PlaceId, 4>;

class OutputFinder {
public:
  OutputFinder(ApiModel &Model, const FunctionFacts &Facts) : Model(Model), Facts(Facts) {}
  std::vector<SavedOutput> run(const Event &Saves);

private:
  Places loadedBy(const Event &E) const;
  void addObject(PlaceId P);
  void addIfCopied(PlaceId Of, ValueId V);
  void addReturned(ValueId V, PlaceId In);
  void addStored(PlaceId P);
  void addPart(PlaceId P);
  void addGiven(const Expr &E, PlaceId P);
  const ValueDecl *objectNamed(const Expr *E) const;

  ApiModel &Model;
  const FunctionFacts &Facts;
  llvm::SmallDenseSet<PlaceId, 4> Objects; ///< that are saved, or whose copies are
  llvm::SmallDenseSet<PlaceId, 8> Seen;    ///< of what is returned
  std::vector<SavedOutput> Out;
};

/// The places whose tensors, or objects, \p E is about.
Places OutputFinder::loadedBy(const Event &E) const {
  Places Found;
  ValueWalk(Facts).any(valuesOf(E), [&](ValueId Part, unsigned) {
    const Value &Val = Facts.Values[Part];
    if (Val.From == Source::Load)
      Found.push_back(Val.Loaded);
    return Val.From == Source::Group ? Next::Into : Next::Past;
  });
  return Found;
}

const CXXRecordDecl *classAt(QualType Type) {
  const CXXRecordDecl *Class = recordOf(Type);
  return Class ? Class->getCanonicalDecl() : nullptr;
}

/// What a smart pointer of any library points to.
const CXXRecordDecl *pointeeClass(QualType Type) {
  const auto *Pointer = dyn_cast_or_null<ClassTemplateSpecializationDecl>(classAt(Type));
  if (!Pointer || Pointer->getTemplateArgs().size() == 0 ||
      Pointer->getTemplateArgs()[0].getKind() != TemplateArgument::Type)
    return nullptr;
  return classAt(Pointer->getTemplateArgs()[0].getAsType());
}

/// \p Of is a pointer to a copy of what \p V is made from: the copy shares its tensors.
void OutputFinder::addIfCopied(PlaceId Of, ValueId V) {
  const CXXRecordDecl *Class = pointeeClass(Facts.Places[Of].Decl->getType());
  for (ValueId In : V == NoId ? llvm::ArrayRef<ValueId>() : Facts.Values[V].Inputs) {
    const Value &From = Facts.Values[In];
    const ValueDecl *Copied = From.From == Source::Load ? Facts.Places[From.Loaded].Decl : nullptr;
    if (Class && Copied && classAt(Copied->getType()) == Class)
      Objects.insert(From.Loaded);
  }
}

void OutputFinder::addObject(PlaceId P) {
  const ValueDecl *Object = Facts.Places[P].Decl;
  if (!Object || Model.isTensor(Object->getType()) || !Objects.insert(P).second)
    return;
  for (const Event &E : Facts.Events)
    if (E.Place == P && E.Kind == EventKind::Store)
      addIfCopied(P, E.Val);
}

/// The object that is saved and that \p E names, or goes to a part of by calls of methods.
const ValueDecl *OutputFinder::objectNamed(const Expr *E) const {
  E = strip(E);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    auto Is = [&](PlaceId P) { return Facts.Places[P].Decl == Ref->getDecl(); };
    return llvm::any_of(Objects, Is) ? Ref->getDecl() : nullptr;
  }
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E))
    return objectNamed(Call->getImplicitObjectArgument());
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(E);
  return Op && followsPointer(*Op) ? objectNamed(Op->getArg(0)) : nullptr;
}

/// `Tensor values() const { return values_; }`
bool returnsMember(const FunctionDecl &Getter) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(Getter.getBody());
  const auto *Return =
      Body && Body->size() == 1 ? dyn_cast<ReturnStmt>(Body->body_front()) : nullptr;
  return Return && memberOfThis(Return->getRetValue());
}

/// `neighbors->values()`, an output, is the object's own; where the method is not seen, it may be.
void OutputFinder::addGiven(const Expr &E, PlaceId P) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(strip(&E));
  const CXXMethodDecl *Getter = Call ? Call->getMethodDecl() : nullptr;
  if (!Getter || !Getter->isConst() || Call->getNumArgs() != 0 || !Model.isTensor(Call->getType()))
    return;
  const Expr *On = strip(Call->getImplicitObjectArgument());
  const ValueDecl *Object = Model.isTensor(On->getType()) ? nullptr : objectNamed(On);
  const bool IsSeen = Getter->hasBody();
  if (!Object || (IsSeen && !returnsMember(*Getter->getDefinition())))
    return;
  const ValueDecl *Named = P == NoId ? nullptr : Facts.Places[P].Decl;
  Out.push_back({P, Named, Object, IsSeen ? nullptr : Getter});
}

/// `result.values`, of an object that is saved.
void OutputFinder::addPart(PlaceId P) {
  for (PlaceId At = P; Facts.Places[At].isField(); At = Facts.Places[At].Parent)
    if (PlaceId Object = Facts.Places[At].Parent; Objects.contains(Object)) {
      Out.push_back({P, Facts.Places[P].Decl, Facts.Places[Object].Decl, nullptr});
      return;
    }
}

/// What was put into \p P, a variable or list that is returned.
void OutputFinder::addStored(PlaceId P) {
  for (const Event &E : Facts.Events)
    if (E.Place == P && events::keepsValue(E.Kind)) {
      addReturned(E.Val, P);
      for (ValueId Arg : E.Args)
        addReturned(Arg, P);
    }
}

/// \p In has it, where that is not NoId.
void OutputFinder::addReturned(ValueId V, PlaceId In) {
  ValueWalk(Facts).any(V, [&](ValueId Part, unsigned) {
    const Value &Val = Facts.Values[Part];
    if (Val.From == Source::Group)
      return Next::Into;
    if (Val.From == Source::Load && Seen.insert(Val.Loaded).second) {
      addPart(Val.Loaded);
      addStored(Val.Loaded);
    } else if (Val.From != Source::Load && Val.E) {
      addGiven(*Val.E, In);
    }
    return Next::Past;
  });
}

std::vector<SavedOutput> OutputFinder::run(const Event &Saves) {
  const Places Saved = loadedBy(Saves);
  for (PlaceId P : Saved)
    addObject(P);
  for (const Event &E : Facts.Events) {
    if (E.Kind != EventKind::Return)
      continue;
    for (PlaceId P : Saved)
      if (E.Place == P || isSameTensor(Facts, E.Val, P))
        Out.push_back({P, Facts.Places[P].Decl, nullptr, nullptr});
    if (!Objects.empty())
      addReturned(E.Val, NoId);
  }
  return std::move(Out);
}

} // namespace

bool isSameTensor(const FunctionFacts &Facts, ValueId V, PlaceId P) {
  return ValueWalk(Facts).any(V, [&](ValueId Part, unsigned) {
    const Value &Val = Facts.Values[Part];
    if (Val.From == Source::Load && Val.Loaded == P)
      return Next::Found;
    return Val.From == Source::Group ? Next::Into : Next::Past;
  }) == ValueWalk::Answer::Yes;
}

std::vector<SavedOutput> savedOutputs(ApiModel &Model, const FunctionFacts &Facts, const Event &E) {
  return OutputFinder(Model, Facts).run(E);
}

} // namespace tensorleak
