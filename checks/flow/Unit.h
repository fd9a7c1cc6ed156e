//===-- Unit.h - All functions of a file, analysed ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bottom-up over the call graph for summaries, then top-down for the grad mode
// that a function is called under, then the flow of the whole file. This is
// what the rules read.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_UNIT_H
#define TENSORLEAK_CHECKS_FLOW_UNIT_H

#include "checks/Options.h"
#include "checks/facts/Facts.h"
#include "checks/facts/Summary.h"
#include "checks/flow/FlowGraph.h"
#include "checks/flow/ValueWalk.h"
#include "checks/flow/state/TensorState.h"
#include "checks/model/ApiModel.h"
#include "checks/project/Imports.h"
#include "checks/source/CallTargets.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace tensorleak {

/// One function with everything that is known of it.
struct FunctionUnit {
  std::unique_ptr<FunctionFacts> Facts;
  StateResult State;
  Mode Entry = Mode::On;
  bool HasErrors = false;   ///< the compiler's tree lacks a part of the body
  bool HasStandIns = false; ///< for names that no header declares
  /// The program's main() is in this file, and nothing in it names this method, which no other file
  /// can: what it would read or empty, it never does.
  bool NeverRuns = false;
  unsigned CallSites = 0; ///< calls seen in this file
  unsigned CallsInStepLoop = 0;
  bool RunsInSteps = false; ///< some call is made there, or by a function that runs in steps
  unsigned CallsInLoop = 0; ///< of whatever kind, or by a function that runs in one
  bool runsInLoop() const { return CallSites && CallsInLoop == CallSites; }
};

/// What is asked of all functions about one variable or member.
enum class Asked : uint8_t {
  Sheds,            ///< it empties it, or what has it, in use
  Begins,           ///< it puts something else into it
  BeginsElement,    ///< the same, where an element counts
  DoesMoreThanFill, ///< it does anything to it but add to it
  ReadsWhole,       ///< it goes over all that is in it
  Writes,           ///< it does more with it than read it
};

class Unit {
public:
  Unit(clang::ASTContext &Context, llvm::ArrayRef<clang::Decl *> Decls,
       const AnalyzerOptions &Options, AnalyzerStats &Stats);

  clang::ASTContext &context() const { return Context; }
  ApiModel &model() { return Model; }
  const AnalyzerOptions &options() const { return Options; }
  llvm::ArrayRef<FunctionUnit> functions() const { return Functions; }
  const FlowGraph &flow() const { return Flow; }
  /// The unit of \p F's body; null when it was not analysed here.
  const FunctionUnit *find(const clang::FunctionDecl &F) const;

  /// Something in the project makes the container \p D smaller, or the tensor
  /// variable \p D let go of its graph.
  bool shrinksSomewhere(const clang::ValueDecl *D) const {
    return shrinksHere(D) || (D && (Others->stateOf(*D) & IsShrunk));
  }
  bool shrinksHere(const clang::ValueDecl *D) const { return Shrunk.count(D); }
  /// The functions that do what \p Question says to \p D, as \p Does tells: it is asked once for
  /// all who add to \p D.
  llvm::ArrayRef<const FunctionUnit *>
  functionsThat(Asked Question, const clang::ValueDecl &D,
                llvm::function_ref<bool(const FunctionUnit &)> Does) const;
  /// Somebody says that the parameters of module \p D need no gradient.
  bool isFrozen(const clang::ValueDecl *D) const;
  bool isFrozenHere(const clang::ValueDecl *D) const { return D && Frozen.count(D); }
  /// Only methods that others call return \p P, a part of a local object.
  bool isReturnedByOthersOnly(const FunctionFacts &Facts, PlaceId P);
  /// Every call of \p F is in this file, or there is at least one that shows the
  /// grad mode it is called under.
  bool isCallContextKnown(const FunctionUnit &F) const;
  /// The grad mode that the function called at the event \p UserCall begins with.
  static Mode modeAtCall(const FunctionUnit &Caller, unsigned UserCall);
  /// Where what the call at the event \p UserCall returns ends up, as Fate bits.
  uint8_t fateOfResult(const FunctionUnit &Caller, unsigned UserCall) const;
  /// Where what \p P holds ends up; what a function returns that is only called in this file
  /// goes on to its callers.
  uint8_t fateOf(const FunctionFacts &Facts, PlaceId P);
  uint8_t fateOfValue(const FunctionFacts &Facts, ValueId V);
  /// Every call of \p F is in this file, and \p F is named for nothing else.
  bool isOnlyCalledHere(const clang::FunctionDecl &F);
  /// Whether this file sees all that can happen to the variable or member \p D.
  bool isSeenWhole(const clang::ValueDecl &D) const;
  /// A loop in which a module runs, a graph is run, or an optimizer steps.
  bool isStepLoop(const FunctionUnit &F, LoopId L) const;
  bool contains(const FunctionUnit &F, LoopId L, EventKind Kind) const;

