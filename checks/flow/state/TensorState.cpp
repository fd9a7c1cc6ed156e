//===-- TensorState.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/state/TensorState.h"

#include "checks/facts/leaves/LeafPlaces.h"
#include "checks/flow/Dataflow.h"
#include "checks/flow/Freezing.h"
#include "checks/flow/state/EntryState.h"
#include "checks/flow/state/StateAtPoint.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/BitVector.h"

using namespace clang;

namespace tensorleak {
namespace {

using statepoint::joinInfo;
using statepoint::State;

/// In the grad mode of that event, and not of one that uses them later.
llvm::BitVector computedValues(const FunctionFacts &Facts) {
  llvm::BitVector Out(Facts.Values.size());
  for (const Event &E : Facts.Events)
    if (E.Kind == EventKind::Compute && E.Val != NoId)
      Out.set(E.Val);
  return Out;
}

class TensorFlow : public ForwardDataflow<TensorFlow, State> {
public:
  TensorFlow(const FunctionFacts &Facts, ASTContext &Context, ApiModel &Model, TypeSources Sources)
      : ForwardDataflow(*Facts.Cfg), Facts(Facts), Model(Model), Made(computedValues(Facts)),
        Leaves(leafPlaces(Facts, Sources.Leaves)), Frozen(Sources.Frozen),
        TypesOfMembers(Sources.Members), Types(Facts, Context, Model, Sources,
                                               {[this](ValueId V) { return infoOf(V).Type; },
                                                [this](PlaceId P) { return loadPlace(P).Type; }}) {
    Result.AtEvent.resize(Facts.Events.size());
    Result.Values.resize(Facts.Values.size());
    Result.SelfOf.resize(Facts.Values.size());
    Result.RestOf.resize(Facts.Values.size());
    for (PlaceId P = 0; P < Facts.Places.size(); ++P)
      if (Facts.Places[P].isField())
        Members[Facts.Places[P].Parent].push_back(P);
  }
  StateResult run(Mode Entry, llvm::ArrayRef<TensorType> Given);

  // What the driver asks.
  void transfer(const CFGBlock &Block, State &S);
  bool join(State &Into, const State &From) { return Into.join(From); }

private:
  void apply(const Event &E, EventState *Record);
  void compute(ValueId V);
  TensorInfo infoOf(ValueId V);
  TensorInfo infoOfApi(const Value &V, ValueId Id);
  TensorInfo infoOfModule(const Value &V, ValueId Id, TensorInfo FromInputs);
  llvm::ArrayRef<PlaceId> membersOf(PlaceId P) const {
    auto It = Members.find(P);
    return It == Members.end() ? llvm::ArrayRef<PlaceId>() : It->second;
  }
  bool runsFrozen() const;
  void addMembers(PlaceId P, TensorInfo &To) const;
  TensorInfo loadPlace(PlaceId P);
  TensorInfo joinInputs(const Value &V);
  Graph computed(Graph Inputs) const;
  void replace(const Event &E, TensorInfo &Target);
  void combine(const Event &E, TensorInfo &Target);
  void changeGraph(const Event &E, TensorInfo &Target);
  void write(const Event &E);
  void runBackward(const Event &E);
  void writeParts(const Event &E);
  void runBlock(const CFGBlock &Block, bool Record);
  void recordCall(const Event &E);
  StateResult nothingKnown();

