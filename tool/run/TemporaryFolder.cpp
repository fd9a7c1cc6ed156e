//===-- TemporaryFolder.cpp -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/TemporaryFolder.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <unistd.h>

namespace fs = std::filesystem;

namespace tensorleak {

TemporaryFolder::TemporaryFolder() {
  std::string Template = fs::temp_directory_path() / "tensorleak-XXXXXX";
  if (!mkdtemp(Template.data()))
    throw std::runtime_error("cannot make a folder for the trace in '" +
                             fs::temp_directory_path().string() + "': " + std::strerror(errno) +
                             "; set TMPDIR to one that can be written");
  Path = Template;
  Guard = std::make_unique<Caretaker>([this] { remove(); });
}

TemporaryFolder::~TemporaryFolder() {
  remove();
  Guard.reset();
}

std::vector<fs::path> TemporaryFolder::files(const std::string &Ending) const {
  std::vector<fs::path> Out;
  for (const auto &Entry : fs::directory_iterator(Path))
    if (Entry.path().extension() == Ending)
      Out.push_back(Entry.path());
  return Out;
}

void TemporaryFolder::remove() const {
  std::error_code Ignored;
  fs::remove_all(Path, Ignored);
}

/// The old guard goes when the new one is there.
void TemporaryFolder::beforeRemoval(const std::function<void()> &First) {
  Guard = std::make_unique<Caretaker>([this, &First] {
    First();
    remove();
  });
}

} // namespace tensorleak
