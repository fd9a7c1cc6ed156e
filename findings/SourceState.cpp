//===-- SourceState.cpp - What a run asks of findings: the same sources, and all ---===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/FindingSet.h"
#include "findings/files/ReadFile.h"

#include <openssl/evp.h>
#include <stdexcept>

namespace tensorleak {

static std::string toHex(const unsigned char *Bytes, unsigned Size) {
  static constexpr char Digits[] = "0123456789abcdef";
  std::string Hex;
  for (unsigned I = 0; I < Size; ++I) {
    Hex += Digits[Bytes[I] >> 4];
    Hex += Digits[Bytes[I] & 15];
  }
  return Hex;
}

std::string hashText(std::string_view Text) {
  unsigned char Digest[EVP_MAX_MD_SIZE];
  unsigned Size = 0;
  if (!EVP_Digest(Text.data(), Text.size(), Digest, &Size, EVP_sha256(), nullptr))
    throw std::runtime_error("OpenSSL cannot compute a SHA-256");
  return toHex(Digest, Size);
}

std::optional<std::string> hashFile(const std::string &Path) {
  std::optional<std::string> Text = readPlainFile(Path, MaxSourceBytes);
  return Text ? std::optional(hashText(*Text)) : std::nullopt;
}

FindingSet withHeldBack(FindingSet Set) {
  for (Finding &F : Set.HeldBack) {
    F.IsHeldBack = true;
    Set.Findings.push_back(std::move(F));
  }
  Set.HeldBack.clear();
  return Set;
}

std::vector<std::string> changedSources(const FindingSet &Set) {
  std::vector<std::string> Changed;
  for (const auto &[Path, Hash] : Set.SourceHashes)
    if (hashFile(Path) != Hash)
      Changed.push_back(Path);
  return Changed;
}

} // namespace tensorleak
