//===-- StandIns.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/errors/StandIns.h"

#include "checks/frontend/errors/UnknownClass.h"
#include "clang/Tooling/Inclusions/StandardLibrary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace tensorleak {
namespace {

/// The header of the standard library that declares the name, such as `<vector>`.
std::optional<std::string> standardHeader(const LackedName &Lacked) {
  namespace stdlib = tooling::stdlib;
  bool InStd = !Lacked.Scope.empty() && Lacked.Scope.front() == "std";
  if (!InStd && !Lacked.Scope.empty())
    return std::nullopt;
  std::string Scope = InStd ? llvm::join(Lacked.Scope, "::") + "::" : "";
  auto Symbol =
      stdlib::Symbol::named(Scope, Lacked.Name, InStd ? stdlib::Lang::CXX : stdlib::Lang::C);
  if (!Symbol || !Symbol->header())
    return std::nullopt;
  return Symbol->header()->name().str();
}

/// Headers that declare most of LibTorch, where one of its headers is missing.
constexpr llvm::StringLiteral Torch[] = {"<torch/torch.h>", "<torch/script.h>"};

/// Whether the identifier at \p At is looked for by itself or in \p Scope, not in something else.
bool isUseIn(const std::vector<std::string> &Scope, const SourceTokens &Tokens, size_t At) {
  if (At == 0)
    return true;
  if (Tokens.is(At - 1, tok::coloncolon))
    return At >= 2 &&
           (Tokens.name(At - 2).empty() || (!Scope.empty() && Tokens.name(At - 2) == Scope.back()));
  return !Tokens.is(At - 1, tok::period) && !Tokens.is(At - 1, tok::arrow);
}

constexpr const char *Unknown = "::tensorleak_standins::TlUnknown";

} // namespace

const SourceTokens *StandIns::tokensOf(const std::string &File, Reader Read) {
  auto [It, IsNew] = Files.try_emplace(File);
  if (IsNew)
    if (std::optional<std::string> Text = Read(File)) {
      It->second = std::make_unique<SourceTokens>(std::move(*Text));
      learnMembers(*It->second);
    }
  return It->second.get();
}

/// All of them: it does no harm where the object's class is known.
void StandIns::learnMembers(const SourceTokens &Tokens) {
  for (size_t I = 1; I < Tokens.size(); ++I)
    if ((Tokens.is(I - 1, tok::period) || Tokens.is(I - 1, tok::arrow)) && !Tokens.name(I).empty())
      Members[Tokens.name(I).str()] |=
          Tokens.is(I + 1, tok::less) && Tokens.is(Tokens.behindArguments(I + 1), tok::l_paren);
}

bool StandIns::learnHeader(llvm::StringRef Header) {
  bool IsTorch =
      Header.starts_with("torch/") || Header.starts_with("ATen/") || Header.starts_with("c10/");
  if (IsTorch)
    Headers.insert(std::begin(Torch), std::end(Torch));
  bool IsNew = !LacksLibrary;
  LacksLibrary |= IsTorch || Header.starts_with("thrust/") || Header.starts_with("cub/") ||
                  Header.starts_with("cu");
  return IsTorch && IsNew;
}

bool StandIns::learn(const LackedName &Lacked, Reader Read) {
  if (Lacked.As == LackedName::Role::Clash)
    return forget(Lacked.Name);
  if (Declared.count(Lacked.Name) || (Lacked.OfLibrary && !LacksLibrary))
    return false;
  if (auto Header = standardHeader(Lacked))
    return Headers.insert(*Header).second;
  if (!Lacked.Scope.empty() && Lacked.Scope.front() == "std")
    return false;
  const SourceTokens *Tokens = tokensOf(Lacked.File, Read);
  return Tokens && learnFrom(Lacked, *Tokens);
}

bool StandIns::learnFrom(const LackedName &Lacked, const SourceTokens &Tokens) {
  using Role = LackedName::Role;
  const size_t Here = Tokens.from(Lacked.Offset);
  switch (Lacked.As) {
  case Role::Macro:
    return learnMacro(Tokens, Here);
  case Role::NoType:
    return learnHead(Tokens, Here) || (Tokens.is(Here + 1, tok::l_paren) &&
                                       isMacro(Lacked, Tokens, Here) && learnMacro(Tokens, Here));
  case Role::Incomplete:
    return Here > 0 && Tokens.useOf(Here - 1, Here) == UsedAsMacro && learnMacro(Tokens, Here - 1);
  case Role::Member:
    if (!isQualified(Lacked, Tokens))
      return Members.try_emplace(Lacked.Name).second;
    [[fallthrough]];
  default:
    return learnUses(Lacked, Tokens);
  }
}

