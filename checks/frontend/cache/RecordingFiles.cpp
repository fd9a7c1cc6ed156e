//===-- RecordingFiles.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/cache/RecordingFiles.h"
#include "checks/frontend/cache/ForwardingFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"

using namespace llvm;

namespace tensorleak {

void FileReads::add(Question Q, StringRef State, StringRef Path, StringRef Signature) {
  if (!ignores(Path))
    Answers.try_emplace({Path.str(), Q}, Answer{State.str(), Signature.str()});
}

bool FileReads::ignores(StringRef Path) const {
  return any_of(Ignored, [&](const std::string &Prefix) { return Path.starts_with(Prefix); });
}

std::string FileReads::lines() const {
  std::string Out;
  for (const auto &[Asked, Told] : Answers) {
    const auto &[Path, What] = Asked;
    // A content that is the same is that of a file: what a path is goes without saying then.
    if (What == Question::Kind && Told.State == "f" && Answers.count({Path, Question::Content}))
      continue;
    Out += lineFor(What, Told.State, Told.Signature, Path);
  }
  return Out;
}

namespace {

/// What is hashed is what the compiler is given.
class RecordingFile : public ForwardingFile {
public:
  /// \p Signature is older than the content.
  RecordingFile(std::unique_ptr<vfs::File> Inner, std::string Path, std::string Signature,
                FileReads &Into)
      : ForwardingFile(std::move(Inner)), Path(std::move(Path)), Signature(std::move(Signature)),
        Into(Into) {}

private:
  std::unique_ptr<MemoryBuffer> shown(std::unique_ptr<MemoryBuffer> Content) override {
    if (!Into.ignores(Path))
      Into.add(Question::Content, digestOf(Content->getBuffer()), Path, Signature);
    return Content;
  }

  std::string Path, Signature;
  FileReads &Into;
};

StringRef kindOf(const ErrorOr<vfs::Status> &Status) {
  if (!Status)
    return "-";
  return Status->isDirectory() ? "d" : "f";
}

} // namespace

std::string RecordingFiles::absolute(const Twine &Path) const {
  SmallString<256> Out;
  Path.toVector(Out);
  Inner->makeAbsolute(Out);
  return Out.str().str();
}

ErrorOr<vfs::Status> RecordingFiles::status(const Twine &Path) {
  auto Status = Inner->status(Path);
  Into->add(Question::Kind, kindOf(Status), absolute(Path));
  return Status;
}

ErrorOr<std::unique_ptr<vfs::File>> RecordingFiles::openFileForRead(const Twine &Path) {
  std::string Absolute = absolute(Path);
  std::string Signature = signatureOf(Absolute);
  auto Opened = Inner->openFileForRead(Path);
  if (!Opened) {
    Into->add(Question::Kind, "-", Absolute);
    return Opened;
  }
  Into->add(Question::Kind, kindOf((*Opened)->status()), Absolute);
  return std::make_unique<RecordingFile>(std::move(*Opened), std::move(Absolute),
                                         std::move(Signature), *Into);
}

vfs::directory_iterator RecordingFiles::dir_begin(const Twine &Folder, std::error_code &Error) {
  std::string Absolute = absolute(Folder);
  Into->add(Question::Names, stateOf(Question::Names, Absolute), Absolute);
  return Inner->dir_begin(Folder, Error);
}

std::error_code RecordingFiles::getRealPath(const Twine &Path, SmallVectorImpl<char> &Output) {
  std::string Absolute = absolute(Path);
  Into->add(Question::RealPath, stateOf(Question::RealPath, Absolute), Absolute);
  return Inner->getRealPath(Path, Output);
}

std::error_code RecordingFiles::isLocal(const Twine &Path, bool &Result) {
  return Inner->isLocal(Path, Result);
}

ErrorOr<std::string> RecordingFiles::getCurrentWorkingDirectory() const {
  return Inner->getCurrentWorkingDirectory();
}

std::error_code RecordingFiles::setCurrentWorkingDirectory(const Twine &Path) {
  return Inner->setCurrentWorkingDirectory(Path);
}

} // namespace tensorleak
