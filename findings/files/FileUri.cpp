//===-- FileUri.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/files/FileUri.h"

#include <cctype>
#include <filesystem>
#include <optional>
#include <string_view>

namespace tensorleak {
namespace {

constexpr std::string_view Scheme = "file://", Digits = "0123456789ABCDEF";

/// What RFC 3986 lets stand in a path.
bool standsForItself(unsigned char C) {
  constexpr std::string_view Others = "/-._~!$&'()*+,;=:@";
  return C < 0x80 && (std::isalnum(C) || Others.find(static_cast<char>(C)) != Others.npos);
}

/// The byte that "%41" stands for, at the beginning of a text.
std::optional<char> escapedByte(std::string_view Text) {
  if (Text.size() < 3 || Text[0] != '%')
    return std::nullopt;
  size_t High = Digits.find(static_cast<char>(std::toupper(static_cast<unsigned char>(Text[1]))));
  size_t Low = Digits.find(static_cast<char>(std::toupper(static_cast<unsigned char>(Text[2]))));
  if (High == Digits.npos || Low == Digits.npos)
    return std::nullopt;
  return static_cast<char>(High << 4 | Low);
}

std::string escaped(const std::string &Path, std::string_view AlsoEscaped = "") {
  std::string Out;
  for (char C : Path)
    if (auto Byte = static_cast<unsigned char>(C);
        standsForItself(Byte) && AlsoEscaped.find(C) == AlsoEscaped.npos)
      Out += C;
    else
      Out.append("%").append(1, Digits[Byte >> 4]).append(1, Digits[Byte & 15]);
  return Out;
}

std::string unescaped(std::string_view Rest) {
  std::string Out;
  while (!Rest.empty()) {
    std::optional<char> Escaped = escapedByte(Rest);
    Out += Escaped.value_or(Rest.front());
    Rest.remove_prefix(Escaped ? 3 : 1);
  }
  return Out;
}

} // namespace

std::string fileUri(const std::string &Path) { return std::string(Scheme) + escaped(Path); }

/// A colon in front of the first slash would end a scheme.
std::string relativeUri(const std::string &Path) { return escaped(Path, ":"); }

std::string pathOfUri(const std::string &Uri) {
  if (Uri.compare(0, Scheme.size(), Scheme) != 0)
    return Uri;
  return unescaped(std::string_view(Uri).substr(Scheme.size()));
}

std::string pathOfRelativeUri(const std::string &Uri) { return unescaped(Uri); }

std::string workingFolder() {
  std::error_code Error;
  return std::filesystem::current_path(Error).string();
}

std::string shortPath(const std::string &Path, const std::string &Folder) {
  bool Below = !Folder.empty() && Path.size() > Folder.size() + 1 &&
               Path.compare(0, Folder.size(), Folder) == 0 && Path[Folder.size()] == '/';
  return Below ? Path.substr(Folder.size() + 1) : Path;
}

} // namespace tensorleak