/// Whether the name stands behind that of a stand-in, as in `Color::Red`.
bool StandIns::isQualified(const LackedName &Lacked, const SourceTokens &Tokens) const {
  const size_t Here = Tokens.at(Lacked.Offset);
  const Node *In = &Root;
  for (const std::string &Each : Lacked.Scope) {
    auto It = In->Inner.find(Each);
    if (It == In->Inner.end())
      return false;
    In = &It->second;
  }
  return Here > 0 && Tokens.is(Here - 1, tok::coloncolon);
}

/// A use behind template arguments, `A<int>::B`, is one of A's too.
void StandIns::learnChain(Node &First, const SourceTokens &Tokens, size_t At) {
  Node *Last = &First;
  size_t End = At + 1;
  while (true) {
    if (Tokens.is(End, tok::less) && Tokens.behindArguments(End) != End) {
      if (std::string Arguments = Tokens.argumentsAt(End);
          Arguments.size() > Last->Arguments.size())
        Last->Arguments = Arguments;
      End = Tokens.behindArguments(End);
    }
    if (!Tokens.is(End, tok::coloncolon) || Tokens.name(End + 1).empty())
      break;
    Last = &Last->Inner[Tokens.name(End + 1).str()];
    End += 2;
  }
  Last->Uses |= Tokens.useOf(At, End);
}

/// A macro stands where only declarations do: `EXPORT void f();`, `SERIALIZE(a, b)`.
bool StandIns::isMacro(const LackedName &Lacked, const SourceTokens &Tokens, size_t At) const {
  if (!Lacked.Scope.empty())
    return false;
  if (!Tokens.is(At + 1, tok::l_paren))
    return Tokens.useOf(At, At + 1) == UsedAsMacro;
  const size_t Behind = Tokens.behindParenthesis(At + 1);
  if (Tokens.is(Behind, tok::l_brace))
    return false; // see learnHead
  return Lacked.As == LackedName::Role::Type || Lacked.As == LackedName::Role::NoType ||
         (Tokens.beginsStatement(At) && Tokens.isInDeclaration(Behind));
}

bool StandIns::learnMacro(const SourceTokens &Tokens, size_t At) {
  llvm::StringRef Name = Tokens.name(At);
  return !Name.empty() && !Declared.count(Name.str()) && !Root.Inner.count(Name.str()) &&
         !Tokens.is(At + 1, tok::coloncolon) && !Tokens.is(At + 1, tok::less) &&
         Macros
             .try_emplace(Name.str(),
                          Tokens.is(At + 1, tok::l_paren) ? MacroForm::Called : MacroForm::Name)
             .second;
}

/// The macro makes the head of a function, as those of test frameworks do.
bool StandIns::learnHead(const SourceTokens &Tokens, size_t At) {
  if (Tokens.name(At).empty() || !Tokens.is(At + 1, tok::l_paren) ||
      !Tokens.is(Tokens.behindParenthesis(At + 1), tok::l_brace))
    return false;
  const bool IsOfClass = Tokens.is(At + 3, tok::comma) && Tokens.is(At + 5, tok::r_paren) &&
                         !Tokens.name(At + 4).empty() && Tokens.definesClass(Tokens.name(At + 2));
  return Macros.try_emplace(Tokens.name(At).str(), IsOfClass ? MacroForm::Method : MacroForm::Head)
      .second;
}

bool StandIns::learnUses(const LackedName &Lacked, const SourceTokens &Tokens) {
  size_t Here = Tokens.at(Lacked.Offset);
  if (Here == Tokens.size() || Macros.count(Lacked.Name))
    return false;
  if (isMacro(Lacked, Tokens, Here))
    return learnMacro(Tokens, Here);
  Node *In = &Root;
  for (const std::string &Each : Lacked.Scope)
    In = &In->Inner[Each];
  auto [It, IsNew] = In->Inner.try_emplace(Lacked.Name);
  if (Lacked.As == LackedName::Role::Type)
    It->second.Uses |= UsedAsType;
  if (Lacked.As == LackedName::Role::Namespace)
    It->second.Uses |= UsedAsNamespace;
  if (!IsNew)
    return false;
  for (size_t I = 0; I < Tokens.size(); ++I)
    if (Tokens.name(I) == Lacked.Name && isUseIn(Lacked.Scope, Tokens, I))
      learnChain(It->second, Tokens, I);
  return true;
}

/// Somebody else declares the name: ours is not needed, and in the way.
bool StandIns::forget(const std::string &Name) {
  return Declared.insert(Name).second && (Root.Inner.erase(Name) || Macros.erase(Name));
}

