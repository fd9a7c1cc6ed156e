//===-- Page.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/page/Page.h"
#include "runtime/report/page/PageParts.h"

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <openssl/evp.h>
#include <openssl/sha.h>

namespace tensorleak {
namespace {

/// 'sha256-...', as a Content-Security-Policy names a script or a style.
std::string hashSource(std::string_view Text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> Hash{};
  SHA256(reinterpret_cast<const unsigned char *>(Text.data()), Text.size(), Hash.data());
  std::array<unsigned char, 4 * ((SHA256_DIGEST_LENGTH + 2) / 3) + 1> Coded{};
  EVP_EncodeBlock(Coded.data(), Hash.data(), Hash.size());
  return "'sha256-" + std::string(reinterpret_cast<const char *>(Coded.data())) + "'";
}

std::string policy() {
  return "default-src 'none'; base-uri 'none'; form-action 'none'; script-src " +
         hashSource(PageLibraries) + " " + hashSource(PageScript) + "; style-src " +
         hashSource(PageStyle);
}

/// Each {{NAME}} of the template once; what is put in is not looked at again.
std::string filled(std::string_view Template, const std::map<std::string_view, std::string> &By) {
  std::string Out;
  for (size_t At = 0; At < Template.size();) {
    size_t Open = Template.find("{{", At), Close = Template.find("}}", Open);
    if (Close == Template.npos)
      return Out.append(Template.substr(At));
    Out.append(Template.substr(At, Open - At));
    Out.append(By.at(Template.substr(Open + 2, Close - Open - 2)));
    At = Close + 2;
  }
  return Out;
}

} // namespace

std::string jsonForScript(const nlohmann::json &Data) {
  // Names of files and functions may have any bytes.
  std::string Plain =
      Data.dump(-1, ' ', /*ensure_ascii=*/true, nlohmann::json::error_handler_t::replace);
  std::string Out;
  for (char C : Plain)
    if (C == '<' || C == '>' || C == '&') // only strings have them
      Out += C == '<' ? "\\u003c" : C == '>' ? "\\u003e" : "\\u0026";
    else
      Out += C;
  return Out;
}

std::string htmlPage(const nlohmann::json &Data) {
  return filled(PageTemplate, {{"POLICY", policy()},
                               {"STYLE", std::string(PageStyle)},
                               {"DATA", jsonForScript(Data)},
                               {"LIBRARIES", std::string(PageLibraries)},
                               {"SCRIPT", std::string(PageScript)}});
}

} // namespace tensorleak
