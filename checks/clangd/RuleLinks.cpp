//===-- RuleLinks.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/clangd/RuleLinks.h"

#include "findings/Sarif.h"
#include "findings/files/FileUri.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <optional>
#include <string>

using llvm::StringRef;

namespace tensorleak {

static llvm::cl::opt<std::string> DocsUrl(
    "docs-url", llvm::cl::init(TENSORLEAK_DOCS_URL),
    llvm::cl::desc("Where tensorleak's docs/ stands on the web, for links to the rules' pages; "
                   "empty: the pages that are installed"));

/// Of the package, or of the sources that this was built from.
static std::string installedDocs() {
  static char Here = 0;
  const std::string Program = llvm::sys::fs::getMainExecutable(nullptr, &Here);
  llvm::SmallString<256> Folder(
      llvm::sys::path::parent_path(llvm::sys::path::parent_path(Program)));
  llvm::sys::path::append(Folder, TENSORLEAK_DOCS_INSTALLED);
  return llvm::sys::fs::is_directory(Folder) ? Folder.str().str() : TENSORLEAK_DOCS_SOURCES;
}

static std::optional<std::string> pageOf(StringRef Rule) {
  if (!DocsUrl.empty())
    return rulePage(DocsUrl, Rule.str());
  static const std::string Docs = installedDocs(); // files are published by several threads
  const std::string File = rulePage(Docs, Rule.str());
  return llvm::sys::fs::exists(File) ? std::optional(fileUri(File)) : std::nullopt;
}

/// \p Diagnostic has a link only where the editor can show one.
static void linkRule(llvm::json::Object &Diagnostic) {
  const auto Rule = Diagnostic.getString("code");
  llvm::json::Object *Link = Diagnostic.getObject("codeDescription");
  if (!Link || !Rule || !Rule->starts_with("tensor-"))
    return;
  if (auto Page = pageOf(*Rule))
    (*Link)["href"] = *Page;
  else
    Diagnostic.erase("codeDescription");
}

void linkRules(llvm::json::Value &Published) {
  llvm::json::Object *Parameters = Published.getAsObject();
  llvm::json::Array *All = Parameters ? Parameters->getArray("diagnostics") : nullptr;
  if (!All)
    return;
  for (llvm::json::Value &Each : *All)
    if (llvm::json::Object *Diagnostic = Each.getAsObject())
      linkRule(*Diagnostic);
}

} // namespace tensorleak
