//===-- SourceTokens.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/errors/SourceTokens.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace tensorleak {
namespace {

LangOptions cxx() {
  LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.CPlusPlus14 = Options.CPlusPlus17 = true;
  Options.Bool = Options.WChar = Options.LineComment = true;
  return Options;
}

/// More tokens than arguments of a template have; a comparison goes on for longer.
constexpr size_t MostArguments = 80;

bool isAnyOf(tok::TokenKind Kind, std::initializer_list<tok::TokenKind> Kinds) {
  return llvm::is_contained(Kinds, Kind);
}

} // namespace

SourceTokens::SourceTokens(std::string TextOfFile)
    : Text(std::move(TextOfFile)), Language(cxx()), Keywords(Language) {
  Lexer Reader({}, Language, Text.data(), Text.data(), Text.data() + Text.size());
  for (clang::Token T; !Reader.LexFromRawLexer(T) || !T.is(tok::eof);) {
    if (T.is(tok::eof))
      break;
    auto Offset = static_cast<unsigned>(Reader.getBufferLocation() - Text.data()) - T.getLength();
    tok::TokenKind Kind = T.getKind();
    if (Kind == tok::raw_identifier)
      Kind = Keywords.get(T.getRawIdentifier()).getTokenID();
    All.push_back({Kind, llvm::StringRef(Text).substr(Offset, T.getLength()), Offset});
  }
}

tok::TokenKind SourceTokens::kind(size_t Index) const {
  return Index < All.size() ? All[Index].Kind : tok::eof;
}

llvm::StringRef SourceTokens::name(size_t Index) const {
  return is(Index, tok::identifier) ? All[Index].Text : llvm::StringRef();
}

size_t SourceTokens::from(unsigned Offset) const {
  return llvm::partition_point(All, [&](const Token &T) { return T.Offset < Offset; }) -
         All.begin();
}

size_t SourceTokens::at(unsigned Offset) const {
  size_t Index = from(Offset);
  return Index < All.size() && All[Index].Offset == Offset ? Index : All.size();
}

std::string SourceTokens::argumentsAt(size_t Index) const {
  std::string Out;
  const size_t End = behindArguments(Index) - 1;
  int Depth = 0;
  for (size_t I = Index; I < End; ++I) {
    Depth += is(I, tok::less) || is(I, tok::l_paren);
    Depth -= is(I, tok::greater) || is(I, tok::r_paren);
    if (Depth == 1 && (I == Index || is(I, tok::comma)))
      Out += isAnyOf(kind(I + 1), {tok::numeric_constant, tok::kw_true, tok::kw_false,
                                   tok::kw_sizeof, tok::minus, tok::char_constant})
                 ? 'c'
                 : 't';
  }
  return Out;
}

size_t SourceTokens::behindArguments(size_t Index) const {
  int Depth = 0;
  for (size_t I = Index; I < std::min(All.size(), Index + MostArguments); ++I) {
    if (isAnyOf(kind(I), {tok::semi, tok::l_brace, tok::r_brace, tok::ampamp, tok::pipepipe}))
      return Index;
    Depth += is(I, tok::less);
    Depth -= is(I, tok::greater) + 2 * is(I, tok::greatergreater);
    if (Depth <= 0)
      return I + 1;
  }
  return Index;
}

size_t SourceTokens::behindParenthesis(size_t Index) const {
  int Depth = 0;
  for (size_t I = Index; I < All.size(); ++I) {
    Depth += is(I, tok::l_paren);
    Depth -= is(I, tok::r_paren);
    if (Depth == 0)
      return I + 1;
  }
  return All.size();
}

/// A keyword that begins a declaration, but for those that stand behind a type too.
bool SourceTokens::isTypeKeyword(size_t Index) const {
  return isAnyOf(kind(Index),
                 {tok::kw_void,     tok::kw_int,      tok::kw_char,     tok::kw_bool,
                  tok::kw_float,    tok::kw_double,   tok::kw_unsigned, tok::kw_long,
                  tok::kw_short,    tok::kw_auto,     tok::kw_class,    tok::kw_struct,
                  tok::kw_enum,     tok::kw_static,   tok::kw_inline,   tok::kw_extern,
                  tok::kw_template, tok::kw_typename, tok::kw_virtual,  tok::kw_explicit,
                  tok::kw_public,   tok::kw_private,  tok::kw_protected});
}

