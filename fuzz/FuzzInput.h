//===-- FuzzInput.h ------------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the targets share. A reader answers any bytes with a value, or with a sentence that a
// person can read: a std::runtime_error that has nothing of a library's own words. All else, and
// all that the sanitizers see, is a bug.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FUZZ_FUZZINPUT_H
#define TENSORLEAK_FUZZ_FUZZINPUT_H

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace tensorleak::fuzz {

inline std::string_view text(const uint8_t *Data, size_t Size) {
  return {reinterpret_cast<const char *>(Data), Size};
}

/// A file that has these bytes, for readers that take a name.
class InputFile {
public:
  explicit InputFile(std::string_view Bytes) : Descriptor(memfd_create("input", MFD_CLOEXEC)) {
    if (write(Descriptor, Bytes.data(), Bytes.size()) != static_cast<ssize_t>(Bytes.size()))
      std::abort();
  }
  ~InputFile() { close(Descriptor); }
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(Descriptor); }

private:
  int Descriptor;
};

/// Reads, and sees to it that a refusal is one for people: it may quote the input, but has no
/// words of a library.
template <typename Reader> void readOrRefuse(std::string_view Input, Reader Read) try {
  Read();
} catch (const std::runtime_error &E) {
  for (std::string_view Library : {"[json.exception", "basic_string", "basic_filebuf", "std::"})
    if (std::string_view(E.what()).find(Library) != std::string_view::npos &&
        Input.find(Library) == std::string_view::npos)
      std::abort();
}

} // namespace tensorleak::fuzz

#endif // TENSORLEAK_FUZZ_FUZZINPUT_H
