//===-- StandIns.h - Declarations for the names of missing headers ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend, between two parses of one file. One header that is not installed
// here, such as OpenCV's, costs every function that names anything of it. So what
// the file uses and nothing declares is declared as what its uses say that it is: a
// type, a function, a value, of a class of which nothing is known. The analyses
// then see the rest of the function. What such a name does is unknown to them as any
// other function's is that has no body in view.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_ERRORS_STANDINS_H
#define TENSORLEAK_CHECKS_FRONTEND_ERRORS_STANDINS_H

#include "checks/frontend/errors/LackedName.h"
#include "checks/frontend/errors/SourceTokens.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <memory>
#include <set>

namespace tensorleak {

class StandIns {
public:
  /// The text of a file; none where it cannot be read.
  using Reader = llvm::function_ref<std::optional<std::string>(const std::string &File)>;

  /// Whose declarations are missing. What a build defines to be a type is a number, as by
  /// `-DREAL=double`.
  enum class Origin : uint8_t { Header, Build };
  explicit StandIns(Origin From = Origin::Header) : From(From) {}

  /// Learns from how \p Lacked is used in its file. False if that was known already.
  bool learn(const LackedName &Lacked, Reader Read);

  /// Of \p Header, which is missing. False if it says nothing, or was known already: what is
  /// missing of LibTorch may be where other versions have it.
  bool learnHeader(llvm::StringRef Header);

  /// C++ that declares all that was learned.
  std::string declarations() const;

private:
  /// A name, and what is looked for in it.
  struct Node {
    unsigned Uses = 0;     ///< of NameUse
    std::string Arguments; ///< of a template: see SourceTokens::argumentsAt
    std::map<std::string, Node> Inner;
  };

  const SourceTokens *tokensOf(const std::string &File, Reader Read);
  void learnMembers(const SourceTokens &Tokens);
  bool learnFrom(const LackedName &Lacked, const SourceTokens &Tokens);
  bool learnUses(const LackedName &Lacked, const SourceTokens &Tokens);
  bool isQualified(const LackedName &Lacked, const SourceTokens &Tokens) const;
  bool isMacro(const LackedName &Lacked, const SourceTokens &Tokens, size_t At) const;
  bool learnMacro(const SourceTokens &Tokens, size_t At);
  bool learnHead(const SourceTokens &Tokens, size_t At);
  void learnChain(Node &First, const SourceTokens &Tokens, size_t At);
  bool forget(const std::string &Name);

  bool isNumber(const Node &N) const;
  static void write(llvm::raw_ostream &Out, const std::string &Name, const Node &N, bool InClass);
  static void writeObject(llvm::raw_ostream &Out, const std::string &Name, const Node &N,
                          bool InClass);
  static void writeClass(llvm::raw_ostream &Out, const std::string &Name, const Node &N);

  const Origin From;
  Node Root;
  std::map<std::string, bool> Members; ///< of any object; whether template arguments follow
  /// What stands for a macro, which is nothing where only declarations can stand.
  enum class MacroForm : uint8_t {
    Name,   ///< `EXPORT void f();`
    Called, ///< `REGISTER(a, b);`
    Head,   ///< `TEST_CASE("sum") {`: the head of a function
    Method, ///< `TEST_F(Fixture, sum) {`: of a method, for the class is declared in the file
  };
  static void writeMacro(llvm::raw_ostream &Out, const std::string &Name, MacroForm Form);

  std::map<std::string, MacroForm> Macros;
  std::set<std::string> Headers;  ///< that have some, with their brackets
  bool LacksLibrary = false;      ///< a header of LibTorch's or CUDA's is missing
  std::set<std::string> Declared; ///< by somebody else after all
  std::map<std::string, std::unique_ptr<SourceTokens>> Files;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_ERRORS_STANDINS_H
