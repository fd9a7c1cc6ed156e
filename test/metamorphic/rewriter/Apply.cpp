//===-- Apply.cpp - Joins the edits of sites ----------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/Apply.h"

#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace clang;

namespace tensorleak::rewriter {
namespace {

bool meet(const Edit &A, const Edit &B) {
  if (A.Offset == B.Offset)
    return !A.Joins || !B.Joins;
  const Edit &First = A.Offset < B.Offset ? A : B, &Second = A.Offset < B.Offset ? B : A;
  return First.Offset + First.Length > Second.Offset;
}

bool meetsAny(const Site &Candidate, const std::vector<Edit> &Taken) {
  return llvm::any_of(Candidate.Edits, [&](const Edit &E) {
    return llvm::any_of(Taken, [&](const Edit &T) { return meet(E, T); });
  });
}

/// What precedes the code is once enough for all sites.
struct Preface {
  std::set<std::string> Headers;
  std::vector<std::string> Preambles;

  void add(const Site &S) {
    Headers.insert(S.Headers.begin(), S.Headers.end());
    if (!S.Preamble.empty() && !llvm::is_contained(Preambles, S.Preamble))
      Preambles.push_back(S.Preamble);
  }

  std::string text() const {
    std::string Out;
    for (const std::string &Header : Headers)
      Out += "#include <" + Header + ">\n";
    return Out + llvm::join(Preambles, "");
  }
};

/// Before the line of the first declaration of the file.
unsigned placeOfPreface(const Unit &U) {
  const SourceManager &Sources = U.context().getSourceManager();
  for (const Decl *D : U.decls())
    if (SourceLocation Begin = Sources.getExpansionLoc(D->getBeginLoc());
        Sources.isInMainFile(Begin))
      return U.beginOfLine(U.offset(Begin));
  return 0;
}

std::string edited(llvm::StringRef Text, std::vector<Edit> Edits) {
  llvm::stable_sort(Edits, [](const Edit &A, const Edit &B) { return A.Offset < B.Offset; });
  std::string Out;
  unsigned Done = 0;
  for (const Edit &E : Edits) {
    Out += Text.slice(Done, E.Offset).str() + E.Text;
    Done = E.Offset + E.Length;
  }
  return Out + Text.drop_front(Done).str();
}

} // namespace

Rewritten apply(const Unit &U, llvm::ArrayRef<Site> Chosen) {
  Rewritten Out;
  std::vector<Edit> Taken;
  Preface First;
  for (const Site &S : Chosen) {
    if (meetsAny(S, Taken)) {
      ++Out.Skipped;
      continue;
    }
    ++Out.Applied;
    First.add(S);
    Taken.insert(Taken.end(), S.Edits.begin(), S.Edits.end());
  }
  if (std::string Text = First.text(); !Text.empty())
    Taken.insert(Taken.begin(), {placeOfPreface(U), 0, std::move(Text)});
  Out.Text = edited(U.text(), std::move(Taken));
  return Out;
}

} // namespace tensorleak::rewriter