  const FunctionFacts &Facts;
  ApiModel &Model;
  const llvm::BitVector Made;   ///< values that are made where an event says so
  const llvm::BitVector Leaves; ///< members that are, unless the function itself says otherwise
  const llvm::DenseSet<const ValueDecl *> *Frozen;
  const MemberTypes *TypesOfMembers;
  StateResult Result;
  State Now;
  const Event *At = nullptr; ///< the event at hand
  llvm::DenseMap<PlaceId, llvm::SmallVector<PlaceId, 4>> Members;
  TypeInference Types;
};

/// The graph of a result computed from inputs with graph \p Inputs.
Graph TensorFlow::computed(Graph Inputs) const {
  if (Now.GradMode == Mode::Off || Inputs <= Graph::No)
    return Graph::No;
  if (Inputs == Graph::Unknown || Now.GradMode == Mode::Either)
    return Graph::Unknown;
  return Graph::Yes;
}

/// What an object carries, its members carry; it looks like the one tensor that it has.
void TensorFlow::addMembers(PlaceId P, TensorInfo &To) const {
  for (PlaceId Q : membersOf(P)) {
    const TensorInfo &Member = Now.Places[Q];
    if (!To.Type.Dims && Member.Carries != Graph::Unset && Model.isOnlyTensor(Facts.Places[Q].Decl))
      To.Type = Member.Type;
    if (Member.Carries <= To.Carries)
      continue;
    To.Carries = Member.Carries;
    To.Origin = Member.Origin;
  }
}

TensorInfo TensorFlow::loadPlace(PlaceId P) {
  for (PlaceId At = P; At != NoId; At = Facts.Places[At].Parent)
    if (Now.Places[At].Carries != Graph::Unset) {
      TensorInfo Info = Now.Places[At];
      bool IsWhole = At == Facts.Places[P].Parent && Info.Type.hasFixedShape() &&
                     Model.isOnlyTensor(Facts.Places[P].Decl);
      if (At != P && !IsWhole)
        Info.Type = Types.named(P); // a part of it
      if (At != P && Info.Carries == Graph::Unknown && Leaves.test(P))
        Info.Carries = Graph::Leaf;
      addMembers(P, Info);
      return Info;
    }
  TensorInfo Unknown;
  Unknown.Carries = Leaves.test(P) ? Graph::Leaf : Graph::Unknown;
  Unknown.Type = Types.named(P);
  return Unknown;
}

TensorInfo TensorFlow::joinInputs(const Value &V) {
  TensorInfo Joined;
  for (ValueId In : V.Inputs)
    joinInfo(Joined, infoOf(In));
  return Joined;
}

/// One element of a tuple, where \p Part says which.
static TensorInfo partOf(TensorInfo Info, int Part) {
  Info.Type = Info.Type.part(Part);
  return Info;
}

/// Values are made from older ones, so that this ends with the expression.
TensorInfo TensorFlow::infoOf(ValueId V) {
  if (V == NoId)
    return {};
  const Value &Val = Facts.Values[V];
  switch (Val.From) {
  case Source::Load:
    return partOf(loadPlace(Val.Loaded), Val.Part);
  case Source::Group:
    return partOf(joinInputs(Val), Val.Part);
  case Source::Unknown: {
    TensorInfo Info;
    Info.Carries = Graph::Unknown;
    return Info;
  }
  default:
    return Result.Values[V];
  }
}

/// The module that runs at the event at hand, or one around it, needs no gradient.
bool TensorFlow::runsFrozen() const {
  return Frozen && At != Facts.Events.data() && At[-1].At == At->At &&
         runsAnyOf(*Frozen, Facts, At[-1]);
}

TensorInfo TensorFlow::infoOfModule(const Value &V, ValueId Id, TensorInfo Info) {
  QualType Class;
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(V.E))
    Class = Call->getImplicitObjectArgument()->getType();
  else if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(V.E))
    Class = Op->getArg(0)->getType();
  if (Model.isParameterless(Class) || runsFrozen()) {
    Info.Carries = computed(Info.Carries);
    return Info;
  }
  bool Script = Model.isScriptModule(Class);
  Info.Carries = computed(Script ? Graph::Unknown : Graph::Yes);
  Info.Origin = Id;
  return Info;
}

