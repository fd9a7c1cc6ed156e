//===-- ResourceGenerator.h - From the AST to resource events -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. Walks the control-flow graph of one function, asks
// Cuda.def what each call takes and gives back, and writes events. Calls to
// functions of the same file become the effects of their summaries; of other
// functions only the types of the parameters are known.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_FACTS_RESOURCEGENERATOR_H
#define TENSORLEAK_CHECKS_RESOURCES_FACTS_RESOURCEGENERATOR_H

#include "checks/model/ApiModel.h"
#include "checks/resources/facts/ResourceBoxes.h"
#include "checks/resources/facts/ResourceFacts.h"
#include "checks/resources/facts/ThrowingFunctions.h"
#include "checks/resources/facts/calls/AskedResults.h"
#include "checks/resources/facts/calls/GeneratorParts.h"
#include "checks/resources/facts/calls/OwnershipFlags.h"
#include "checks/resources/facts/loops/CountMembers.h"
#include "checks/resources/facts/objects/EndGuards.h"
#include "checks/source/Expressions.h"
#include "checks/source/variables/VariableUses.h"
#include "clang/AST/ExprCXX.h"

namespace tensorleak {

struct CountedDown;

/// An object that `*` leads on from, and that owns nothing.
bool isIterator(clang::QualType T);
/// `std::min_element(all.begin(), all.end())`, `std::prev(all.end())`: an algorithm of the C++
/// library that names an element of its range, and does nothing to any.
bool onlyLooks(const clang::CallExpr &Call);

/// A container of the C++ library's, and no box.
bool isContainer(clang::QualType T);
/// Records whose copy, move and swap are those of their members, and these are pointers, numbers
/// and texts. \p Class may be null.
bool isMovedByMember(const clang::CXXRecordDecl *Class);

/// The value of \p E, if the compiler knows it; \p E may be null.
std::optional<int64_t> constantIn(const clang::ASTContext &Context, const clang::Expr *E);
/// A null pointer, or the number zero.
bool isZeroOrNull(clang::ASTContext &Context, const clang::Expr &E);

/// A family that is no host memory, nor an object; nothing where there is none in \p Accepts.
std::optional<Family> firstOfDevice(FamilySet Accepts);

/// A member of a class of the standard library.
bool isOfStandardClass(const clang::Decl &Member);

/// No destructor of the user's runs when an object of \p Type ends.
bool endsQuietly(clang::QualType Type);

/// The elements of an array or a container of the library's that \p E makes of a list in braces;
/// null for others.
const clang::InitListExpr *listedElements(const clang::Expr &E);

/// No condition stands between \p S and \p Part but those of loops.
bool isAlwaysBelow(const clang::Stmt *S, const clang::Stmt &Part);
/// What says which element \p Target is: `&v[i]`, `&v[i].data`, `v + i`, `&element`.
const clang::ValueDecl *indexOf(const clang::Expr *Target);

class ResourceGenerator {
public:
  ResourceGenerator(clang::ASTContext &Context, ApiModel &Api, const ResourceModel &Model,
                    const ResourceSummaries &Summaries, ResourcesElsewhere &Others,
                    const ThrowingFunctions &Throwing, const OwnershipFlags &Flags,
                    const CountMembers &Counts)
      : Context(Context), Api(Api), Model(Model), Summaries(Summaries), Others(Others),
        Throwing(Throwing), Flags(Flags), Counts(Counts) {}

  ResourceFacts generate(const clang::FunctionDecl &F, const clang::CFG &Cfg);
  /// A builtin, or a function of a library's header.
  static bool isForeign(const clang::FunctionDecl *Callee);

private:
  using Args = llvm::ArrayRef<const clang::Expr *>;

