//===-- FactsGenerator.h - From the AST to events -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only visitor of the AST. It walks the control-flow graph of one function,
// asks the API model what each call does, and writes events. Calls to functions
// of the same file become the effects of their summaries.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FACTS_FACTSGENERATOR_H
#define TENSORLEAK_CHECKS_FACTS_FACTSGENERATOR_H

#include "checks/facts/Facts.h"
#include "checks/facts/Summary.h"
#include "checks/facts/splicing/Splicing.h"
#include "checks/model/ApiModel.h"
#include "checks/model/boxes/Boxes.h"
#include "checks/source/Expressions.h"
#include "llvm/ADT/DenseSet.h"

namespace tensorleak {

class FactsGenerator {
public:
  FactsGenerator(clang::ASTContext &Context, ApiModel &Model, const SummaryMap &Summaries,
                 const CallTargets &Targets, FunctionsElsewhere &Others)
      : Context(Context), Model(Model), Summaries(Summaries), Targets(Targets), Others(Others) {}

  /// The facts of \p F, which has a body; null when the control-flow graph has
  /// more blocks than Budget::Blocks or cannot be built.
  std::unique_ptr<FunctionFacts> generate(const clang::FunctionDecl &F);

  /// The N of `std::get<N>`; -1 for other calls.
  static int elementRead(const clang::Expr &E);

private:
  using Args = llvm::ArrayRef<const clang::Expr *>;

  // Statements (FactsGenerator.cpp).
  void visitElement(const clang::CFGElement &Element);
  void visitStmt(const clang::Stmt &S);
  void visitVar(const clang::VarDecl &V, const clang::Stmt &S);
  void visitBindings(const clang::DecompositionDecl &D, const clang::Stmt &S);
  void visitGuard(const clang::VarDecl &V, const clang::Stmt &S);
  void visitInitializer(const clang::CXXCtorInitializer &Init);
  void visitReturn(const clang::ReturnStmt &R);
  void visitUse(const clang::Expr &E);
  void visitBroken(const clang::Expr &E);
  void letGo(const clang::Expr &Part, const clang::Stmt &At);
  void visitAssigned(const clang::CXXOperatorCallExpr &Assign);
  void visitAssignment(const clang::Expr &At, const clang::Expr *Lhs, const clang::Expr *Rhs);
  /// \p Part: which element of the tuple \p V; -1: all of it.
  void assign(const clang::Expr &At, const clang::Expr *Lhs, ValueId V, const clang::Expr *Rhs,
              int Part = -1);
  bool namesTensor(const clang::CallExpr &Call, const clang::FunctionDecl &Callee);
  /// What is assigned to is not a place, but what the call gives: std::tie(a, b), x.grad(), x[i].
  bool assignToResult(const clang::Expr &At, const clang::CallExpr &Call, ValueId V,
                      const clang::Expr *Rhs);
  bool isMadeEmpty(const clang::Expr &E, const clang::CallExpr &Call);
  void emptyOther(const clang::CallExpr &Call, Args Operands);
  void shrink(const clang::CallExpr &Call, const Effect &E, Args Operands);
  bool isLengthened(const clang::CallExpr &Call);
  Event *emptyGrowthOf(PlaceId P);
  void assignElement(const clang::Expr &At, const clang::Expr &Subscript, ValueId V);
  void put(const clang::Expr &At, const clang::Expr *Lhs, ValueId V, const clang::Expr *Rhs,
           int Part);
  Event &putInto(const clang::Expr &At, const clang::Expr &Lhs, PlaceId P, ValueId V);
  void storeFields(PlaceId P, const clang::InitListExpr &List, const clang::Stmt &S);
  void bindParameters(PlaceId Optimizer, const clang::Expr &Init, const clang::Stmt &At);

