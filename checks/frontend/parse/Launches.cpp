//===-- Launches.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/parse/Launches.h"
#include "checks/frontend/cache/ForwardingFile.h"

#include <cstring>

using namespace llvm;

namespace tensorleak {
namespace {

constexpr StringLiteral Opens = "<< <", Joined = "<<< ", Closes = ">> >", JoinedClose = ">>> ";

/// `operator<< <T>` names a function.
bool isOperator(StringRef Before) { return Before.rtrim().ends_with("operator"); }

/// Where the next launch opens.
size_t findLaunch(StringRef Text, size_t From) {
  size_t At = Text.find(Opens, From);
  while (At != StringRef::npos && isOperator(Text.take_front(At)))
    At = Text.find(Opens, At + 1);
  return At;
}

/// Closing brackets are joined only in files that have launches.
std::unique_ptr<MemoryBuffer> joinedLaunches(const MemoryBuffer &Source) {
  auto Copy = WritableMemoryBuffer::getNewUninitMemBuffer(Source.getBufferSize(),
                                                          Source.getBufferIdentifier());
  char *Begin = Copy->getBufferStart();
  std::memcpy(Begin, Source.getBufferStart(), Source.getBufferSize());
  StringRef Text(Begin, Source.getBufferSize());
  for (size_t At = findLaunch(Text, 0); At != StringRef::npos; At = findLaunch(Text, At))
    std::memcpy(Begin + At, Joined.data(), Joined.size());
  for (size_t At = Text.find(Closes); At != StringRef::npos; At = Text.find(Closes, At))
    std::memcpy(Begin + At, JoinedClose.data(), JoinedClose.size());
  return Copy;
}

/// A hundred megabytes that are no text.
bool isPrecompiled(const MemoryBuffer &Buffer) { return Buffer.getBuffer().starts_with("CPCH"); }

class JoiningFile : public ForwardingFile {
public:
  using ForwardingFile::ForwardingFile;

private:
  std::unique_ptr<MemoryBuffer> shown(std::unique_ptr<MemoryBuffer> Content) override {
    return withJoinedLaunches(std::move(Content));
  }
};

class JoiningFileSystem : public vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &Path) override {
    auto Opened = ProxyFileSystem::openFileForRead(Path);
    if (!Opened)
      return Opened;
    return std::make_unique<JoiningFile>(std::move(*Opened));
  }
};

} // namespace

std::unique_ptr<MemoryBuffer> withJoinedLaunches(std::unique_ptr<MemoryBuffer> Source) {
  bool HasLaunch = !isPrecompiled(*Source) && findLaunch(Source->getBuffer(), 0) != StringRef::npos;
  return HasLaunch ? joinedLaunches(*Source) : std::move(Source);
}

IntrusiveRefCntPtr<vfs::FileSystem> withJoinedLaunches(IntrusiveRefCntPtr<vfs::FileSystem> Files) {
  return makeIntrusiveRefCnt<JoiningFileSystem>(std::move(Files));
}

} // namespace tensorleak
