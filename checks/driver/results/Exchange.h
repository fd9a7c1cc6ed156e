//===-- Exchange.h - Results that one machine hands to another ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A project can be checked by several machines: each analyses its part, and leaves what the cache
// has of it in a file. Who takes these files into its own cache finds what all of them found.
// That the sources are the same, and the options, is asked of each result as of any in the cache.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DRIVER_RESULTS_EXCHANGE_H
#define TENSORLEAK_CHECKS_DRIVER_RESULTS_EXCHANGE_H

#include <string>
#include <vector>

namespace tensorleak {

/// Writes what the cache in \p Folder has under these keys. \throws RequestError
void exportResults(const std::string &Folder, const std::vector<std::string> &Keys,
                   const std::string &File);

/// Takes all of a file into the cache in \p Folder. \throws RequestError
void importResults(const std::string &Folder, const std::string &File);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DRIVER_RESULTS_EXCHANGE_H