bool SourceTokens::beginsStatement(size_t Index) const {
  return Index == 0 || isAnyOf(kind(Index - 1), {tok::semi, tok::l_brace, tok::r_brace, tok::colon,
                                                 tok::kw_const, tok::kw_static, tok::kw_else,
                                                 tok::kw_inline, tok::kw_virtual, tok::kw_extern});
}

bool SourceTokens::definesClass(llvm::StringRef Name) const {
  for (size_t I = 1; I < All.size(); ++I)
    if (name(I) == Name && isAnyOf(kind(I - 1), {tok::kw_class, tok::kw_struct, tok::kw_using}) &&
        isAnyOf(kind(I + 1), {tok::l_brace, tok::colon, tok::equal}) &&
        (I == 1 || !is(I - 2, tok::greater)))
      return true;
  return false;
}

unsigned SourceTokens::useBefore(size_t First) const {
  const tok::TokenKind Before = First == 0 ? tok::eof : kind(First - 1);
  const tok::TokenKind Earlier = First < 2 ? tok::eof : kind(First - 2);
  if (Before == tok::kw_case)
    return UsedAsConstant;
  if (Before == tok::kw_namespace && Earlier == tok::kw_using)
    return UsedAsNamespace;
  if (Before == tok::equal && Earlier == tok::identifier && First >= 3) {
    if (is(First - 3, tok::kw_namespace))
      return UsedAsNamespace;
    if (is(First - 3, tok::kw_using))
      return UsedAsType;
  }
  if (isAnyOf(Before, {tok::kw_new, tok::kw_typename, tok::kw_public, tok::kw_private,
                       tok::kw_protected, tok::kw_const, tok::kw_class, tok::kw_struct}))
    return UsedAsType;
  if (Before == tok::less && isAnyOf(Earlier, {tok::kw_static_cast, tok::kw_dynamic_cast,
                                               tok::kw_reinterpret_cast, tok::kw_const_cast}))
    return UsedAsType;
  return 0;
}

/// `X *` and `X &`: a declaration, or a product.
unsigned SourceTokens::useByStar(size_t First, size_t Star) const {
  size_t Behind = Star;
  while (isAnyOf(kind(Behind), {tok::star, tok::amp, tok::ampamp, tok::kw_const}))
    ++Behind;
  if (isAnyOf(kind(Behind), {tok::r_paren, tok::comma, tok::greater, tok::greatergreater}))
    return UsedAsType; // no operand follows
  if (!is(Behind, tok::identifier))
    return UsedAsValue;
  if (beginsStatement(First) || is(First - 1, tok::less))
    return UsedAsType;
  return isAnyOf(kind(First - 1), {tok::l_paren, tok::comma}) ? UsedAsTypeMaybe : UsedAsValue;
}

/// `(X)y`.
bool SourceTokens::isCast(size_t First, size_t End) const {
  return First > 0 && is(First - 1, tok::l_paren) && is(End, tok::r_paren) &&
         isAnyOf(kind(End + 1), {tok::identifier, tok::numeric_constant, tok::l_paren}) &&
         (First < 2 || !is(First - 2, tok::identifier));
}

unsigned SourceTokens::useOf(size_t First, size_t End) const {
  if (unsigned Use = useBefore(First)) {
    const bool IsExported =
        Use == UsedAsType && End == First + 1 && First > 0 &&
        isAnyOf(kind(First - 1), {tok::kw_class, tok::kw_struct}) && is(End, tok::identifier) &&
        (isAnyOf(kind(End + 1), {tok::l_brace, tok::colon}) || name(End + 1) == "final");
    return IsExported ? unsigned(UsedAsMacro) : Use;
  }
  if (isTypeKeyword(End) && beginsStatement(First))
    return UsedAsMacro;
  switch (kind(End)) {
  case tok::identifier:
    return UsedAsType;
  case tok::kw_const:
  case tok::l_brace:
    return UsedAsTypeMaybe;
  case tok::star:
  case tok::amp:
  case tok::ampamp:
    return useByStar(First, End);
  case tok::l_paren:
    return UsedInCall;
  case tok::greater:
  case tok::greatergreater:
  case tok::comma:
    return First > 0 && is(First - 1, tok::less) ? UsedAsTypeMaybe : UsedAsValue;
  case tok::semi:
    return First > 0 && is(First - 1, tok::kw_using) ? 0U : unsigned(UsedAsValue);
  default:
    return isCast(First, End) ? UsedAsTypeMaybe : UsedAsValue;
  }
}

} // namespace tensorleak
