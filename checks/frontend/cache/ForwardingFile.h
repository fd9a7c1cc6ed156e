//===-- ForwardingFile.h - A file that shows another one's content --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_CACHE_FORWARDINGFILE_H
#define TENSORLEAK_CHECKS_FRONTEND_CACHE_FORWARDINGFILE_H

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace tensorleak {

/// Everything but the content is another file's; LLVM has this for file systems alone.
class ForwardingFile : public llvm::vfs::File {
public:
  explicit ForwardingFile(std::unique_ptr<llvm::vfs::File> Inner) : Inner(std::move(Inner)) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return Inner->status(); }
  llvm::ErrorOr<std::string> getName() override { return Inner->getName(); }
  std::error_code close() override { return Inner->close(); }

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine &Name,
                                                               int64_t FileSize,
                                                               bool RequiresNullTerminator,
                                                               bool IsVolatile) override {
    auto Buffer = Inner->getBuffer(Name, FileSize, RequiresNullTerminator, IsVolatile);
    return Buffer ? shown(std::move(*Buffer)) : std::move(Buffer);
  }

protected:
  /// What is read in place of \p Content.
  virtual std::unique_ptr<llvm::MemoryBuffer>
  shown(std::unique_ptr<llvm::MemoryBuffer> Content) = 0;

private:
  std::unique_ptr<llvm::vfs::File> Inner;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_CACHE_FORWARDINGFILE_H
