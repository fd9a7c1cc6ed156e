//===-- Nvcc.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/commands/Nvcc.h"

#include "checks/source/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <optional>

using namespace llvm;

namespace tensorleak {
namespace {

enum class Argument { No, Yes, Any, Glued };
enum class Action { Drop, Host, Read, Space, Join, Glue };

struct NvccFlag {
  StringRef Long, Short;
  Argument TheArgument;
  Action TheAction;
};

constexpr NvccFlag Flags[] = {
#define NVCC_FLAG(Long, Short, Argument_, Action_)                                                 \
  {Long, Short, Argument::Argument_, Action::Action_},
#include "checks/frontend/commands/NvccFlags.def"
};

/// An option as it stands in a command.
struct ParsedFlag {
  const NvccFlag *Flag;
  std::optional<StringRef> Value; ///< as far as it is part of the same word
};

const NvccFlag *flagNamed(StringRef Name) {
  const NvccFlag *Found =
      find_if(Flags, [&](const NvccFlag &F) { return Name == F.Long || Name == F.Short; });
  return Found == std::end(Flags) ? nullptr : Found;
}

/// -Ifolder and the like.
std::optional<ParsedFlag> parseGlued(StringRef Word) {
  for (const NvccFlag &F : Flags)
    if (F.TheArgument == Argument::Glued && Word.starts_with(F.Short))
      return ParsedFlag{&F, Word.substr(F.Short.size())};
  return std::nullopt;
}

std::optional<ParsedFlag> parseFlag(StringRef Word) {
  if (!Word.consume_front("-"))
    return std::nullopt;
  bool TwoDashes = Word.consume_front("-");
  if (const NvccFlag *Flag = flagNamed(Word))
    return ParsedFlag{Flag, std::nullopt};
  auto [Name, Value] = Word.split('=');
  const NvccFlag *Flag = Name.size() < Word.size() ? flagNamed(Name) : nullptr;
  if (Flag && Flag->TheArgument != Argument::No)
    return ParsedFlag{Flag, Value};
  return TwoDashes ? std::nullopt : parseGlued(Word);
}

bool takesNext(const ParsedFlag &F, StringRef Next) {
  if (F.Value || F.Flag->TheArgument == Argument::No)
    return false;
  return F.Flag->TheArgument == Argument::Any || !Next.starts_with("-");
}

/// A list's items. A comma after a backslash is part of the item.
std::vector<std::string> splitList(StringRef Value) {
  std::vector<std::string> Out(1);
  for (size_t I = 0; I < Value.size(); ++I) {
    if (Value[I] == '\\' && Value.substr(I + 1).starts_with(","))
      Out.back() += Value[++I];
    else if (Value[I] == ',')
      Out.emplace_back();
    else
      Out.back() += Value[I];
  }
  return Out;
}

std::vector<std::string> shellWords(StringRef Text) {
  BumpPtrAllocator Memory;
  StringSaver Saver(Memory);
  SmallVector<const char *> Words;
  cl::TokenizeGNUCommandLine(Text, Saver, Words);
  return {Words.begin(), Words.end()};
}

/// Files beside the one that is compiled: others' sources and what is linked.
bool isOtherInput(StringRef Word, const SourceUnit &TheUnit) {
  constexpr StringLiteral Endings[] = {".cu", ".cpp",   ".cc",  ".cxx",    ".c", ".o",
                                       ".a",  ".cubin", ".ptx", ".fatbin", ".so"};
  return !Word.starts_with("-") && is_contained(Endings, sys::path::extension(Word)) &&
         normalPath(Word, TheUnit.Directory) != TheUnit.File;
}

class Translator {
public:
  explicit Translator(const SourceUnit &TheUnit) : TheUnit(TheUnit) {}

  void translate(const CommandLine &Command, unsigned Nesting = 0);

  CommandLine Out;

private:
  void add(const NvccFlag &Flag, StringRef Value, unsigned Nesting);
  void addOption(const NvccFlag &Flag, const std::string &Value);
  void addHostFlags(StringRef Value);
  void readOptions(const std::string &File, unsigned Nesting);

  const SourceUnit &TheUnit;
};

void Translator::translate(const CommandLine &Command, unsigned Nesting) {
  for (size_t I = 0; I < Command.size(); ++I) {
    std::optional<ParsedFlag> F = parseFlag(Command[I]);
    if (!F) {
      if (!isOtherInput(Command[I], TheUnit))
        Out.push_back(Command[I]);
      continue;
    }
    if (I + 1 < Command.size() && takesNext(*F, Command[I + 1]))
      F->Value = Command[++I];
    if (F->Value)
      add(*F->Flag, *F->Value, Nesting);
  }
}

void Translator::add(const NvccFlag &Flag, StringRef Value, unsigned Nesting) {
  constexpr unsigned MaxNesting = 8;
  if (Flag.TheAction == Action::Drop)
    return;
  if (Flag.TheAction == Action::Host)
    return addHostFlags(Value);
  for (const std::string &Item : splitList(Value))
    if (Flag.TheAction != Action::Read)
      addOption(Flag, Item);
    else if (Nesting < MaxNesting)
      readOptions(Item, Nesting + 1);
}

void Translator::addOption(const NvccFlag &Flag, const std::string &Value) {
  std::string Name = "-" + Flag.Short.str();
  // nvcc calls the language "cu".
  std::string Text = Name == "-x" && Value == "cu" ? "cuda" : Value;
  switch (Flag.TheAction) {
  case Action::Space:
    Out.insert(Out.end(), {Name, Text});
    break;
  case Action::Join:
    Out.push_back(Name + "=" + Text);
    break;
  default:
    Out.push_back(Name + Text);
  }
}

/// What is not an option is another tool's: -Wl,-rpath,/folder has been split too.
void Translator::addHostFlags(StringRef Value) {
  constexpr StringLiteral TakesNext[] = {"-include", "-isystem", "-iquote", "-idirafter",
                                         "-D",       "-I",       "-U"};
  for (const std::string &Item : splitList(Value.trim("\"'")))
    for (std::string &Word : shellWords(Item))
      if (StringRef(Word).starts_with("-") || is_contained(TakesNext, Out.back()))
        Out.push_back(std::move(Word));
}

void Translator::readOptions(const std::string &File, unsigned Nesting) {
  if (auto Text = MemoryBuffer::getFile(normalPath(File, TheUnit.Directory)))
    translate(shellWords((*Text)->getBuffer()), Nesting);
}

} // namespace

bool hasCudaName(StringRef File) { return File.ends_with(".cu") || File.ends_with(".cuh"); }

bool isNvcc(StringRef Compiler) { return sys::path::stem(Compiler) == "nvcc"; }

CommandLine hostCommand(const SourceUnit &TheUnit) {
  const CommandLine &Command = TheUnit.Command;
  if (Command.empty() || (!isNvcc(Command.front()) && !hasCudaName(TheUnit.File)))
    return Command;
  Translator T(TheUnit);
  T.translate(Command);
  return std::move(T.Out);
}

} // namespace tensorleak
