//===-- Rules.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/sarif/Rules.h"
#include "findings/Sarif.h"

using nlohmann::json;

namespace tensorleak {
namespace {

const char *topicOf(Kind K) {
  switch (K) {
  case Kind::Retention:
  case Kind::Ownership:
    return "leak";
  case Kind::Peak:
    return "performance";
  case Kind::Correctness:
    return "correctness";
  }
  return "";
}

/// Code scanning filters by them.
json tagsOf(const RuleInfo &R) {
  json Out = {"libtorch"};
  if (R.TheKind)
    for (const char *Tag : {R.TheKind == Kind::Correctness ? "" : "memory", topicOf(*R.TheKind)})
      if (*Tag)
        Out.push_back(Tag);
  return Out;
}

/// Warnings are almost never wrong; notes are worth a look.
json propertiesOf(const RuleInfo &R) {
  bool Warns = R.TheLevel == Level::Warning;
  json Out = {{"tags", tagsOf(R)},
              {"precision", Warns ? "high" : "medium"},
              {"problem.severity", Warns ? "warning" : "recommendation"}};
  if (R.TheKind)
    Out["kind"] = toString(*R.TheKind);
  return Out;
}

std::string helpUriOf(const RuleInfo &R, const std::string &DocsUrl) {
  if (!R.HelpUri.empty() || R.Help.empty() || DocsUrl.empty())
    return R.HelpUri;
  return rulePage(DocsUrl, R.Id);
}

} // namespace

std::string rulePage(const std::string &DocsUrl, const std::string &Rule) {
  return DocsUrl + (DocsUrl.back() == '/' ? "" : "/") + "rules/" + Rule + ".md";
}

/// GitHub wants a description and a help of every rule.
json ruleToSarif(const RuleInfo &R, const std::string &DocsUrl) {
  json Help = {{"text", R.Summary}};
  if (!R.Help.empty())
    Help = {{"text", "'tensorleak explain " + R.Id + "' prints this page.\n\n" + R.Help},
            {"markdown", R.Help}};
  json Out = {{"id", R.Id},
              {"shortDescription", {{"text", R.Summary}}},
              {"fullDescription", {{"text", R.Description.empty() ? R.Summary : R.Description}}},
              {"help", Help},
              {"defaultConfiguration", {{"level", toString(R.TheLevel)}}},
              {"properties", propertiesOf(R)}};
  if (std::string Uri = helpUriOf(R, DocsUrl); !Uri.empty())
    Out["helpUri"] = Uri;
  return Out;
}

RuleInfo ruleFromSarif(const json &R) {
  auto Part = [&R](const char *Message, const char *Form) {
    return R.value(Message, json::object()).value(Form, "");
  };
  RuleInfo Out{R.value("id", ""), Part("shortDescription", "text"), R.value("helpUri", ""),
               Part("fullDescription", "text"), Part("help", "markdown")};
  if (Out.Description == Out.Summary)
    Out.Description.clear();
  json Configuration = R.value("defaultConfiguration", json::object());
  Out.TheLevel = levelFromString(Configuration.value("level", "")).value_or(Level::Warning);
  Out.TheKind = kindFromString(R.value("properties", json::object()).value("kind", ""));
  return Out;
}

} // namespace tensorleak