TensorInfo TensorFlow::infoOfApi(const Value &V, ValueId Id) {
  TensorInfo Info = joinInputs(V);
  Info.Type = Types.result(V);
  switch (V.Leaf ? Does::Parameters : V.Api.What) {
  case Does::Create:
  case Does::RequireGrad: // only a leaf may be told not to
  case Does::Blob:
  case Does::Detach:
  case Does::ComputeConst:
  case Does::GradOf:
  case Does::HostAlloc:
    Info.Carries = Graph::No;
    return Info;
  case Does::Parameters:
    Info.Carries = Graph::Leaf;
    return Info;
  case Does::Forward:
    return infoOfModule(V, Id, Info);
  case Does::AutogradGrad:
    Info.Carries = V.Graph == GraphOut::Yes  ? Graph::Yes // unless that is linear
                   : V.Graph == GraphOut::No ? Graph::No
                                             : Graph::Unknown;
    if (Info.Carries != Graph::Yes)
      return Info;
    break;
  default:
    break;
  }
  bool Sourceless = Info.Carries == Graph::Unset;
  Info.Carries = Sourceless ? Graph::Unknown : computed(Info.Carries);
  if (Info.Carries == Graph::Yes && Info.Origin == NoId)
    Info.Origin = Id;
  return Info;
}

void TensorFlow::compute(ValueId V) {
  const Value &Val = Facts.Values[V];
  for (size_t I = 0; I < Val.Inputs.size(); ++I) {
    if (I == 0)
      Result.SelfOf[V] = infoOf(Val.Inputs[I]);
    else
      joinInfo(Result.RestOf[V], infoOf(Val.Inputs[I]));
  }
  TensorInfo Info;
  if (Val.From == Source::Api)
    Info = infoOfApi(Val, V);
  else if (Val.From == Source::UserCall) {
    Info = joinInputs(Val);
    Info.Type = Types.result(Val);
    Graph FromCallee = Val.Graph == GraphOut::Yes  ? Graph::Yes
                       : Val.Graph == GraphOut::No ? Graph::No
                       : Val.Inputs.empty()        ? Graph::Unknown
                                                   : Info.Carries;
    Info.Carries = FromCallee == Graph::Yes ? computed(Graph::Yes) : FromCallee;
    if (Val.Graph == GraphOut::Yes)
      Info.Origin = V;
  } else {
    Info = joinInputs(Val);
    if (Info.Carries == Graph::Unset)
      Info.Carries = Graph::No;
  }
  Result.Values[V] = Info;
}

/// What \p Target holds after \p E, which puts Val in its place.
void TensorFlow::replace(const Event &E, TensorInfo &Target) {
  TensorInfo Incoming = partOf(infoOf(E.Val), E.Part);
  if (Incoming.Carries == Graph::Unset) // nothing, or an undefined tensor
    Incoming.Carries = E.Declares && Leaves.test(E.Place) ? Graph::Leaf : Graph::No;
  else if (E.Declares && !Incoming.Type.Dims)
    Incoming.Type.Dims = Types.named(E.Place).Dims;
  Target = Incoming;
}

/// What \p Target holds after \p E, which writes it in place.
void TensorFlow::combine(const Event &E, TensorInfo &Target) {
  TensorInfo FromArgs;
  for (ValueId Arg : E.Args)
    joinInfo(FromArgs, infoOf(Arg));
  if (computed(FromArgs.Carries) > Target.Carries) {
    Target.Carries = computed(FromArgs.Carries);
    Target.Origin = FromArgs.Origin;
  }
  if (statepoint::reshapes(E, Facts))
    Target.Type = TensorType();
}

void TensorFlow::changeGraph(const Event &E, TensorInfo &Target) {
  if (events::has(E.Kind, events::EndsGraph))
    Target.Carries = Graph::No;
  else if (events::has(E.Kind, events::StartsGraph))
    Target.Carries = Graph::Leaf;
}

/// What is put into an object is what its members hold, or may hold, too.
void TensorFlow::writeParts(const Event &E) {
  for (PlaceId Q : membersOf(E.Place)) {
    TensorInfo &Part = Now.Places.edit(Q);
    if (replacesContent(E)) {
      Part = TensorInfo();
      Part = loadPlace(Q);
      if (E.Val == NoId && Leaves.test(Q)) // an object that is made anew
        Part.Carries = Graph::Leaf;
    } else if (events::keepsValue(E.Kind) && Part.Carries != Graph::Unset) {
      joinInfo(Part, infoOf(E.Val));
    }
  }
}

