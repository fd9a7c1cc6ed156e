//===-- ResourceModel.h - Calls that take and give back resources ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuda.def is the data; this is the lookup, cached per declaration.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_MODEL_RESOURCEMODEL_H
#define TENSORLEAK_CHECKS_MODEL_RESOURCEMODEL_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <cstdint>
#include <optional>

namespace tensorleak {

enum class Family : uint8_t {
#define FAMILY(Id, What, Release, Traits) Id,
#include "checks/model/Cuda.def"
  Count
};

/// A set of families.
using FamilySet = uint64_t;
static_assert(unsigned(Family::Count) <= 64, "FamilySet is too small");
constexpr FamilySet only(Family F) { return FamilySet(1) << unsigned(F); }

/// What is attached to memory that was there before, and leaves it when it is given back: a
/// registration, a mapping.
constexpr FamilySet AttachedFamilies = 0
#define ATTACH(Id, ...) | only(Family::Id)
#include "checks/model/Cuda.def"
    ;

/// Memory of the device's that is taken as a block.
constexpr FamilySet deviceMemory() {
  return only(Family::Device) | only(Family::DeviceAsync) | only(Family::DriverDevice) |
         only(Family::Thrust);
}

struct FamilyInfo {
  llvm::StringRef What;    ///< "device memory", "a stream"
  llvm::StringRef Release; ///< the call that gives it back
  bool IsMemory, IsHost;
  bool HoldsTensors; ///< tensor-undeleted-tensor speaks of it
};
const FamilyInfo &infoOf(Family F);
/// The families that need no device.
FamilySet hostFamilies();

/// Whether the class template that \p Class comes from is made for numbers, as a vector of them:
/// it has no place for a pointer.
bool isForNumbers(const clang::CXXRecordDecl &Class);

/// Whether \p T is a type in which calls to the device or its libraries say that they
/// failed.
bool isDeviceStatus(clang::QualType T);

/// What one call takes or gives back.
struct ResourceEffect {
  enum Kind : uint8_t {
    Out,       ///< stores a new resource through argument Argument
    Result,    ///< returns a new resource
    Attach,    ///< argument Argument itself must be given back
    Free,      ///< gives argument Argument back
    FreeAt,    ///< gives back what argument Argument points to
    FreeAll,   ///< gives everything on the device back
    Fill,      ///< writes what argument 0 points to
    Copy,      ///< stores what argument 1 points to where argument 0 points
    LastError, ///< the result says whether the calls before it failed
    End,       ///< ends the program as a return from main does
    Borrow,    ///< only looks; the result owns nothing
    FreeSelf,  ///< gives the object that it is called on back
  } What;
  Family Kind_ = Family::Count; ///< of what is taken
  FamilySet Accepts = 0;        ///< what may be given back here
  unsigned Argument = 0;
  llvm::StringRef Sizes; ///< digits: the arguments whose product is the size
};

class ResourceModel {
public:
  ResourceModel();
  /// What a call of \p Callee does, or null. realloc both frees and returns.
  llvm::ArrayRef<ResourceEffect> effectsOf(const clang::FunctionDecl &Callee) const;
  /// A function or method of a library that neither keeps nor frees what it is given, if
  /// \p Callee is the library's own.
  bool onlyUses(const clang::FunctionDecl &Callee) const;
  /// What `delete` of a \p T may give back: what the library makes whose class that is.
  FamilySet deletedAs(clang::QualType T) const;
  /// An object of a library's class that is a pointer and owns nothing.
  bool isPointer(clang::QualType T) const;

private:
  void add(llvm::StringRef Scope, llvm::StringRef Names, const ResourceEffect &E);
  void addClasses(llvm::StringRef Scope, llvm::StringRef Classes);
  llvm::StringMap<llvm::SmallVector<ResourceEffect, 1>> Effects; ///< "scope::name"
  llvm::StringSet<> Users;                                       ///< namespaces
  llvm::StringMap<FamilySet> Makes;                              ///< by namespace
  llvm::StringSet<> Pointers;                                    ///< classes: "scope::name"
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_MODEL_RESOURCEMODEL_H
