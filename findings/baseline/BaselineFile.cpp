//===-- BaselineFile.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/Json.h"
#include "findings/baseline/Baseline.h"
#include "findings/files/ReadFile.h"
#include "findings/files/ReplaceFile.h"

#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

using nlohmann::json;

namespace tensorleak {
namespace {

constexpr int FormatNumber = 1;
constexpr const char *Advice =
    "What tensorleak check --baseline sets aside. 'byHand' is for you: rule, file and function "
    "are globs, and a reason is needed. 'findings' is written by tensorleak baseline update; a "
    "reason that is added there stays.";

[[noreturn]] void refuse(const std::string &Path, const std::string &Why) {
  throw std::runtime_error("the baseline '" + Path + "' " + Why);
}

std::string contentOf(const std::string &Path) try {
  return readFile(Path);
} catch (const std::runtime_error &E) {
  refuse(Path, std::string("cannot be read: ") + E.what() +
                   "; make one with 'tensorleak baseline create'");
}

bool isOurs(const json &J) {
  auto Format = J.find("format"); // the end, too, where it is no object
  return Format != J.end() && *Format == FormatNumber;
}

json parse(const std::string &Path) {
  std::string Text = contentOf(Path), Why = "it is not one that this tensorleak writes";
  try {
    if (json J = parseJson(Text); isOurs(J))
      return J;
  } catch (const std::runtime_error &E) {
    Why = E.what();
  }
  refuse(Path, "cannot be read: " + Why + "; make it again with 'tensorleak baseline create'");
}

AcceptedByHand readByHand(const std::string &Path, const json &J) {
  AcceptedByHand Out{J.value("rule", ""), J.value("file", ""), J.value("function", ""),
                     J.value("reason", "")};
  if (Out.Reason.empty())
    refuse(Path, "has an entry in 'byHand' without a reason: " + J.dump() + "; add one");
  if (Out.Rule.empty() && Out.File.empty() && Out.Function.empty())
    refuse(Path, "has an entry in 'byHand' that accepts everything; name a rule, a file or a "
                 "function");
  return Out;
}

BaselineEntry readEntry(const json &J) {
  return {J.at("rule"),           J.at("file"),        J.value("function", ""),
          J.value("message", ""), J.value("line", ""), J.value("reason", ""),
          J.value("count", 1u)};
}

json writeEntry(const BaselineEntry &E) {
  json Out = {{"rule", E.Rule}, {"file", E.File}, {"message", E.Message}, {"count", E.Count}};
  auto Put = [&Out](const char *Key, const std::string &Value) {
    if (!Value.empty())
      Out[Key] = Value;
  };
  Put("function", E.Function);
  Put("line", E.Line);
  Put("reason", E.Reason);
  return Out;
}

json writeByHand(const AcceptedByHand &A) {
  json Out = {{"reason", A.Reason}};
  if (!A.Rule.empty())
    Out["rule"] = A.Rule;
  if (!A.File.empty())
    Out["file"] = A.File;
  if (!A.Function.empty())
    Out["function"] = A.Function;
  return Out;
}

} // namespace

Baseline Baseline::read(const std::string &Path) {
  json J = parse(Path);
  Baseline Out;
  try {
    for (const json &A : J.value("byHand", json::array()))
      Out.ByHand.push_back(readByHand(Path, A));
    for (const json &E : J.value("findings", json::array()))
      Out.Entries.push_back(readEntry(E));
  } catch (const json::exception &E) {
    refuse(Path, "is broken: " + describe(E));
  }
  return Out;
}

void Baseline::write(const std::string &Path) const {
  json Hand = json::array(), Found = json::array();
  for (const AcceptedByHand &A : ByHand)
    Hand.push_back(writeByHand(A));
  for (const BaselineEntry &E : Entries)
    Found.push_back(writeEntry(E));
  std::ostringstream Text;
  printJson(Text,
            {{"about", Advice}, {"format", FormatNumber}, {"byHand", Hand}, {"findings", Found}});
  replaceFile(Path, Text.str());
}

} // namespace tensorleak
