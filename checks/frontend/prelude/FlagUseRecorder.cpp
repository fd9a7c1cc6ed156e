//===-- FlagUseRecorder.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/prelude/FlagUseRecorder.h"

#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace llvm;

namespace tensorleak {

/// The definition in the command is none of the headers'. What the compiler defines itself it
/// would define again where a flag is missing that replaced it.
void FlagUseRecorder::MacroDefined(const Token &Name, const MacroDirective *) {
  const SourceManager &Sources = PP.getSourceManager();
  SourceLocation Place = Name.getLocation();
  if (Sources.getFileID(Place) != PP.getPredefinesFileID() ||
      !Sources.isWrittenInCommandLineFile(Place))
    ask(Name);
}

/// A header that stands beside the one that includes it is not looked for in any folder.
void FlagUseRecorder::InclusionDirective(SourceLocation Hash, const Token &, StringRef Name,
                                         bool IsAngled, CharSourceRange, OptionalFileEntryRef,
                                         StringRef SearchPath, StringRef, const Module *, bool,
                                         SrcMgr::CharacteristicKind) {
  const SourceManager &Sources = PP.getSourceManager();
  OptionalFileEntryRef Includer = Sources.getFileEntryRefForID(Sources.getFileID(Hash));
  bool IsBeside = !IsAngled && Includer && Includer->getDir().getName() == SearchPath;
  if (!IsBeside && !sys::path::is_absolute(Name))
    Included.insert(Name);
}

std::vector<StringRef> FlagUseRecorder::mentioned() const {
  StringSet<> OfFlags;
  for (const auto &[Text, IsUndef] : PP.getPreprocessorOpts().Macros)
    OfFlags.insert(nameOfMacro(Text));
  std::vector<StringRef> Out;
  for (const auto &Entry : PP.getIdentifierTable())
    if (!OfFlags.contains(Entry.getKey()) || Asked.contains(Entry.getValue()))
      Out.push_back(Entry.getKey());
  return Out;
}

void FlagUseRecorder::undefine(StringRef Name) {
  const SourceManager &Sources = PP.getSourceManager();
  IdentifierInfo *Macro = PP.getIdentifierInfo(Name);
  if (!Macro->hasMacroDefinition())
    return;
  SourceLocation End = Sources.getLocForEndOfFile(Sources.getMainFileID());
  PP.appendMacroDirective(Macro, new (PP.getPreprocessorAllocator()) UndefMacroDirective(End));
}

FlagUse FlagUseRecorder::finish() {
  std::vector<std::string> Names;
  for (const auto &Entry : Included)
    Names.push_back(Entry.getKey().str());
  FlagUse Out(mentioned(), std::move(Names));
  for (const auto &[Text, IsUndef] : Out.split(PP.getPreprocessorOpts().Macros).second)
    undefine(nameOfMacro(Text));
  return Out;
}

} // namespace tensorleak