  // Statements (ResourceGenerator.cpp).
  // (ResourceTargets.cpp)
  void findTargets();
  void findTargetOf(const clang::CXXCtorInitializer &Init);
  void findTargetOf(const clang::VarDecl &V);
  void findTargetsIn(const clang::Stmt &S);
  const clang::CallExpr *lastCallBefore(const clang::CFGBlock &Block) const;
  void addTarget(const clang::Expr *Init, PathId Target);
  void forgetFunction();
  void visitElement(const clang::CFGElement &Element);
  void visitStmt(const clang::Stmt &S);
  void visitBinary(const clang::BinaryOperator &B);
  void visitVar(const clang::VarDecl &V, const clang::Stmt &S);
  void nameBindings(const clang::DecompositionDecl &D, PathId Whole);
  void copyPlace(const clang::Stmt &At, PathId Target, PathId From, clang::QualType Type);
  void nameCondition(const clang::VarDecl &V, unsigned Before);
  void bindRangeVariable(const clang::CXXForRangeStmt &Loop);
  void visitInitializer(const clang::CXXCtorInitializer &Init);
  void visitReturn(const clang::ReturnStmt &R);
  void returnPart(const clang::ReturnStmt &R, const clang::Expr &Value, std::vector<Step> Below);
  bool returnParts(const clang::ReturnStmt &R, const clang::Expr &Value,
                   llvm::ArrayRef<Step> Below);
  void visitDelete(const clang::CXXDeleteExpr &D);
  void endBase(clang::QualType Type, PathId This, const clang::Stmt &S);
  void endObject(clang::QualType Type, PathId P, const clang::Stmt &S);
  void visitEndOfPart(const clang::CFGElement &Element);
  void visitEndOfLife(const clang::VarDecl &V, const clang::Stmt &S);
  void declare(PathId P, const clang::Stmt &S);
  void assign(const clang::Stmt &At, PathId Target, const clang::Expr &Value);
  void takeParts(const clang::Stmt &At, PathId Target, const clang::Expr &Call);
  void takePart(const clang::Stmt &At, PathId Target, const ReturnedPart &Part);
  bool isTakenWhole(clang::QualType Type) const;
  void copyPair(const clang::Stmt &At, PathId Target, PathId From, clang::QualType Type);
  void emitCopy(const clang::Stmt &At, PathId Target, PathId From);
  void nameHandles(PathId P, clang::QualType Type);
  void forEachHandle(PathId P, clang::QualType Type, llvm::function_ref<void(PathId)> Do,
                     unsigned Depth = 0);
  void assignList(const clang::Stmt &At, PathId Target, const clang::InitListExpr &List);
  void assignElements(const clang::Stmt &At, PathId Target, const clang::InitListExpr &List);
  void escapeParts(const clang::Stmt &At, const clang::InitListExpr &List);
  ResourceEvent &emit(ResourceEventKind Kind, const clang::Stmt &At);
  void emitValue(ResourceEventKind Kind, const clang::Stmt &At, Operand Value,
                 std::optional<CallAnswer> When = std::nullopt);
  bool isAsked(const clang::CallExpr &Call);
  bool isTakenOnlyIfNew(const clang::CallExpr &Call);
  bool isAlsoGot(const clang::CallExpr &Release) const;
  bool usesArguments(const clang::CallExpr &Call) const;
  bool onlyUsesArgument(const clang::CallExpr &Call, unsigned I) const;
  bool leavesData(const clang::Expr &At) const;
  bool areTensors(const clang::InitListExpr &List) const;
  std::optional<CallAnswer> takenByDevice(const clang::Expr &At);
  std::optional<CallAnswer> answerOf(const CallShape &C, const ResourceSummary &S,
                                     const RelativeResourcePath &Given);
  void emitTree(const clang::Stmt &At, PathId P);
  /// As emitTree(), for what an unseen function of \p Base can reach of the object at \p P, which
  /// is of a class that derives from that: the members that it inherits from \p Base.
  void emitPartsOf(const clang::CXXRecordDecl &Base, PathId P, const clang::Stmt &At);

  // Values and places (ResourceValues.cpp).
  Operand operand(const clang::Expr *E);
  Operand movedPointer(const clang::BinaryOperator &Op);
  Operand movedAddress(const clang::BinaryOperator &Op);
  Operand addressOf(const clang::Expr *Lvalue);
  const clang::Expr *partWithValue(const clang::Expr &E) const;
  PathId pathOf(const clang::Expr *E);
  Step elementStep(const clang::CallExpr &Call) const;
  PathId pathOfGetter(const clang::CallExpr &Call);
  PathId pathOfCall(const clang::CallExpr &Call);
  void bindIterator(const clang::ValueDecl &Iterator, const clang::Expr *Value);
  PathId elementOf(const clang::Expr &Iterator);
  PathId pathOfIterator(const clang::Expr *Access, clang::OverloadedOperatorKind How);
  int64_t offsetOf(const clang::Expr *Pointer) const;
  PathId pathOfObject(const clang::Expr *Self);
  PathId pathThrough(const clang::Expr *Pointer, int64_t Index);
  std::optional<int64_t> constant(const clang::Expr *E) const { return constantIn(Context, E); }

