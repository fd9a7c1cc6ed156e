//===-- ResourceFacts.h - What one function does to resources --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. The product of ResourceGenerator and the input of
// ResourceFlow: events per block of the control-flow graph, and what each branch
// says about the resources that were just asked for.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_FACTS_RESOURCEFACTS_H
#define TENSORLEAK_CHECKS_RESOURCES_FACTS_RESOURCEFACTS_H

#include "checks/model/ResourceModel.h"
#include "checks/resources/facts/ResourcePaths.h"
#include "clang/AST/Expr.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace tensorleak {

using SiteId = unsigned;

/// A loop fills more elements than are known.
constexpr unsigned ManyElements = ~0u;

/// A call that accepts \p Accepts takes off what is attached to memory, and leaves the memory.
inline bool onlyDetaches(FamilySet Accepts) { return Accepts && !(Accepts & ~AttachedFamilies); }

/// Where a loop over elements ends: before the one whose number is Of + Number, or Number alone.
struct ElementEnd {
  /// A variable with one value in all of the function, or a member with one (CountMembers).
  const clang::ValueDecl *Of = nullptr;
  std::optional<int64_t> Number; ///< none: the end is not known
};

/// How many of the elements that another loop has filled a loop passes by.
struct SparedElements {
  unsigned AtBegin = 0, AtEnd = 0;
  bool areSome() const { return AtBegin + AtEnd > 0; }
  /// What neither of two loops comes to.
  void meet(const SparedElements &Other) {
    AtBegin = std::min(AtBegin, Other.AtBegin);
    AtEnd = std::min(AtEnd, Other.AtEnd);
  }
};

/// One place that takes a resource.
struct Site {
  Family What;
  const clang::Expr *Call = nullptr; ///< in this function
  clang::SourceLocation Inner;       ///< inside the callee, when that takes it
  std::optional<int64_t> Bytes;
  /// The callee put it into a member of its own accord: `init(&ctx)`.
  bool OfCallee = false;
  FamilySet Also = 0;    ///< a callee takes one of several, such as device or host memory
  bool SomeWays = false; ///< a callee takes it on some of its ways only
  bool Attached = false; ///< to memory that was there before, such as a registration
  bool Dropped = false;  ///< the statement discards the only pointer to it
  /// The loop that takes one in each round, into another element each time, begins with it.
  const clang::Stmt *LoopBegin = nullptr;
  unsigned Elements = 0;  ///< that such a loop fills; 0 where it is no such loop
  unsigned First = 0;     ///< the number of the first of them
  ElementEnd End = {};    ///< and that behind the last one
  bool IntoNamed = false; ///< they are variables of which a list has the addresses
  unsigned Appended = 0;  ///< so many, at least, are put behind each other into a list
  const clang::ValueDecl *Index =
      nullptr; ///< says which element it goes to, and counts no loop here
  unsigned several() const { return Elements ? Elements : Appended; }
  /// By a loop that passes \p AtEnds by, at the begin or the end, and ends at \p Until.
  SparedElements sparedBy(unsigned AtEnds, const ElementEnd &Until) const;
  bool isAcceptedBy(FamilySet Accepts) const { return (only(What) | Also) & Accepts; }
};

/// What an expression may yield; a conditional yields several.
struct Atom {
  enum AtomKind : uint8_t { Load, Address, Fresh } What;
  unsigned Id; ///< a path, or a site
};
using Operand = llvm::SmallVector<Atom, 2>;

enum class ResourceEventKind : uint8_t {
  Acquire,    ///< Site is taken, into Path when it has one
  Assign,     ///< Path := Value
  CopyTree,   ///< everything below Path := everything below From
  Rotate,     ///< the places that Value names change places; Path, if any, helps in it
  Declare,    ///< Path begins a new life
  Remove,     ///< elements Path of a container are taken out of it, and not freed by that
  Release,    ///< Value is given back, to a call that accepts Accepts
  ReleaseAll, ///< everything on the device is given back
  Doubt,      ///< Value goes to a function that may keep or free it
  View,       ///< a tensor is made over Value, and does not own it
  Escape,     ///< Value goes where its owner may be
  EscapeTree, ///< Path and all below may be read and written
  Throw,      ///< what is called may throw, and has then not taken Value
  Return,     ///< Value, and all below Path, is returned
};

/// What a callee put into part of the record that it returns.
struct ReturnedPart {
  llvm::SmallVector<Step, 3> Steps;
  SiteId Site = 0;
  Operand Value = {}; ///< what the caller had before has this second name; empty for a new Site
};

/// What a call returns where something else holds: zero, or anything but that.
struct CallAnswer {
  const clang::CallExpr *Call = nullptr;
  bool IsZero = false;
};

struct ResourceEvent {
  ResourceEventKind Kind;
  const clang::Stmt *At = nullptr;
  PathId Path = NoPath, From = NoPath;
  Operand Value;
  SiteId Site = 0;
  FamilySet Accepts = 0;
  llvm::SmallVector<ReturnedPart, 1> Parts; ///< Return: of a call's result, handed through
  std::vector<Step> Below; ///< Return: the part of what is returned that has Value, or is Path
  bool ByCallee = false;   ///< happens inside a function that is called here
  bool OnFailure = false;  ///< Throw: only where a call to the device failed
  bool Maybe = false;      ///< Acquire: or the path keeps what it holds
  /// Remove: Path is one record of this class, which ends or is replaced.
  const clang::CXXRecordDecl *Whole = nullptr;
  /// Release, Escape, Assign: only where the call in which it happens gives this answer.
  std::optional<CallAnswer> When = std::nullopt;
  std::optional<int64_t> Element; ///< Release: of a container, the only one that is named
  unsigned Spared = 0;            ///< Release: so many elements its loop passes by
  ElementEnd Until;               ///< Release: where that ends

