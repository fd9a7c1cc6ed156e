//===-- Codec.h - Records to bytes and back ---------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every record lists its fields once (`fields(Self, Archive)`); the Encoder and the
// Decoder are the two archives. Shared by the probe and by replay, header only,
// so that both sides cannot disagree.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_TRACE_CODEC_H
#define TENSORLEAK_RUNTIME_TRACE_CODEC_H

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace tensorleak::trace {

using Bytes = std::vector<uint8_t>;

/// Appends fields to a buffer.
class Encoder {
public:
  explicit Encoder(Bytes &Out) : Out(Out) {}

  template <typename... Ts> void operator()(const Ts &...Fields) { (put(Fields), ...); }

private:
  void putVarint(uint64_t V) {
    for (; V >= 0x80; V >>= 7)
      Out.push_back(uint8_t(V) | 0x80);
    Out.push_back(uint8_t(V));
  }
  void put(const std::string &S) {
    putVarint(S.size());
    Out.insert(Out.end(), S.begin(), S.end());
  }
  template <typename T> void put(const std::vector<T> &List) {
    putVarint(List.size());
    for (const T &Element : List)
      put(Element);
  }
  template <typename T> void put(const T &V) {
    if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>)
      putVarint(uint64_t(V));
    else if constexpr (std::is_unsigned_v<T>)
      putVarint(V);
    else if constexpr (std::is_integral_v<T>)
      putVarint((uint64_t(int64_t(V)) << 1) ^ uint64_t(int64_t(V) >> 63));
    else
      T::fields(V, *this);
  }

  Bytes &Out;
};

/// Takes fields from a range. After an overrun every field reads as zero and
/// `failed()` is true. A record that ends before its last fields is of an older probe:
/// they keep their defaults.
class Decoder {
public:
  Decoder(const uint8_t *Begin, const uint8_t *End) : At(Begin), End(End) {}

  template <typename... Ts> void operator()(Ts &...Fields) { (getIfThere(Fields), ...); }

  uint64_t getVarint() {
    uint64_t V = 0;
    for (unsigned Shift = 0; Shift < 64 && At != End; Shift += 7) {
      uint8_t Byte = *At++;
      V |= uint64_t(Byte & 0x7f) << Shift;
      if (!(Byte & 0x80))
        return V;
    }
    Failed = true;
    return 0;
  }
  const uint8_t *position() const { return At; }
  bool failed() const { return Failed; }

private:
  template <typename T> void getIfThere(T &Field) {
    if (At != End || Depth)
      get(Field);
  }
  void get(std::string &S) {
    uint64_t Size = getLength();
    S.assign(At, At + Size);
    At += Size;
  }
  template <typename T> void get(std::vector<T> &List) {
    List.resize(getLength());
    for (T &Element : List)
      get(Element);
  }
  template <typename T> void get(T &V) {
    if constexpr (std::is_enum_v<T> || std::is_unsigned_v<T>) {
      V = T(getVarint());
    } else if constexpr (std::is_integral_v<T>) {
      uint64_t U = getVarint();
      V = T((U >> 1) ^ (~(U & 1) + 1));
    } else {
      ++Depth;
      T::fields(V, *this);
      --Depth;
    }
  }
  /// A length can never exceed the bytes that are left: every element has one.
  uint64_t getLength() {
    uint64_t Size = getVarint();
    if (Size <= uint64_t(End - At))
      return Size;
    Failed = true;
    return 0;
  }

  const uint8_t *At, *End;
  unsigned Depth = 0; ///< of records within the record
  bool Failed = false;
};

/// Appends \p Record with its frame: kind, length, payload. \p Scratch saves an
/// allocation when it is kept from call to call.
template <typename R> void appendRecord(Bytes &Out, const R &Record, Bytes &Scratch) {
  Scratch.clear();
  Encoder Fields(Scratch);
  R::fields(Record, Fields);
  Out.push_back(uint8_t(R::Kind));
  Encoder Frame(Out);
  Frame(uint64_t(Scratch.size()));
  Out.insert(Out.end(), Scratch.begin(), Scratch.end());
}

template <typename R> void appendRecord(Bytes &Out, const R &Record) {
  Bytes Scratch;
  appendRecord(Out, Record, Scratch);
}

} // namespace tensorleak::trace

#endif // TENSORLEAK_RUNTIME_TRACE_CODEC_H