  // Optionals, smart pointers, pairs and tuples (ResourceBoxes.cpp).
  PathId pathOfPart(const BoxAccess &Access);
  Operand addressOfPart(const clang::Expr *E);
  const clang::Expr *ownerAsked(const clang::Expr &Pointer) const;
  void forEachPart(PathId P, clang::QualType Box, llvm::function_ref<void(PathId)> Do,
                   unsigned Depth);
  bool visitOptional(const clang::CXXMemberCallExpr &Call, PathId Box, Args Arguments);
  bool emptyBox(const clang::CallExpr &Call, PathId P, clang::QualType Box,
                const clang::Expr &Value);
  void makeInPlace(const clang::CallExpr &Call, clang::QualType Type, PathId P, Args Arguments);
  bool visitVariant(const clang::CallExpr &Call, PathId Object, Args Arguments);
  void endContent(const clang::CallExpr &Call, const clang::Expr &Box, PathId P);
  void removeWhole(const clang::Stmt &At, PathId P, clang::QualType Type);
  bool makesFollowedBox(const clang::Expr &E) const;
  bool fillBox(const clang::Stmt &At, PathId Box, const clang::Expr &Value);
  bool giveAway(const clang::Stmt &At, const clang::Expr &Owner);
  bool visitTie(const clang::CallExpr &Call);
  bool visitBoxCall(const clang::CallExpr &Call, PathId Object, Args Arguments);

  // Containers of the library (ResourceContainers.cpp).
  Operand elementsOf(const clang::Expr &E);
  bool mayDetachAtEnd(clang::QualType Type) const;
  Operand attachedAt(const clang::Expr &Arg);
  void attach(const clang::CallExpr &Call, const ResourceEffect &E);
  bool passIterator(const clang::Expr &At, const clang::Expr &Arg);
  bool visitContainerCall(const clang::CallExpr &Call, PathId Object, Args Arguments);
  bool emplaceHandles(const clang::CallExpr &Call, PathId Object, clang::QualType Held,
                      const clang::Expr &Value);
  bool visitEmplace(const clang::CallExpr &Call, PathId Object, Args Arguments);
  bool visitPair(const clang::CallExpr &Call, PathId Object, Args Arguments);
  bool onlyReorders(PathId Object, Args Arguments);
  bool onlyComparesKey(const clang::CallExpr &Call);
  bool isKnown(const clang::Expr &Value);
  bool visitRemoval(const clang::CallExpr &Call, PathId Object, Args Arguments);
  void replaceElements(const clang::CallExpr &Call, PathId Object, const clang::Expr &New);
  ElementLoop rangeLoop(const clang::CXXForRangeStmt &Loop) const;
  static bool namesElements(const clang::CXXForRangeStmt &Loop);
  void findElementLoops();
  void fillElements(SiteId Id, const clang::Expr &Taking, const clang::Expr &Target);
  void fillElementAt(SiteId Id, const clang::Expr &Taking, const clang::ValueDecl &Index);
  void fillElements(SiteId Id, const CallShape &C, const ResourceSummary::Taken &T);
  const clang::ValueDecl *indexGivenTo(const CallShape &C, const clang::ValueDecl &Index);

