//===-- Mutation.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/model/mutation/Mutation.h"

#ifdef TENSORLEAK_MUTATION
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>
#include <string>

namespace tensorleak::mutation {
namespace {

std::string variable(const char *Name) {
  const char *Text = std::getenv(Name);
  return Text ? Text : "";
}

/// What was asked of the tables in this process; written when it ends.
class Coverage {
public:
  ~Coverage() {
    if (!File.empty()) {
      std::ofstream Out(File, std::ios::app);
      for (const std::string &Line : Lines)
        Out << Line << '\n';
    }
  }

  void add(const char *What, llvm::StringRef Table, const llvm::Twine &Entry) {
    if (File.empty())
      return;
    std::lock_guard<std::mutex> Lock(Mutex);
    Lines.insert((What + Table + ":" + Entry).str());
  }

private:
  std::string File = variable("TENSORLEAK_COVER_ENTRIES");
  std::mutex Mutex;
  std::set<std::string> Lines;
};

Coverage &coverage() {
  static Coverage Each;
  return Each;
}

} // namespace

bool changes(llvm::StringRef Table, const llvm::Twine &Entry) {
  static const std::string Changed = variable("TENSORLEAK_MUTATE");
  coverage().add("has ", Table, Entry);
  return llvm::StringRef(Changed).starts_with(Table) && (Table + ":" + Entry).str() == Changed;
}

void asked(llvm::StringRef Table, const llvm::Twine &Entry) {
  coverage().add("asked ", Table, Entry);
}

} // namespace tensorleak::mutation
#endif