/// Parameters for arguments of these kinds; the last may be given any number of times.
static std::string parametersFor(llvm::StringRef Arguments) {
  std::string Text;
  for (char Kind : Arguments)
    Text += (Text.empty() ? "" : ", ") + std::string(Kind == 'c' ? "auto" : "class");
  return Text + "...";
}

/// A class template also where a function may be meant: `f<T>(x)` makes an object of it.
void StandIns::writeClass(llvm::raw_ostream &Out, const std::string &Name, const Node &N) {
  llvm::StringRef Arguments = N.Arguments;
  if (!Arguments.contains('c'))
    Arguments = Arguments.take_front();
  if (!Arguments.empty())
    Out << "template <" << parametersFor(Arguments) << "> ";
  Out << "struct " << Name << " : " << Unknown
      << " {\n  using TlUnknown::TlUnknown;\n"
         "  using TlUnknown::operator=;\n";
  for (const auto &[Inner, Each] : N.Inner)
    if (Inner != Name)
      write(Out, Inner, Each, true);
  Out << "};\n";
  if (Arguments == "t")
    Out << "template <class... A> " << Name << "(A &&...) -> " << Name << "<>;\n";
}

/// Of a number also what cannot be asked of an unknown class: the argument of a template.
bool StandIns::isNumber(const Node &N) const {
  return From == Origin::Build && N.Inner.empty() && N.Arguments.empty() &&
         (N.Uses & (UsedAsType | UsedAsTypeMaybe)) && !(N.Uses & UsedAsNamespace);
}

void StandIns::write(llvm::raw_ostream &Out, const std::string &Name, const Node &N, bool InClass) {
  bool IsType = (N.Uses & UsedAsType) || !N.Arguments.empty() ||
                ((N.Uses & UsedAsTypeMaybe) && !(N.Uses & UsedAsValue)) ||
                (InClass && !N.Inner.empty());
  if (IsType && !(N.Uses & UsedAsNamespace))
    return writeClass(Out, Name, N);
  if (!N.Inner.empty() || (N.Uses & UsedAsNamespace)) {
    Out << "namespace " << Name << " {\n";
    for (const auto &[Inner, Each] : N.Inner)
      write(Out, Inner, Each, false);
    Out << "}\n";
  } else {
    writeObject(Out, Name, N, InClass);
  }
}

/// A function, a constant or a variable.
void StandIns::writeObject(llvm::raw_ostream &Out, const std::string &Name, const Node &N,
                           bool InClass) {
  if (N.Uses & UsedAsConstant) // each another one
    Out << (InClass ? "static " : "") << "constexpr long long " << Name
        << " = __COUNTER__ + 1000;\n";
  else if (N.Uses == UsedInCall)
    Out << "template <class... A> " << (InClass ? "static " : "") << Unknown << " " << Name
        << "(A &&...);\n";
  else if (N.Uses)
    Out << (InClass ? "static " : "extern ") << Unknown << " " << Name << ";\n";
}

/// Each use of the head of a function makes another one.
void StandIns::writeMacro(llvm::raw_ostream &Out, const std::string &Name, MacroForm Form) {
  switch (Form) {
  case MacroForm::Name:
    Out << "#define " << Name << "\n";
    break;
  case MacroForm::Called:
    Out << "#define " << Name << "(...)\n";
    break;
  case MacroForm::Head:
    Out << "#define TlHead2_" << Name << "(N) static void " << Name << "_##N()\n#define TlHead_"
        << Name << "(N) TlHead2_" << Name << "(N)\n#define " << Name << "(...) TlHead_" << Name
        << "(__COUNTER__)\n";
    break;
  case MacroForm::Method:
    Out << "#define " << Name << "(Class, Test) struct Class##_##Test : Class { void " << Name
        << "_body(); }; void Class##_##Test::" << Name << "_body()\n";
    break;
  }
}

std::string StandIns::declarations() const {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  for (const std::string &Header : Headers)
    Out << "#include " << Header << "\n";
  Out << UnknownClassBegin;
  for (const auto &[Name, IsTemplate] : Members)
    if (Name == "begin" || Name == "end")
      continue; // which the class has
    else if (IsTemplate)
      Out << "  template <class T = TlUnknown, class... A> T &" << Name << "(A &&...) const;\n";
    else
      Out << "  static TlUnknown " << Name << ";\n";
  Out << UnknownClassEnd;
  for (const auto &[Name, Each] : Root.Inner)
    if (isNumber(Each))
      Out << "typedef int " << Name << ";\n";
    else
      write(Out, Name, Each, false);
  for (const auto &[Name, Form] : Macros)
    writeMacro(Out, Name, Form);
  return Text;
}

} // namespace tensorleak