  // Lists that a loop fills (ResourceAppends.cpp).
  std::optional<SiteId> onlySiteAt(PathId P) const;
  std::optional<SiteId> onlySiteOf(const clang::Expr &Value);
  llvm::SmallVector<SiteId, 2> sitesIn(const clang::Expr &Value);
  void noteAppendedTo(SiteId Id, const clang::Expr &Call);
  void noteStored(const clang::Expr &Element, const clang::Expr &Value);
  unsigned firstAppended(const clang::Expr &Call, PathId Object, const clang::Stmt &Loop);
  void noteAppended(const clang::CallExpr &Call, PathId Object, const clang::Expr &Value);
  Operand anyInLoop(const clang::Stmt &Call, Operand Elements);
  bool isShrunkHere(const clang::Expr &Container);
  bool mayBeAnother(const clang::Expr &Element);
  bool isSingleForGood(const clang::Expr &Element);
  unsigned sparedAtEnd(const ElementLoop &Loop, const clang::Expr &Element);
  ElementLoop loopDown(const CountedDown &Down);
  const VariableUses &uses();
  ElementEnd endAt(const clang::Expr &Limit, int64_t Behind);
  const ElementLoop *loopOver(const clang::Expr &Element, const clang::CallExpr &Call);
  void noteSpared(ResourceEvent &Freed, const clang::CallExpr &Call, const clang::Expr &Arg);
  std::optional<int64_t> elementFreedBy(const clang::CallExpr &Call, const clang::Expr &Arg);

  // Places that change places (ResourceSwaps.cpp).
  void findRotation(const clang::CompoundStmt &Block);
  bool visitRotation(const clang::Stmt &S);
  void swapElements(const clang::Stmt &At, PathId A, PathId B);
  /// The same handle in two records of \p Class.
  void forEachHandle(const clang::RecordDecl &Class, PathId A, PathId B,
                     llvm::function_ref<void(PathId, PathId)> Visit);
  bool visitSwap(const clang::CallExpr &Call, Args Arguments);
  void applyRotations(const CallShape &C, const ResourceSummary &S);
  bool visitZeroing(const clang::CallExpr &Call);
  bool visitExchange(const clang::CallExpr &Call, Args Arguments);
  void endExchangesIn(const clang::Stmt &S);
  void endExchanges(const clang::Stmt &User);
  void leaveExchanges();

  // Calls (ResourceCalls.cpp).
  void visitCall(const clang::CallExpr &Call);
  std::pair<PathId, Args> operandsOf(const clang::CallExpr &Call);
  void copyRecord(const clang::Expr &At, PathId Target, const clang::Expr &Value);
  FamilySet acceptedByOwner(const clang::CXXConstructExpr &C) const;
  void visitConstruct(const clang::CXXConstructExpr &C);
  void visitNew(const clang::CXXNewExpr &N);
  const clang::FunctionDecl *functionRun(const clang::FunctionDecl &Callee, PathId Object) const;
  bool mayKeepItself(const clang::CXXNewExpr &N) const;
  std::optional<NewObject> objectOfNew(const clang::CXXNewExpr &N) const;
  std::optional<NewObject> objectOfMaker(const clang::CallExpr &Maker) const;
  std::optional<NewObject> newObject(const clang::Expr *Value) const;
  void fillObject(const clang::Stmt &At, PathId Pointer, const clang::Expr &Value);
  bool givesBackAtEnd(clang::QualType Type) const;
  std::optional<Family> deletedBy(const clang::CXXRecordDecl *Pointer) const;
  bool mayChangeParts(const clang::CXXMethodDecl &Method) const;
  void changeParts(const clang::CallExpr &Call, const clang::CXXMethodDecl &Method, PathId Object);
  bool applyTorch(const clang::CallExpr &Call, const clang::FunctionDecl &Callee);
  bool maySetLastError(const clang::CallExpr &Call) const;
  SiteId addSite(Site S);

  // Calls of the API (ResourceApiCalls.cpp).
  void applyModel(const clang::CallExpr &Call, llvm::ArrayRef<ResourceEffect> Effects);
  void take(const clang::CallExpr &Call, const ResourceEffect &E);
  void takeBack(const clang::CallExpr &Call, const clang::VarDecl &Guard);
  void copyAgain(const clang::Stmt &At, PathId From);
  bool isAskedForNull(const clang::ValueDecl &Named);
  bool isNullAt(const clang::CallExpr &Call, const clang::Expr &Given);
  void give(const clang::CallExpr &Call, const ResourceEffect &E);
  bool copyPointees(const clang::CallExpr &Call, llvm::ArrayRef<ResourceEffect> Effects);
  void askLastError(const clang::CallExpr &Call);
  std::optional<int64_t> bytesOf(const clang::CallExpr &Call, llvm::StringRef Sizes) const;