  // Calls (FactsCalls.cpp).
  void visitCall(const clang::CallExpr &Call);
  void applyEffect(const clang::CallExpr &Call, const Effect &E, Args Operands);
  void applyToSelf(const clang::CallExpr &Call, const Effect &E, Args Operands);
  bool exchanges(const clang::CallExpr &Call, const Effect &E, Args Operands);
  void applyContainer(const clang::CallExpr &Call, const Effect &E, Args Operands);
  void configure(const clang::CallExpr &Call, const Effect &E, Args Operands);
  void applyNothing(const clang::CallExpr &Call, const Effect &E, Args Operands);
  void emptyCache(const clang::CallExpr &Call, const Effect &E, Args Operands);
  void hangHook(const clang::CallExpr &Call, Args Operands);
  PlaceId ownerOfParameters(PlaceId List) const;
  void writeGradient(const clang::CallExpr &Call, const Effect &E, Args Operands);
  void applyInPlace(const clang::CallExpr &Call, const Effect &E, Args Operands);
  void applyAllocation(const clang::CallExpr &Call, const Effect &E, Args Operands);
  void handOverPointers(const clang::Expr &At, Args Operands);
  void enterCallee(const clang::Expr &Call, const clang::FunctionDecl &Callee, Args Operands);
  void applyEffect(const clang::Expr &Call, const clang::FunctionDecl &Callee,
                   const SummaryEffect &Effect, Args Operands, const clang::Expr *Object);
  void applyEffects(const clang::Expr &Call, const clang::FunctionDecl &Callee, const Summary &S,
                    Args Operands, const clang::Expr *Object);
  void applySummary(const clang::Expr &Call, const clang::FunctionDecl &Callee, const Summary &S,
                    Args Operands, const clang::Expr *Object);
  ValueId applyOneOfBodies(const clang::CallExpr &Call, const clang::FunctionDecl &Body,
                           const Summary &S, Args Operands, const clang::Expr *Object);
  void applyUnknownBody(const clang::CallExpr &Call, const clang::CXXMethodDecl &Method,
                        Args Operands, const clang::Expr *Object);
  bool isOfInterface(const clang::FunctionDecl &Callee);
  bool applyBodies(const clang::CallExpr &Call, const clang::FunctionDecl &Callee, Args Operands,
                   const clang::Expr *Object);
  bool mayChange(const clang::CallExpr &Call, unsigned I);
  void applyUnknown(const clang::CallExpr &Call, Args Operands, const clang::Expr *Object);
  void addReturned(const clang::CallExpr &Call, ValueId OfLambda);
  bool runLambdas(const clang::Expr &Call, Args Operands);
  llvm::SmallVector<const clang::Expr *, 2> elementsFor(const clang::FunctionDecl &Body,
                                                        Args Operands);
  void describe(Event &E, const SummaryEffect &Effect, Args Operands) const;
  ValueId fromCall(const clang::Expr &Call, Args Operands, GraphOut Graph,
                   llvm::ArrayRef<unsigned> From);
  bool startsThread(const clang::Expr &Call, Args Operands);
  bool startThread(const clang::Expr &Call, Args Operands);
  PlaceId placeReturned(const clang::FunctionDecl &Callee, const Summary &S, Args Operands,
                        const clang::Expr *Object);
  const clang::LambdaExpr *lambdaIn(const clang::Expr *E) const;
  const clang::FunctionDecl *lambdaBody(const clang::Expr *E) const;
  const Summary *summaryOf(const clang::FunctionDecl *F) const;
  const Summary *summaryOfBody(const clang::FunctionDecl &F) const;
  PlaceId partAt(PlaceId Whole, llvm::ArrayRef<const clang::ValueDecl *> Fields);
  PlaceId translate(const RelativePlace &P, Args Operands, const clang::Expr *Object);
  ValueId compute(const clang::Expr &E, const Effect &Api, Args Operands);
  bool growsIn(const clang::Stmt &Body, const clang::Expr &E);
  bool isBoundedBySize(const clang::Stmt &At, PlaceId Container);

  /// Which function turns an effect of the API model into events.
  struct Handling {
    Does What;
    void (FactsGenerator::*Apply)(const clang::CallExpr &, const Effect &, Args);
  };
  static const Handling Handlings[];

  // New objects (FactsConstructions.cpp).
  void visitConstruct(const clang::CXXConstructExpr &C);
  bool mayChange(const clang::Expr &Given, bool InView);
  void applyConstructor(const clang::CXXConstructExpr &C, Args Operands);
  const Summary *summaryOfNewObject(const clang::CXXConstructorDecl *Constructor) const;
  ValueId newObject(const clang::Expr &Made, const clang::CXXConstructorDecl *Constructor,
                    Args Operands);
  bool mayTake(const clang::CXXConstructorDecl &Constructor, Args Operands);
  const clang::CXXConstructorDecl *constructorRun(clang::QualType Made, Args Operands);
  bool makesObject(const clang::CallExpr &Call, Args Operands);
  ValueId valueMadeInPlace(const clang::CallExpr &Call, Args Operands);
  bool storeMembers(PlaceId P, const clang::Expr &Init, const clang::Stmt &S);
  void visitNew(const clang::CXXNewExpr &N);

  // Modules, backward passes, optimizers (FactsTraining.cpp).
  PlaceId placeGiven(const clang::Stmt &Taker, const clang::Stmt &Given);
  PlaceId placeInitializedBy(const clang::Stmt &Part);
  PlaceId placeOfFrozen(const clang::CallExpr &Freezes, const clang::Expr *Self);
  void applyModule(const clang::CallExpr &Call, const Effect &E, Args Operands);
  void applyTraining(const clang::CallExpr &Call, const Effect &E, Args Operands);
  void readBackwardFlags(Event &Backward, Args Operands) const;
  bool isJustMade(ValueId V) const;
  void switchGrad(const clang::CallExpr &Call, ValueId V);
  bool dependsOnName(const clang::Stmt &At) const;

  // Bodies of callees that stand in the graph (FactsSplices.cpp).
  bool visitSpliced(const clang::CallExpr &Call);
  void enter(SpliceId Id);
  PlaceId thisOfCallee(const Splice &S, const clang::CXXMethodDecl &Method);
  bool isNameOnly(const clang::ParmVarDecl &Param);
  void giveTo(const clang::ParmVarDecl &Param, const Splice &S);
  void returnTo(SpliceId Id, const clang::ReturnStmt &R);
  void leave(SpliceId Id);
  void meet(const clang::CallExpr &Call);
  PlaceId placeOfThis();
  bool isOfSplicedBody(const clang::ValueDecl &V) const;

