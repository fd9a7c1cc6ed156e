//===-- Reads.cpp - Reads of a holder, after something was put into it --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/Rewritings.h"
#include "test/metamorphic/rewriter/rewritings/Holders.h"

using namespace clang;

namespace tensorleak::rewriter {
namespace {

/// The statement that reads the holder whose text is given; "" where there is none.
using Reader = std::string (*)(const Store &, const std::string &);

void addReads(const Unit &U, Sites &Out, Reader Read, const std::vector<std::string> &Headers) {
  for (const FunctionDecl *F : U.functions())
    for (const Store &S : storesIn(U, *F)) {
      const std::string Text = Read(S, U.text(S.Holder->getSourceRange()));
      Site Found;
      Found.Headers = Headers;
      if (!Text.empty())
        U.addAfter(Found, S.Statement, Text);
      keep(Out, std::move(Found));
    }
}

/// What one item is read with, where `Item` names it.
std::string readItem(const ClassTemplateSpecializationDecl &Container, const std::string &Item) {
  const QualType First = elementType(Container, 0), Second = elementType(Container, 1);
  if (!First.isNull() && isTensor(First))
    return "(void)" + Item + ".numel();";
  if (!Second.isNull() && isTensor(Second))
    return "(void)" + Item + ".second.numel();";
  return "(void)" + Item + ";";
}

std::string size(const Store &S, const std::string &Holder) {
  if (stdContainer(S.Holder->getType()))
    return "(void)" + Holder + ".size();";
  return isTensor(S.Holder->getType()) ? "(void)" + Holder + ".numel();" : "";
}

bool hasBack(const ClassTemplateSpecializationDecl &Container) {
  return llvm::is_contained({"vector", "deque", "list"}, Container.getName());
}

std::string back(const Store &S, const std::string &Holder) {
  const auto *Container = stdContainer(S.Holder->getType());
  if (!Container)
    return isTensor(S.Holder->getType()) ? "(void)" + Holder + ".sum().item<float>();" : "";
  if (!hasBack(*Container) || !isTensor(elementType(*Container, 0)))
    return "";
  return "(void)" + Holder + ".back().sum().item<float>();";
}

std::string loop(const Store &S, const std::string &Holder) {
  const auto *Container = stdContainer(S.Holder->getType());
  if (!Container || Container->getName() == "stack")
    return "";
  return "for (const auto &one_of : " + Holder + ") " + readItem(*Container, "one_of");
}

std::string print(const Store &S, const std::string &Holder) {
  const QualType Type = S.Holder->getType();
  if (Type->isPointerType())
    return "std::cout << static_cast<const void *>(" + Holder + ") << '\\n';";
  return std::string("std::cout << ") + Holder + (stdContainer(Type) ? ".size()" : ".numel()") +
         " << '\\n';";
}

} // namespace

void readSize(const Unit &U, Sites &Out) { addReads(U, Out, size, {}); }
void readBack(const Unit &U, Sites &Out) { addReads(U, Out, back, {}); }
void readLoop(const Unit &U, Sites &Out) { addReads(U, Out, loop, {}); }
void readPrint(const Unit &U, Sites &Out) { addReads(U, Out, print, {"iostream"}); }

} // namespace tensorleak::rewriter