  // Summaries (ResourceCalls.cpp).
  void applySummary(const CallShape &C, const ResourceSummary &S);
  // (ResourceReturned.cpp)
  void nameReturned(const CallShape &C, const ResourceSummary &S);
  void nameReturned(const CallShape &C, const ResourceSummary::Stored &Each, Operand Value);
  void handOnReturned(const CallShape &C, const ResourceSummary &S);
  llvm::ArrayRef<ReturnedPart> partsReturnedBy(const clang::Expr &Record) const;
  const ReturnedPart *partOf(const clang::Expr &Record, llvm::ArrayRef<Step> Steps) const;
  Operand partRead(const clang::Expr &E) const;
  PathId pathReturned(const clang::CallExpr &Call);
  const clang::Expr *recordAt(const CallShape &C, const RelativeResourcePath &P) const;
  void returnCopy(const clang::ReturnStmt &R, const clang::Expr &Value, llvm::ArrayRef<Step> Below);
  PathId elementOfRange(const clang::CXXForRangeStmt &Loop);
  void returnNames(const clang::ReturnStmt &R, const clang::Expr &Value,
                   llvm::ArrayRef<Step> Below);
  bool bringsNew(const clang::CallExpr &Call) const;
  void placeTemporary(const clang::Expr &Value);
  void noteUnnamed(SiteId Id, const clang::Expr &Call);
  void dropTemporary(const Atom &A);
  void dropTemporary(const clang::Expr &Arg);
  void dropTemporaries(Args Arguments);
  bool hasOwners();
  bool findOwners(const clang::FunctionDecl &F);
  void mayLeave(const clang::Stmt &At, const clang::FunctionDecl *Callee);
  void mayFail(const clang::Stmt &Check);
  bool isThrowExplained(const clang::Stmt &S) const;
  bool mayThrowUnseen(const clang::Stmt &At, const clang::FunctionDecl &Callee);
  void letGoOfSwapped(const CallShape &C, const ResourceSummary &S);
  void applyViews(const CallShape &C, const ResourceSummary &S);
  bool isOnlyLent(const CallShape &C, const RelativeResourcePath &Where) const;
  void applyStores(const CallShape &C, const ResourceSummary &S, bool BelowTaken);
  void applyTaken(const CallShape &C, const ResourceSummary::Taken &T, CallStatus &Told);
  void emitTaken(const CallShape &C, const ResourceSummary::Taken &T, SiteId Id,
                 llvm::ArrayRef<PathId> Targets);
  void doubtSecondNames(const CallShape &C, const ResourceSummary &S);
  PathId pathOfCaptured(const clang::ValueDecl &V, llvm::ArrayRef<Step> &Steps);
  /// The caller's path for \p P, or NoPath.
  PathId translate(const CallShape &C, const RelativeResourcePath &P);
  Operand translateValue(const CallShape &C, const RelativeResourcePath &P);
  const ResourceSummary *summaryOf(const clang::FunctionDecl &F) const;

  // Algorithms of the C++ library (ResourceAlgorithms.cpp).
  bool visitAlgorithm(const clang::CallExpr &Call, Args Arguments);
  bool leavesElements(const clang::Expr &Predicate) const;
  PathId rangeGiven(const clang::Expr &First);
  void storeResults(const clang::CallExpr &Call, PathId Element);

  // Functions we do not see (ResourceUnknownCalls.cpp).
  bool onlyUsesOperands(const clang::Expr &At, const clang::FunctionDecl *Callee) const;
  bool onlyRearranges(const clang::FunctionDecl *Callee, Args Arguments);
  void applyUnknown(const clang::Expr &At, const clang::FunctionDecl *Callee, Args Arguments);
  void visitRecovery(const clang::RecoveryExpr &R);
  void applyUnknownArgument(const clang::Expr &At, const clang::FunctionDecl *Callee,
                            const clang::Expr &Arg, clang::QualType Type, bool OnlyIt);
  void passRecord(const clang::Expr &At, const clang::Expr &Arg);
  void passPointer(const clang::Expr &At, const clang::FunctionDecl *Callee, const Operand &Value,
                   clang::QualType Pointee, bool OnlyIt);
  void passLambda(const clang::Expr &At, const clang::Expr &Arg);
  void passLater(const RelativeResourcePath &P);
  void freeLater(PathId P);
  void addLaterEscapes();