  // Optionals, smart pointers, pairs, tuples; lists of functions (FactsBoxes.cpp).
  bool makesBox(const clang::CallExpr &Call, Args Operands);
  bool fillBox(const clang::CallExpr &Call, const Effect &E, Args Operands);
  bool isOneTensor(clang::QualType Box);
  llvm::SmallVector<ValueId, 2> copiedInto(const clang::LambdaExpr &Lambda);
  void grow(const clang::CallExpr &Call, const Effect &E, Args Operands, ValueId V);
  bool keyVaries(const clang::Expr *Key) const;
  const clang::Expr *givenByCallers(const clang::Expr *E) const;
  void setKey(Event &Grow, const clang::Expr *Key) const;
  const clang::Expr *functionGiven(const clang::Expr *Function) const;
  void changeFunctions(const clang::CallExpr &Call, const Effect &E, Args Operands);
  bool namesPart(const clang::Expr &Lhs);
  const clang::Expr *keyOfPlace(const clang::Expr &Lhs);

  // Values and places (FactsValues.cpp).
  ValueId operand(const clang::Expr *E);
  /// As operand, but an unknown value for what is neither empty nor understood.
  ValueId operandOrUnknown(const clang::Expr &E);
  ValueId group(const clang::Expr &E);
  ValueId listedPart(ValueId Whole, unsigned Index);
  /// Element \p Index of a tuple.
  ValueId partOf(ValueId Whole, unsigned Index, const clang::Stmt &At);
  ValueId load(const clang::Expr &E, PlaceId P);
  /// What \p P holds, where no expression reads it.
  ValueId load(PlaceId P);
  ValueId memberOf(const clang::MemberExpr &M);
  ValueId element(const clang::Expr &E, ValueId Whole);
  ValueId elementOf(const clang::CallExpr &Call, ValueId Whole);
  ValueId addValue(const clang::Expr *E, Value V);
  PlaceId placeOf(const clang::Expr *E);
  PlaceId placeOfVar(const clang::ValueDecl &V);
  PlaceId placeOfOwn(const clang::FieldDecl &Member);
  PlaceId placeOfMember(const clang::MemberExpr &M);
  PlaceId placeOfCall(const clang::CallExpr &Call);
  PlaceId entryOf(PlaceId Container, clang::QualType Type, const clang::Expr *Key);
  PlaceId entryOf(const clang::CallExpr &Call, PlaceId Container);
  bool isStillEmpty(PlaceId Container, const clang::Stmt &At);
  bool addEntry(const clang::CallExpr &Call, Args Operands);
  PlaceId placeOfUserCall(const clang::CallExpr &Call, const clang::FunctionDecl &Callee);
  /// Whether the variable \p V stands for what it is initialized with, for as long as it lives.
  bool isAlias(const clang::VarDecl &V);
  const clang::Expr *pointerGiven(const clang::ValueDecl &V) const;
  bool pointsToWhole(const clang::Expr *Pointer) const;
  /// The place whose tensor \p V shares storage with, through views.
  PlaceId placeBehind(ValueId V) const;
  bool isGradient(ValueId V) const;
  PlaceId ownerOfGradient(ValueId V) const;
  llvm::SmallVector<ValueId, 2> tensorOperands(Args Operands);

  // Events.
  Event &emit(EventKind Kind, const clang::Stmt &Where, PlaceId P = NoId, ValueId V = NoId);
  LoopId loopOf(const clang::Stmt &S);
  LoopId internLoop(const clang::Stmt &S);

  clang::ASTContext &Context;
  ApiModel &Model;
  const SummaryMap &Summaries;
  const CallTargets &Targets;
  FunctionsElsewhere &Others;

  // Of the function at hand.
  FunctionFacts *Out = nullptr;
  std::unique_ptr<Surroundings> Parents;
  llvm::DenseMap<const clang::Expr *, ValueId> ExprValues;
  llvm::DenseMap<const clang::ValueDecl *, PlaceId> Aliases; ///< references
  llvm::DenseSet<const clang::ValueDecl *> Reassigned;       ///< pointers that are written
  llvm::DenseMap<PlaceId, PlaceId> GradientOf; ///< variable holding a gradient -> its owner
  llvm::DenseMap<const clang::Stmt *, LoopId> LoopIds;
  SpliceId InBody = NoId;   ///< the body of the block at hand
  Splicer::WayOfCall OnWay; ///< that the block at hand begins or ends
  size_t FirstOfBlock = 0;  ///< event
  struct SplicedBody {
    bool IsEntered = false;
    PlaceId This = NoId;
    unsigned Enter = 0; ///< the event
    llvm::SmallVector<ValueId, 2> Returned;
    ValueId Result = NoId; ///< where the call may run another body
  };
  std::vector<SplicedBody> Inside; ///< parallel to FunctionFacts::Splices
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FACTS_FACTSGENERATOR_H
