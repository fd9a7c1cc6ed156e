//===-- RecordKeys.h - Which member or global a path leads to --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. All functions of a file speak of the same member by one key.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_RECORDS_KEYS_RECORDKEYS_H
#define TENSORLEAK_CHECKS_RESOURCES_RECORDS_KEYS_RECORDKEYS_H

#include "checks/resources/facts/ResourceFacts.h"
#include "clang/AST/DeclCXX.h"

namespace tensorleak {

/// A member, or a global: who owns it, and the way from there.
struct RecordKey {
  const clang::NamedDecl *Owner = nullptr;              ///< the record, or the global variable
  llvm::SmallVector<const clang::ValueDecl *, 2> Chain; ///< empty for a plain global
  bool IsBehind = false; ///< the elements of an array to which it points: `float **buffers;`
  bool operator<(const RecordKey &O) const {
    return std::tie(Owner, Chain, IsBehind) < std::tie(O.Owner, O.Chain, O.IsBehind);
  }
  bool operator==(const RecordKey &O) const {
    return Owner == O.Owner && Chain == O.Chain && IsBehind == O.IsBehind;
  }
  std::string text() const; ///< the names of the chain
  /// It is \p Whole, or a part of that or of its elements.
  bool isWithin(const RecordKey &Whole) const {
    return Owner == Whole.Owner && (!Whole.IsBehind || *this == Whole) &&
           llvm::ArrayRef(Chain).take_front(Whole.Chain.size()) == llvm::ArrayRef(Whole.Chain);
  }
};

/// Nothing for a local variable and for memory behind pointers, but for the first's elements.
std::optional<RecordKey> keyOf(const ResourceFacts &Facts, PathId P);

/// The member of each record within the record that \p Key names: `net.data` of an object is the
/// `data` that another function has filled through a pointer to its `net`.
llvm::SmallVector<RecordKey, 2> keysWithin(const RecordKey &Key);

/// Whether no method can do to the member \p Chain what the file does not show. Those of a class
/// template that nothing in the file calls have no body of their own; the template's must not
/// mention it, nor hand the object on.
bool allMethodsSeen(const clang::CXXRecordDecl &Class,
                    llvm::ArrayRef<const clang::ValueDecl *> Chain);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_RECORDS_KEYS_RECORDKEYS_H