  // Conditions (ResourceBranches.cpp).
  void visitBranch(const clang::CFGBlock &Block);
  PathId elementsAskedFor(const clang::Expr &E);
  void refine(const clang::Expr &Condition, Branch &B, bool Negated);
  void refineComparison(const clang::BinaryOperator &Op, Branch &B, bool Negated);
  const clang::Expr *behindName(const clang::Expr &E) const;

  clang::ASTContext &Context;
  ApiModel &Api;
  const ResourceModel &Model;
  const ResourceSummaries &Summaries;
  ResourcesElsewhere &Others;
  const ThrowingFunctions &Throwing;
  const OwnershipFlags &Flags;
  const CountMembers &Counts;

  // Of the function at hand.
  ResourceFacts *Out = nullptr;
  std::vector<ResourceEvent> *Events = nullptr;
  unsigned BlockAtHand = 0;
  EndGuards Guards;
  llvm::DenseMap<const clang::Expr *, Operand> Results; ///< of calls and new
  const clang::CallExpr *LastCall = nullptr;            ///< before the one at hand, on all ways
  llvm::DenseMap<const clang::CFGBlock *, const clang::CallExpr *> LastCallOf; ///< at its end
  /// Objects that free what these hold then were made before: a guard over a reference.
  llvm::DenseSet<const clang::ValueDecl *> FreedLater;
  /// By what counts their rounds, or refers to an element in each.
  llvm::DenseMap<const clang::ValueDecl *, llvm::SmallVector<ElementLoop, 1>> ElementLoops;
  llvm::DenseSet<const clang::ValueDecl *> Walking; ///< pointers that go from element to element
  /// By the hidden variable that refers to what they run over.
  llvm::DenseMap<const clang::Decl *, const clang::CXXForRangeStmt *> RangeLoops;
  std::optional<bool> Owners;        ///< the function has objects that give something back
  std::optional<AskedResults> Asked; ///< computed at the first question
  std::optional<VariableUses> Uses;  ///< so are these
  /// Some `if` asks whether they are null.
  std::optional<llvm::DenseSet<const clang::ValueDecl *>> NullTested;
  llvm::DenseMap<const clang::CXXTryStmt *, bool> TriesUnseen; ///< see mayThrowUnseen()
  llvm::DenseSet<const clang::Expr *> Discarded;               ///< nothing uses their values
  llvm::DenseSet<SiteId> Unnamed;                              ///< only a call's value holds them
  llvm::DenseMap<const clang::ValueDecl *, PathId> Aliases;    ///< references, loop variables
  llvm::DenseMap<const clang::ValueDecl *, PathId> Iterators;  ///< and the element they point to
  llvm::DenseMap<const clang::ValueDecl *, PathId> CopiedElements; ///< that a loop fills
  llvm::DenseMap<const clang::Expr *, PathId> Targets;             ///< what a constructor makes
  llvm::DenseSet<const clang::Expr *> Placed; ///< see NewObject: a variable gets the object
  /// `a = b; b = t;` after `t = a`: the last statement has the places, the others have none.
  llvm::DenseMap<const clang::Stmt *, llvm::SmallVector<const clang::Expr *, 2>> Rotations;
  std::vector<Exchange> Exchanges; ///< of the block at hand
  /// Arguments that stand for each element of a range, as an algorithm hands it to a function.
  llvm::DenseMap<const clang::Expr *, PathId> EachElement;
  /// Conditions that got a name in the block at hand, and the number of its events then.
  llvm::DenseMap<const clang::ValueDecl *, unsigned> Named;
  /// Records that calls return, without a name, and that are used as they are.
  llvm::DenseMap<const clang::Expr *, PathId> Temporaries;
  /// Parts of a returned record that own something.
  llvm::DenseMap<const clang::Expr *, llvm::SmallVector<ReturnedPart, 1>> Parts;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FACTS_RESOURCEGENERATOR_H
