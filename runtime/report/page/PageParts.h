//===-- PageParts.h - The files of share/report, as text -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cmake/ReportPage.cmake makes the definitions.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPORT_PAGE_PAGEPARTS_H
#define TENSORLEAK_RUNTIME_REPORT_PAGE_PAGEPARTS_H

#include <string_view>

namespace tensorleak {

extern const std::string_view PageTemplate;  ///< with {{NAMES}} of what goes into it
extern const std::string_view PageStyle;     ///< the libraries' and ours
extern const std::string_view PageLibraries; ///< other people's scripts
extern const std::string_view PageScript;    ///< ours

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPORT_PAGE_PAGEPARTS_H