bool changesPlace(EventKind K) {
  return events::writes(K) || events::has(K, events::EndsGraph) ||
         events::has(K, events::StartsGraph);
}

void TensorFlow::write(const Event &E) {
  TensorInfo &Target = Now.Places.edit(E.Place);
  if (replacesContent(E))
    replace(E, Target);
  else if (events::keepsValue(E.Kind))
    joinInfo(Target, infoOf(E.Val));
  else if (events::has(E.Kind, events::Combines))
    combine(E, Target);
  changeGraph(E, Target);
  writeParts(E);
}

/// Whoever made it: what was run backward had a graph, or the call would have thrown.
void TensorFlow::runBackward(const Event &E) {
  const Value *Root = E.Val != NoId ? &Facts.Values[E.Val] : nullptr;
  if (!Root || Root->From != Source::Load || Root->Loaded == NoId)
    return;
  if (Now.Places[Root->Loaded].Carries == Graph::Unknown) {
    TensorInfo &Of = Now.Places.edit(Root->Loaded);
    Of.Carries = Graph::Yes;
    Of.Origin = Of.Origin != NoId ? Of.Origin : E.Val;
  }
}

void TensorFlow::recordCall(const Event &E) {
  auto &Given = Result.Given[&E - Facts.Events.data()];
  for (ValueId Arg : E.Args)
    Given.push_back(Arg == NoId ? TensorType() : infoOf(Arg).Type);
}

void TensorFlow::apply(const Event &E, EventState *Record) {
  At = &E;
  if (E.Kind == EventKind::Compute)
    compute(E.Val);
  else if (E.Val != NoId && Facts.Values[E.Val].From == Source::UserCall && !Made.test(E.Val))
    compute(E.Val);
  if (Record && E.Kind == EventKind::UserCall)
    recordCall(E);
  if (Record) {
    Record->GradMode = Now.GradMode;
    Record->Reached = true;
    Record->Info = partOf(infoOf(E.Val), E.Part);
    if (E.Val == NoId || E.Kind == EventKind::Mutate) {
      Record->Info = TensorInfo();
      for (ValueId Arg : E.Args)
        joinInfo(Record->Info, infoOf(Arg));
    }
  }
  if (Now.changeMode(E))
    return;
  if (E.Kind == EventKind::Backward)
    runBackward(E);
  else if (E.Kind == EventKind::BindParams)
    statepoint::bindLeaves(Now, Facts, E);
  else if (E.Place != NoId && changesPlace(E.Kind))
    write(E);
}

void TensorFlow::runBlock(const CFGBlock &Block, bool Record) {
  BlockRange Range = Facts.Blocks[Block.getBlockID()];
  for (unsigned I = Range.Begin; I < Range.End; ++I)
    apply(Facts.Events[I], Record ? &Result.AtEvent[I] : nullptr);
}

void TensorFlow::transfer(const CFGBlock &Block, State &S) {
  Now = std::move(S);
  runBlock(Block, /*Record=*/false);
  S = std::move(Now);
}

/// Of events that nothing is known of none is reached.
StateResult TensorFlow::nothingKnown() {
  for (TensorInfo &Info : Result.Values)
    Info = {Graph::Unknown, NoId, {}};
  Result.SelfOf = Result.RestOf = Result.Values;
  Result.Converged = false;
  return std::move(Result);
}

StateResult TensorFlow::run(Mode Entry, llvm::ArrayRef<TensorType> Given) {
  if (!solve(entryState(Facts, Entry, {Types, Leaves, TypesOfMembers, Given}), Budget::StateVisits))
    return nothingKnown();
  forEachReached([&](const CFGBlock &Block, const State &Before) {
    Now = Before;
    runBlock(Block, /*Record=*/true);
  });
  return std::move(Result);
}

} // namespace

StateResult computeState(const FunctionFacts &Facts, ASTContext &Context, ApiModel &Model,
                         TypeSources Sources, Mode Entry, llvm::ArrayRef<TensorType> Given) {
  return TensorFlow(Facts, Context, Model, Sources).run(Entry, Given);
}

} // namespace tensorleak
