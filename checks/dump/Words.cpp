//===-- Words.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/dump/Words.h"

#include "checks/dump/EnumNames.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace clang;

namespace tensorleak {

SourceLocation locationOf(const Stmt *S, const FunctionDecl &F) {
  if (const auto *E = dyn_cast_or_null<Expr>(S))
    return E->getExprLoc();
  return S ? S->getBeginLoc() : F.getLocation();
}

static std::string relativePath(llvm::StringRef Path) {
  llvm::SmallString<128> Here;
  if (!llvm::sys::fs::current_path(Here)) {
    Here += '/';
    Path.consume_front(Here);
  }
  return Path.str();
}

std::string placeInSource(SourceLocation Loc, const SourceManager &SM) {
  if (Loc.isInvalid())
    return "?";
  SourceLocation At = SM.getExpansionLoc(Loc);
  return relativePath(SM.getFilename(At)) + ":" + std::to_string(SM.getExpansionLineNumber(At)) +
         ":" + std::to_string(SM.getExpansionColumnNumber(At));
}

std::string placeText(const FunctionFacts &Facts, PlaceId P) {
  if (P == NoId)
    return "?";
  const Place &Here = Facts.Places[P];
  if (Here.isEntry())
    return placeText(Facts, Here.Parent) + "[" + std::to_string(*Here.Key) + "]";
  std::string Name = Here.Decl ? Here.Decl->getNameAsString() : "this";
  return Here.isField() ? placeText(Facts, Here.Parent) + "." + Name : Name;
}

/// The callee's name, for values that a function makes.
static std::string calleeText(const Value &V) {
  const auto *Call = dyn_cast_or_null<CallExpr>(V.E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee ? Callee->getNameAsString() : "?";
}

static std::string sourceOf(const Value &V) {
  switch (V.From) {
  case Source::Api:
    return V.Api.Name.empty() ? calleeText(V) : V.Api.Name.str();
  case Source::UserCall:
    return calleeText(V);
  case Source::New:
    return "new";
  case Source::Load:
  case Source::Group:
    return "";
  case Source::Unknown:
    return "?";
  }
  llvm_unreachable("a source without a name");
}

/// Below this depth of operands a value goes by "...".
static constexpr unsigned MaxDepth = 4;

static std::string valueText(const FunctionFacts &Facts, ValueId Id, unsigned Depth) {
  if (Id == NoId)
    return "?";
  const Value &V = Facts.Values[Id];
  std::string Out;
  if (V.From == Source::Load)
    Out = placeText(Facts, V.Loaded);
  else if (Depth == MaxDepth)
    Out = "...";
  else {
    std::string Inputs = V.Loaded == NoId ? "" : placeText(Facts, V.Loaded);
    for (ValueId In : V.Inputs)
      Inputs += (Inputs.empty() ? "" : ", ") + valueText(Facts, In, Depth + 1);
    Out = V.From == Source::Group ? "{" + Inputs + "}" : sourceOf(V) + "(" + Inputs + ")";
  }
  return V.Part < 0 ? Out : "get<" + std::to_string(V.Part) + ">(" + Out + ")";
}

std::string valueText(const FunctionFacts &Facts, ValueId V) { return valueText(Facts, V, 0); }

std::string valuesText(const FunctionFacts &Facts, llvm::ArrayRef<ValueId> Values) {
  std::string Out;
  for (ValueId V : Values)
    Out += (Out.empty() ? "" : ", ") + valueText(Facts, V);
  return Out;
}

std::string effectText(const Effect &E) {
  std::string Out = enumName(E.What).str();
  if (std::string Traits = flagNames<Trait>(E.Traits, std::make_index_sequence<32>());
      !Traits.empty())
    Out += " " + Traits;
  if (E.Shape != ShapeRule::Unknown)
    Out += ", shape " + enumName(E.Shape).str();
  return Out;
}

llvm::StringRef modeText(Mode M) { return enumName(M); }

} // namespace tensorleak
