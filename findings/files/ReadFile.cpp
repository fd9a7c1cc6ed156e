//===-- ReadFile.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/files/ReadFile.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace fs = std::filesystem;

namespace tensorleak {

static std::string contentOf(const std::string &Path) {
  errno = 0;
  std::ifstream In(Path, std::ios::binary);
  if (!In)
    throw std::runtime_error(errno == ENOENT ? "no such file" : std::strerror(errno));
  return {std::istreambuf_iterator<char>(In), std::istreambuf_iterator<char>()};
}

std::string readFile(const std::string &Path) {
  std::error_code Unknown; // then opening it says why
  fs::file_status Status = fs::status(Path, Unknown);
  if (fs::is_directory(Status))
    throw std::runtime_error("it is a folder");
  if (fs::is_character_file(Status) || fs::is_block_file(Status))
    throw std::runtime_error("it is a device");
  return contentOf(Path);
}

std::optional<std::string> readPlainFile(const std::string &Path, size_t MaxBytes) try {
  std::error_code Error;
  if (!fs::is_regular_file(Path, Error) || fs::file_size(Path, Error) > MaxBytes || Error)
    return std::nullopt;
  return contentOf(Path);
} catch (const std::runtime_error &) {
  return std::nullopt;
}

} // namespace tensorleak
