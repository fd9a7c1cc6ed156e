//===-- ApiModel.h - From a declaration to its effect ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only place where names of LibTorch, CUDA and the C++ library are looked
// at. LibTorch.def is the data; this is the lookup, cached per declaration.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_MODEL_APIMODEL_H
#define TENSORLEAK_CHECKS_MODEL_APIMODEL_H

#include "checks/model/Effects.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace tensorleak {

/// What a type means to the analyses.
enum class TypeClass : uint8_t {
  Other,
  Tensor,          ///< at::Tensor and its aliases
  TensorContainer, ///< a library container, optional or smart pointer of tensors
  TensorRecord,    ///< a user's class that has a tensor among its members, and IValue
  TensorTuple,     ///< std::tuple or std::pair with a tensor
  Module,          ///< torch::nn::Module, a holder of one, or a TorchScript module
  Optimizer,       ///< torch::optim::Optimizer or a pointer to one
  Guard,           ///< switches grad mode while it lives
};

/// An object of that class holds tensors, and lets go of them when it is destroyed.
inline bool mayOwnTensors(TypeClass Class) {
  return Class != TypeClass::Other && Class != TypeClass::Guard;
}

class ApiModel {
public:
  /// The effect of a call, or nothing when the callee is not of an API we model.
  std::optional<Effect> effectOf(const clang::FunctionDecl &Callee);
  /// A function of LibTorch that the tables name. What they say of it counts also where a
  /// stand-in with a body is in view, as for a build without CUDA.
  bool knowsByName(const clang::FunctionDecl &Callee) const;

  /// Something of LibTorch has that name which freezes, trains, differentiates, or turns grad mode
  /// off.
  bool isAboutGradients(llvm::StringRef Name) const;

  TypeClass classify(clang::QualType T);
  bool isTensor(clang::QualType T) { return classify(T) == TypeClass::Tensor; }
  /// Holds tensors in some way: a tensor, a container, a tuple or a record of them.
  bool holdsTensors(clang::QualType T);
  /// Whether \p Member is a field, and the one tensor of its class: it looks like the object.
  bool isOnlyTensor(const clang::Decl *Member);
  /// A number, a string, a stream, a device, or a record of such: it leads to no tensor, module
  /// or optimizer, and keeps none.
  bool isPlainData(clang::QualType T);
  Guard guardOf(clang::QualType T);
  /// What the model says of a data member; Plain for all that it does not list.
  FieldKind kindOf(const clang::FieldDecl &F) const;
  /// A module class without parameters, which adds no graph of its own: one of
  /// LibTorch's, or a user's whose members are none that could hold a parameter.
  bool isParameterless(clang::QualType T) { return isParameterless(T, 0); }
  /// A module that has parameters for certain: loaded, LibTorch's own, or with such a part.
  /// A tensor member may be a parameter or not; the constructor knows, maybe in another file.
  bool hasLayers(clang::QualType T) { return hasLayers(T, 0); }
  /// A module of LibTorch itself with parameters; its backward keeps its input.
  bool isLayer(clang::QualType T);
  /// A class derived from torch::nn::Module.
  bool isModuleClass(const clang::RecordDecl &R);
  /// The module class that \p T is, points to or is a holder of.
  const clang::CXXRecordDecl *moduleClass(clang::QualType T);
  /// The class of torch::nn that \p T is or points to, without Impl; empty for others.
  llvm::StringRef layerName(clang::QualType T);
  /// A shared_ptr or module holder, whose copies own the same module.
  bool isSharedModule(clang::QualType T);
  /// A library container whose entries have keys: map, set and their kin.
  bool isKeyed(clang::QualType T);
  /// An iterator of the C++ library over tensors, or over what holds some.
  bool isTensorIterator(clang::QualType T);
  /// A call that runs what it is given on a thread of its own, whose grad mode is its own.
  bool startsThread(const clang::FunctionDecl &Callee, llvm::ArrayRef<const clang::Expr *> Args);
  /// A module loaded from TorchScript: its parameters' requires_grad is unknown.
  bool isScriptModule(clang::QualType T);

private:
  TypeClass computeClass(clang::QualType T, unsigned Depth);
  TypeClass classOfRecord(const clang::CXXRecordDecl &R, unsigned Depth);
  TypeClass computeRecordClass(const clang::CXXRecordDecl &R, unsigned Depth);
  bool holdsTensors(clang::QualType T, unsigned Depth);
  bool isParameterless(clang::QualType T, unsigned Depth);
  bool mayHoldParameters(const clang::CXXRecordDecl &R, unsigned Depth);
  bool hasLayers(clang::QualType T, unsigned Depth);
  std::optional<Effect> computeEffect(const clang::FunctionDecl &F);

  llvm::DenseMap<const clang::FunctionDecl *, std::optional<Effect>> Effects;
  llvm::DenseMap<const clang::Type *, TypeClass> Classes;
  llvm::DenseMap<const clang::Type *, bool> PlainTypes;
  /// By record and depth: records that point to each other have many ways to each.
  llvm::DenseMap<std::pair<const clang::CXXRecordDecl *, unsigned>, TypeClass> RecordClasses;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_MODEL_APIMODEL_H
