//===-- Storages.h - Which memory each variable may refer to --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor is a handle: several may refer to one storage, and so may views and graphs. A
// forward dataflow says which storages each variable may refer to, and which have got where
// they are not followed. A copy that may be the tensor itself (`to`, `contiguous`) refers to
// both, so that it does not matter which it is.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_QUESTIONS_STORAGES_H
#define TENSORLEAK_CHECKS_QUESTIONS_STORAGES_H

#include "checks/flow/Unit.h"
#include "checks/questions/Reads.h"

namespace tensorleak {

/// The storages that something may refer to. They go by the value that made them; after those
/// of a function stand what its parameters were handed.
struct Referred {
  llvm::SmallVector<unsigned, 2> Storages; ///< sorted
  bool ToOthers = false;                   ///< or to what is not followed
  bool InPart = false; ///< perhaps through a view of a part, or of what overlaps itself

  static Referred others();
  bool add(unsigned Storage);
  bool add(const Referred &More);
  bool meets(const Referred &Other) const;
};

struct StorageState {
  llvm::DenseMap<PlaceId, Referred> Places; ///< a member without an entry has its object's
  Referred Escaped;
};

/// What callers need to know of a function.
struct StorageSummary {
  bool ReturnsOwn = false;                ///< what it has made, and nobody else refers to
  bool ReturnsParameters = false;         ///< what it was given
  bool ReturnsOthers = false;             ///< anything else
  bool ReturnsInPart = false;             ///< as Referred::InPart
  llvm::SmallVector<unsigned, 2> Kept;    ///< parameters that something refers to afterwards
  llvm::SmallVector<unsigned, 2> Changed; ///< variables of the caller's that it may write
};

class AllStorages;

/// Of one function.
class Storages {
public:
  Storages(AllStorages &All, const FunctionUnit &F);

  /// What holds right before the event; nothing where it is not known.
  std::optional<StorageState> before(unsigned Event) const;
  /// When the function ends, its variables still there; nothing where it never does.
  std::optional<StorageState> atEnd() const;
  /// What its callers get.
  const Referred &returned() const { return Returned; }
  Referred of(ValueId V, const StorageState &Now) const;
  Referred held(PlaceId P, const StorageState &Now) const;
  /// Whether all that becomes of the variable is in the events of this function.
  bool isOwn(PlaceId P) const;
  bool isParameter(unsigned Storage) const { return Storage >= Facts.Values.size(); }
  unsigned parameterOf(unsigned Storage) const { return Storage - Facts.Values.size(); }
  /// Null where it is not known, or not yet.
  const StorageSummary *summary() const { return IsSolved ? &Told : nullptr; }
  void solve();
  const Reads &reads() const { return TheReads; }

  // What the dataflow asks.
  void apply(unsigned Event, StorageState &Now) const;
  bool join(StorageState &Into, const StorageState &From) const;

private:
  /// The parts that have an entry of their own have it by themselves.
  Referred heldApartFromParts(PlaceId P, const StorageState &Now) const;
  StorageState atEntry() const;
  void summarize();
  void addReturn(const Event &E, const StorageState &Now);
  void noteChange(const Event &E);
  void assign(const Event &E, StorageState &Now) const;
  void write(const Event &E, StorageState &Now) const;
  void adopt(const Value &V, StorageState &Now) const;
  void enter(const Event &E, StorageState &Now) const;
  void exchange(const clang::CallExpr &Call, StorageState &Now) const;
  void put(PlaceId P, Referred What, StorageState &Now) const;
  void escape(const Referred &What, StorageState &Now) const { Now.Escaped.add(What); }
  Referred ofApi(ValueId V, const StorageState &Now) const;
  Referred ofRun(ValueId V, const StorageState &Now) const;
  Referred ofCall(ValueId V, const StorageState &Now) const;
  Referred ofInputs(const Value &V, const StorageState &Now) const;
  bool mayKeepOperands(ValueId V) const;
  std::optional<unsigned> ownParameter(PlaceId P) const;
  Referred heldByOthers(PlaceId P) const;

  AllStorages &All;
  const FunctionUnit &F;
  const FunctionFacts &Facts;
  Reads TheReads;
  llvm::DenseSet<const clang::ValueDecl *> OutOfOrder;
  llvm::DenseMap<ValueId, const clang::FunctionDecl *> CalleeOf;
  std::vector<std::optional<StorageState>> AtBlock;
  StorageSummary Told;
  Referred Returned;
  bool IsSolved = false;
};

/// Adds the tensors whose memory \p Body looks at in another way as well: `x.data_ptr()` and
/// `x.accessor()` that are kept, and from_blob(); and those that handlers of exceptions name,
/// which the control-flow graph leaves out.
void addPointedInto(const clang::Stmt *Body, ApiModel &Model,
                    llvm::DenseSet<const clang::ValueDecl *> &Into);

/// Of the functions of a file, each computed when it is first asked for.
class AllStorages {
public:
  explicit AllStorages(Unit &U) : U(U) {}
  Storages &of(const FunctionUnit &F);
  /// Nothing is known of what is not in view, of what may be overridden, and of what is being
  /// computed: a function that calls itself.
  const StorageSummary *summaryOf(const clang::FunctionDecl &Callee);
  /// A private member that only \p In reads or writes.
  bool isUsedOnlyIn(const clang::FieldDecl &Member, const FunctionFacts &In);
  Unit &unit() { return U; }

private:
  Unit &U;
  llvm::DenseMap<const FunctionFacts *, std::unique_ptr<Storages>> Known;
  llvm::DenseMap<std::pair<const clang::FieldDecl *, const FunctionFacts *>, bool> OnlyIn;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_QUESTIONS_STORAGES_H