  /// As its State, with sizes for the parameters where all calls of this file that hand over
  /// a tensor of known size agree on it, and with what members look like when methods begin.
  const StateResult &stateInCalls(const FunctionUnit &F);

  /// What is known from other files; see project/.
  Imports &others() const { return *Others; }
  /// The summary of a function of this file; null when there is none.
  const Summary *summaryOf(const clang::FunctionDecl &F) const;
  /// Fields, and globals that other files can name.
  std::vector<const clang::ValueDecl *> sharedVariables() const;
  /// What functions call that were not analysed.
  const llvm::DenseSet<const clang::FunctionDecl *> &calledUnseen() const { return CalledUnseen; }

private:
  void joinOtherCallers(FunctionUnit &F);
  void addOthersFates();
  void analyzeBottomUp(AnalyzerStats &Stats);
  void add(const clang::FunctionDecl &F, FunctionUnit U);
  void analyzeTopDown();
  void countCalls(const FunctionUnit &F);
  void skip(const clang::FunctionDecl &F, const FunctionUnit &U, llvm::StringRef Reason,
            AnalyzerStats &Stats);
  StateResult stateOf(const FunctionFacts &Facts, Mode Entry, llvm::ArrayRef<TensorType> Given = {},
                      const MemberTypes *Members = nullptr);
  const MemberTypes &membersAtEntry();
  /// Calls as caller and event, by what they call.
  using GivingCalls =
      llvm::DenseMap<const clang::FunctionDecl *,
                     llvm::SmallVector<std::pair<const FunctionUnit *, unsigned>, 2>>;
  const GivingCalls &givingCalls();
  std::vector<TensorType> givenTo(const clang::FunctionDecl &F);
  void summarizeFor(const clang::FunctionDecl &F, const FunctionUnit &U);
  bool neverRuns(const clang::FunctionDecl &F);
  void noteRelease(const FunctionUnit &F, const Event &E);
  void noteFreeze(const FunctionFacts &Facts, const Event &Freeze);
  bool isStepped(const clang::ValueDecl &Module) const;
  void forgetGraphsOfFrozen();
  /// The grad mode of a function that nobody here calls.
  Mode modeOutside(const clang::FunctionDecl &F);

  clang::ASTContext &Context;
  AnalyzerOptions Options;
  ApiModel Model;
  CallTargets Targets;
  std::vector<const clang::FunctionDecl *> Order; ///< callees before callers
  SummaryMap Summaries;
  Layers KnownLayers;
  LeafMembers Leaves;
  ReturnedTypes Returned;
  std::unique_ptr<Imports> Others;
  std::vector<FunctionUnit> Functions;
  llvm::DenseMap<const clang::FunctionDecl *, unsigned> IndexOf;
  FlowGraph Flow;
  llvm::DenseMap<const FunctionFacts *, std::unique_ptr<StateResult>> InCalls;
  std::optional<GivingCalls> Giving;
  std::optional<MemberTypes> AtEntry;
  llvm::DenseSet<const clang::ValueDecl *> Shrunk;
  llvm::DenseSet<const clang::ValueDecl *> Frozen;
  llvm::DenseSet<const clang::ValueDecl *> FrozenWhole; ///< of these, surely and for good
  const llvm::DenseSet<const clang::ValueDecl *> *KnownFrozen = nullptr; ///< once all are known
  llvm::DenseSet<const clang::FunctionDecl *> CalledUnseen; ///< by what was not analysed
  llvm::DenseSet<const clang::FunctionDecl *> CalledBlind;  ///< of these, maybe under a guard
  bool AnyFrozen = false;                                   ///< of a module that could not be told
  bool HasGlobalGuard = false;                              ///< a guard at namespace scope
  llvm::ArrayRef<clang::Decl *> Decls;
  mutable std::map<std::pair<Asked, const clang::ValueDecl *>, std::vector<const FunctionUnit *>>
      Answers;
  std::optional<llvm::DenseSet<const clang::FunctionDecl *>> Named; ///< other than by calls
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FLOW_UNIT_H
