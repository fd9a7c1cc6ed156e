//===-- DeviceCycles.cpp - Owners of device memory that own each other -===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/unfreed-device-memory/DeviceCycles.h"

#include "checks/Budgets.h"
#include "checks/model/ClassNames.h"
#include "checks/questions/ownership/OwnershipCycles.h"
#include "checks/rules/Rules.h"
#include "checks/rules/unfreed-device-memory/Origins.h"
#include "checks/rules/unfreed-device-memory/ResourceDiagnosis.h"

using namespace clang;

namespace tensorleak {
namespace {

using DeviceOwners = llvm::DenseSet<const CXXRecordDecl *>;

/// Classes whose destructors give back something of the device.
DeviceOwners deviceOwners(const ResourceUnit &U) {
  DeviceOwners Out;
  for (const auto &F : U.functions())
    if (const auto *Dtor = dyn_cast<CXXDestructorDecl>(F->Facts.Function);
        Dtor && !F->Released.empty() && U.usesDevice(*Dtor))
      Out.insert(Dtor->getParent()->getCanonicalDecl());
  return Out;
}

/// \p T is one, points to one, or has one as a member, by itself or in a unique_ptr.
bool ownsDevice(const DeviceOwners &Owners, QualType T, unsigned Depth = 0) {
  const CXXRecordDecl *R = T.isNull() ? nullptr : T.getNonReferenceType()->getAsCXXRecordDecl();
  if (!R || isOver(Budget::PointerDepth, Depth + 1))
    return false;
  if (R->isInStdNamespace())
    return llvm::any_of(typeArguments(*R),
                        [&](QualType Arg) { return ownsDevice(Owners, Arg, Depth + 1); });
  R = R->getDefinition();
  return R && (Owners.count(R->getCanonicalDecl()) ||
               llvm::any_of(R->fields(), [&](const FieldDecl *Field) {
                 const CXXRecordDecl *Class = Field->getType()->getAsCXXRecordDecl();
                 return !(Class && isSharedPtr(*Class)) &&
                        ownsDevice(Owners, Field->getType(), Depth + 1);
               }));
}

} // namespace

void reportDeviceCycles(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  const DeviceOwners Owners = deviceOwners(File.resources());
  if (Owners.empty())
    return;
  auto Keeps = [&](QualType T) {
    return ownsDevice(Owners, T) && !keepsTensors(File.unit().model(), T);
  };
  for (const OwnershipCycle &C : findOwnershipCycles(File.unit(), Keeps)) {
    Diagnosis D(UnfreedDeviceMemory::Name, Kind::Ownership, Level::Warning, C.At,
                C.message("device memory"));
    if (C.Member)
      setHolder(D, *C.Member);
    if (const auto *Field = dyn_cast_or_null<FieldDecl>(C.Member))
      if (const auto *Owner = dyn_cast<CXXRecordDecl>(Field->getParent()))
        addOrigins(D, File.resources(), *Owner);
    if (D.Subject.Producers.empty())
      D.Subject.Producers.push_back(C.At);
    Out.push_back(std::move(D));
  }
}

} // namespace tensorleak
