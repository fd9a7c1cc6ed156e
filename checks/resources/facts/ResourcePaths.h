//===-- ResourcePaths.h - Names for places that can hold a resource -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. A path is a variable (or the object itself) and the steps
// from there: `model->layers[i].weight` is model, *, layers, [any], weight.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_FACTS_RESOURCEPATHS_H
#define TENSORLEAK_CHECKS_RESOURCES_FACTS_RESOURCEPATHS_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <string>
#include <vector>

namespace tensorleak {

/// A pointer, or a number with a name of its own, as a cufftHandle and a texture object are.
inline bool mayBeHandle(clang::QualType T) {
  return T->isPointerType() || (T->isIntegerType() && T->getAs<clang::TypedefType>());
}

using PathId = unsigned;
constexpr PathId NoPath = ~0u;

struct Step {
  enum StepKind : uint8_t {
    Root,  ///< the variable itself
    Field, ///< a member
    Star,  ///< what a pointer points to, or an element behind it
    Elem,  ///< an element of an array or a container
    Held,  ///< a part of an optional, a unique_ptr or a tuple, which lives as long as that
    Data,  ///< where a container or a buffer has its elements: what `data()` says
  } What = Root;
  const clang::ValueDecl *Decl = nullptr; ///< Root (null: the object itself), Field
  int64_t Index = 0;                      ///< Star, Elem, Held
  llvm::StringRef Key;                    ///< Elem: the text that Index stands for, if any
  static constexpr int64_t Any = -1;

  static Step field(const clang::FieldDecl &F) { return {Field, &F, 0, {}}; }
  static Step star(int64_t Index = 0) { return {Star, nullptr, Index, {}}; }
  static Step elem(int64_t Index = Any, llvm::StringRef Key = {}) {
    return {Elem, nullptr, Index, Key};
  }
  static Step held(unsigned Part) { return {Held, nullptr, Part, {}}; }
  static Step data() { return {Data, nullptr, 0, {}}; }
  bool operator<(const Step &O) const {
    return std::tie(What, Decl, Index) < std::tie(O.What, O.Decl, O.Index);
  }
  bool operator==(const Step &O) const {
    return What == O.What && Decl == O.Decl && Index == O.Index;
  }
};

/// Interns paths; one per function.
class PathTable {
public:
  PathId root(const clang::ValueDecl *Variable) {
    return intern(NoPath, {Step::Root, Variable, 0, {}});
  }
  PathId extend(PathId Base, Step S) {
    return S.What == Step::Field && isOnePlace(Base, *S.Decl) ? Base : intern(Base, S);
  }
  PathId extend(PathId Base, llvm::ArrayRef<Step> Steps);

  unsigned size() const { return Nodes.size(); }
  PathId parent(PathId P) const { return Nodes[P].Parent; }
  const Step &last(PathId P) const { return Nodes[P].Last; }
  PathId rootOf(PathId P) const;
  const clang::ValueDecl *variable(PathId P) const { return Nodes[rootOf(P)].Last.Decl; }
  /// The steps below the root, outermost first.
  llvm::SmallVector<Step, 4> steps(PathId P) const;
  bool isAtOrBelow(PathId P, PathId Above) const;
  /// Whether the two can be the same place: equal up to unknown indices.
  bool mayEqual(PathId A, PathId B) const;
  /// \p Field is a part of a std::pair in a container, of which the container's own access speaks
  /// as the element \p Base: the two are one place.
  bool isOnePlace(PathId Base, const clang::ValueDecl &Field) const;
  /// One place, rather than any of several.
  bool isExact(PathId P) const { return Nodes[P].Exact; }
  /// An element, or a part of one, of a single array or container.
  bool isElementOfOne(PathId P) const;
  /// The element \p Index behind a pointer to \p P.
  PathId element(PathId P, int64_t Index) {
    return moved(P, Index == Step::Any ? std::nullopt : std::optional(Index));
  }
  /// What a pointer to \p P points to when it is moved \p By elements, if known how many.
  PathId moved(PathId P, std::optional<int64_t> By);
  /// As the programmer would write it: "model->weights".
  std::string text(PathId P) const;

private:
  struct Node {
    PathId Parent;
    Step Last;
    unsigned Depth;
    bool Exact;
  };
  PathId intern(PathId Parent, Step S);
  std::vector<Node> Nodes;
  std::map<std::pair<PathId, Step>, PathId> Index;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FACTS_RESOURCEPATHS_H
