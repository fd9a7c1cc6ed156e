//===-- Page.h - A report as one HTML file ---------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file needs no other and no network, and forbids both to itself: its Content-Security-
// Policy names the hashes of the scripts that may run, so that nothing in the data can.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPORT_PAGE_PAGE_H
#define TENSORLEAK_RUNTIME_REPORT_PAGE_PAGE_H

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tensorleak {

/// \p Data is that of reportData().
std::string htmlPage(const nlohmann::json &Data);

/// JSON that may stand in a script element: nothing in it ends the element or begins another.
std::string jsonForScript(const nlohmann::json &Data);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPORT_PAGE_PAGE_H