  /// Release: of what is attached to memory, not of the memory.
  bool onlyDetaches() const { return tensorleak::onlyDetaches(Accepts); }
  /// Assign, CopyTree: the places from which something is stored at Path.
  llvm::SmallVector<PathId, 2> storedFrom() const;
};

/// What is null on one side of a branch, and the elements of which container it has none.
struct Branch {
  Operand NullOnTrue, NullOnFalse;
  PathId NoneOnTrue = NoPath, NoneOnFalse = NoPath;
};

/// What a call's result tells: whether these were taken.
struct CallStatus {
  llvm::SmallVector<SiteId, 1> Sites;
};

class MemberWrites;

struct ResourceFacts {
  const clang::FunctionDecl *Function = nullptr;
  const clang::CFG *Cfg = nullptr;
  PathTable Paths;
  std::vector<Site> Sites;
  std::vector<std::vector<ResourceEvent>> Blocks; ///< by CFGBlock::getBlockID()
  llvm::DenseMap<unsigned, Branch> Branches;      ///< by CFGBlock::getBlockID()
  llvm::DenseMap<const clang::Expr *, CallStatus> Statuses;
  /// By CFGBlock::getBlockID(): the call with which it ends the program.
  llvm::DenseMap<unsigned, const clang::Stmt *> Ends;
  llvm::DenseMap<const clang::Stmt *, const clang::CXXTryStmt *> Tries; ///< by what they guard
  const MemberWrites *Writes = nullptr; ///< what calls may change, where that is known
  bool AreThrowsCaught = true;          ///< some function of the file goes on after an exception
  /// Local pointers into arrays, and what such an array goes by else: `float **each = buffers_;`
  llvm::DenseMap<const clang::ValueDecl *, PathId> OtherNames;

  /// Whether \p P lives and dies with this function: no global, member,
  /// caller's object or memory behind a pointer.
  bool isOwnStorage(PathId P) const;
  bool isOwnVariable(const clang::ValueDecl *V) const;
};

//===-- What callers see --------------------------------------------------===//

/// A path in the caller's terms.
struct RelativeResourcePath {
  enum RootKind : uint8_t { Param, Variadic, This, Variable, Returned } Root = This;
  unsigned Param_ = 0;
  const clang::ValueDecl *Var = nullptr;
  llvm::SmallVector<Step, 3> Steps;
  bool operator==(const RelativeResourcePath &O) const {
    return Root == O.Root && Param_ == O.Param_ && Var == O.Var && Steps == O.Steps;
  }
};

struct ResourceSummary {
  struct Taken {
    SiteId Site;                                      ///< in the callee
    llvm::SmallVector<RelativeResourcePath, 1> Where; ///< all places that hold it
    Family What;
    clang::SourceLocation At;
    std::optional<int64_t> Bytes;
    bool Maybe;            ///< not on every way out: `if (!p) cudaMalloc(&p, n)`
    FamilySet Also = 0;    ///< see Site
    unsigned Elements = 0; ///< see Site
    unsigned Appended = 0;
    const clang::ValueDecl *Index = nullptr;
  };
  struct Given {
    RelativeResourcePath Where;
    FamilySet Accepts;
  };
  struct Stored {
    RelativeResourcePath Where, From;
    bool operator==(const Stored &O) const { return Where == O.Where && From == O.From; }
  };
  /// What the function is given, and leaves to its caller where its result is no such one.
  struct Accepted {
    RelativeResourcePath What;
    bool OnZero; ///< it is the function's where that returns zero; else where it does not
    bool operator==(const Accepted &O) const { return What == O.What && OnZero == O.OnZero; }
  };
  std::vector<Taken> Takes;
  std::vector<Given> Releases;
  std::vector<Stored> Stores;
  std::vector<std::vector<RelativeResourcePath>> Rotates; ///< places that change places
  std::vector<RelativeResourcePath> Escapes;              ///< values
  std::vector<RelativeResourcePath> Doubts;               ///< values
  std::vector<RelativeResourcePath> TreesEscape;          ///< everything at and below
  llvm::SmallVector<unsigned, 1> ReturnsParams;
  bool ReleasesAll = false;
  std::vector<RelativeResourcePath> Views; ///< values: tensors are made over them, and own nothing
  std::vector<Accepted> Accepts;           ///< of what Releases, Stores and Escapes speak of
  /// A getter's result, or a part of it (Where, of root Returned), is a second name of what was at
  /// From when the function began.
  std::vector<Stored> Returns;
  std::vector<Stored> MovesOut; ///< as Returns, and something else is at From afterwards
  std::vector<RelativeResourcePath> ReturnsAddresses; ///< `return &inner;`, `return this;`

  /// It tells something of what the function is given for parameter \p Param.
  bool speaksOf(unsigned Param) const;
};

using ResourceSummaries = llvm::DenseMap<const clang::FunctionDecl *, ResourceSummary>;

/// What is known of functions that have no body in this file.
class ResourcesElsewhere {
public:
  virtual ~ResourcesElsewhere() = default;
  /// Null where \p F has a body here, or nothing is known of it.
  virtual const ResourceSummary *resources(const clang::FunctionDecl &F) = 0;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FACTS_RESOURCEFACTS_H
