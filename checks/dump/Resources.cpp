//===-- Resources.cpp - Memory, streams and handles: what is taken, given back and lost ===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/dump/EnumNames.h"
#include "checks/dump/Sections.h"
#include "checks/dump/Words.h"

using namespace clang;

namespace tensorleak {
namespace {

class ResourceDumper {
public:
  ResourceDumper(const Unit &U, const FunctionResources &F, llvm::raw_ostream &Out)
      : SM(U.context().getSourceManager()), F(F), Facts(F.Facts), Out(Out) {}

  void dumpEvents() {
    for (const CFGBlock *Block : llvm::reverse(*Facts.Cfg)) {
      for (const ResourceEvent &E : Facts.Blocks[Block->getBlockID()])
        Out << at(E.At) << textOf(E) << '\n';
      auto Branch = Facts.Branches.find(Block->getBlockID());
      if (Branch != Facts.Branches.end())
        dumpBranch(*Block, Branch->second);
    }
  }

  void dumpFlow() {
    for (const LostResource &L : F.Lost)
      Out << at(Facts.Sites[L.Site].Call) << "lost " << siteText(L.Site) << ", " << enumName(L.How)
          << heldBy(L.Holder) << '\n';
    dumpUses("taken into", F.Taken);
    dumpUses("released from", F.Released);
    dumpUses("perhaps released from", F.MaybeReleased);
    for (const auto &T : F.Summary.Takes)
      Out << placeInSource(T.At, SM) << ": callers get " << nameOf(T.What)
          << (T.Maybe ? ", on some ways" : "") << '\n';
    if (!F.Converged)
      Out << "  did not converge\n";
  }

private:
  static llvm::StringRef nameOf(Family What) { return enumName(What); }

  std::string at(const Stmt *S) const {
    return placeInSource(locationOf(S, *Facts.Function), SM) + ": ";
  }

  std::string heldBy(PathId P) const {
    return P == NoPath ? "" : ", held by " + Facts.Paths.text(P);
  }

  /// "Device of 1024 bytes, site 0"
  std::string siteText(SiteId Id) const {
    const Site &S = Facts.Sites[Id];
    std::string Out = nameOf(S.What).str();
    if (S.Bytes)
      Out += " of " + std::to_string(*S.Bytes) + " bytes";
    return Out + " (site " + std::to_string(Id) + ")";
  }

  std::string operandText(const Operand &O) const {
    std::string Out;
    for (const Atom &A : O) {
      Out += Out.empty() ? "" : " or ";
      Out += A.What == Atom::Fresh     ? siteText(A.Id)
             : A.What == Atom::Address ? "&" + Facts.Paths.text(A.Id)
                                       : Facts.Paths.text(A.Id);
    }
    return Out;
  }

  std::string textOf(const ResourceEvent &E) const {
    std::string Out = "resource " + enumName(E.Kind).str();
    if (E.Path != NoPath)
      Out += " " + Facts.Paths.text(E.Path);
    if (E.From != NoPath)
      Out += " := " + Facts.Paths.text(E.From);
    if (!E.Value.empty())
      Out += (E.Path == NoPath ? " " : " := ") + operandText(E.Value);
    if (E.Kind == ResourceEventKind::Acquire)
      Out += " := " + siteText(E.Site);
    return Out + (E.Maybe ? ", perhaps" : "") + (E.ByCallee ? ", by the callee" : "");
  }

  void dumpBranch(const CFGBlock &Block, const Branch &B) {
    auto Say = [&](llvm::StringRef Side, const Operand &Null) {
      if (!Null.empty())
        Out << at(Block.getTerminatorCondition()) << "resource branch, if " << Side
            << ": null: " << operandText(Null) << '\n';
    };
    Say("true", B.NullOnTrue);
    Say("false", B.NullOnFalse);
  }

  void dumpUses(llvm::StringRef What, llvm::ArrayRef<HolderUse> Uses) {
    for (const HolderUse &Use : Uses)
      Out << at(Use.At) << What << ' ' << (Use.Path == NoPath ? "?" : Facts.Paths.text(Use.Path))
          << (Use.Site ? ": " + siteText(*Use.Site) : "") << '\n';
  }

  const SourceManager &SM;
  const FunctionResources &F;
  const ResourceFacts &Facts;
  llvm::raw_ostream &Out;
};

} // namespace

void dumpResourceEvents(const Unit &U, const FunctionResources &F, llvm::raw_ostream &Out) {
  ResourceDumper(U, F, Out).dumpEvents();
}

void dumpResourceFlow(const Unit &U, const FunctionResources &F, llvm::raw_ostream &Out) {
  ResourceDumper(U, F, Out).dumpFlow();
}

} // namespace tensorleak
