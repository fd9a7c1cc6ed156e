//===-- Reader.cpp - Reads a trace ------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Reader.h, and Format.h for the rules.
//
//===----------------------------------------------------------------------===//
#include "runtime/trace/Reader.h"
#include "runtime/trace/Codec.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace tensorleak::trace {
namespace {

template <typename R> bool decode(Decoder Payload, TraceVisitor &Visitor) {
  R Record;
  R::fields(Record, Payload);
  if (Payload.failed())
    return false;
  Visitor.visit(Record);
  return true;
}

using DecodeFn = bool (*)(Decoder, TraceVisitor &);

/// The decoder of a kind, or null for one that is unknown to this build.
DecodeFn decoderOf(uint8_t Kind) {
  static constexpr DecodeFn Table[] = {nullptr,
                                       decode<Process>,
                                       decode<Module>,
                                       decode<Stack>,
                                       decode<OpName>,
                                       decode<Site>,
                                       decode<Born>,
                                       decode<Died>,
                                       decode<SiteCounters>,
                                       decode<Boundary>,
                                       decode<HostHeap>,
                                       decode<PeakSnapshot>,
                                       decode<HookState>,
                                       decode<PointState>,
                                       decode<NodeClass>,
                                       decode<Census>,
                                       decode<OutOfMemory>,
                                       decode<Optimizer>,
                                       decode<End>,
                                       decode<Setting>,
                                       decode<HolderPath>,
                                       decode<Search>,
                                       decode<GraphCycles>,
                                       decode<CycleSample>,
                                       decode<Expected>,
                                       nullptr,
                                       nullptr,
                                       decode<PythonLines>,
                                       decode<DeviceMemory>,
                                       decode<Symbol>,
                                       decode<SitePulse>,
                                       decode<LiveMemory>,
                                       nullptr,
                                       nullptr,
                                       decode<Assertion>,
                                       decode<ThreadEnd>};
  return Kind < std::size(Table) ? Table[Kind] : nullptr;
}

/// Visits records until the end, or until one that is not whole.
void readRecords(const uint8_t *At, const uint8_t *End, TraceVisitor &Visitor, ReadResult &Result) {
  while (At != End) {
    uint8_t Kind = *At;
    Decoder Head(At + 1, End);
    uint64_t Size = Head.getVarint();
    if (Head.failed() || Kind == 0 || Size > uint64_t(End - Head.position())) {
      Result.Torn = true;
      return;
    }
    At = Head.position() + Size;
    DecodeFn Decode = decoderOf(Kind);
    if (!Decode)
      continue;
    if (!Decode(Decoder(Head.position(), At), Visitor)) {
      Result.Torn = true;
      return;
    }
    ++Result.Records;
    Result.Complete |= Kind == uint8_t(RecordKind::End);
  }
}

ReadResult failure(const std::string &Name, const std::string &Why) {
  ReadResult Result;
  Result.Error = Name + ": " + Why;
  return Result;
}

/// What the prelude says; \p Size bytes of it are there.
ReadResult readPrelude(const uint8_t *Begin, size_t Size, const std::string &Name, Prelude &Head) {
  if (Size < PreludeSize)
    return failure(Name, "not a tensorleak trace (too short); record it again with "
                         "`tensorleak run`");
  std::memcpy(&Head, Begin, sizeof(Head));
  if (std::memcmp(Head.Magic, Magic, sizeof(Magic)) != 0)
    return failure(Name, "not a tensorleak trace; give a file that `tensorleak run` wrote");
  if (Head.Version != Version)
    return failure(Name, "trace format " + std::to_string(Head.Version) +
                             ", but this build reads " + std::to_string(Version) +
                             "; record it again with this build");
  ReadResult Result;
  Result.Pid = Head.Pid;
  Result.Flags = Head.Flags;
  Result.Now = Head.Now;
  return Result;
}

ReadResult unreadable(const std::string &Path) {
  return failure(Path, "cannot be read: " + std::string(std::strerror(errno)));
}

/// The first bytes of a file, as far as it has them.
std::vector<uint8_t> readBytes(std::ifstream &File, uint64_t Size) {
  std::vector<uint8_t> Out(Size);
  File.read(reinterpret_cast<char *>(Out.data()), std::streamsize(Size));
  Out.resize(size_t(File.gcount()));
  return Out;
}

ReadResult readPrelude(std::ifstream &File, const std::string &Path, Prelude &Head) {
  if (!File)
    return unreadable(Path);
  std::vector<uint8_t> Bytes = readBytes(File, PreludeSize);
  return readPrelude(Bytes.data(), Bytes.size(), Path, Head);
}

} // namespace

ReadResult readTrace(const std::vector<uint8_t> &Contents, const std::string &Name,
                     TraceVisitor &Visitor) {
  Prelude Head;
  ReadResult Result = readPrelude(Contents.data(), Contents.size(), Name, Head);
  if (!Result)
    return Result;
  uint64_t Available = Contents.size() - PreludeSize;
  Result.Torn = Head.Committed > Available;
  const uint8_t *Begin = Contents.data() + PreludeSize;
  readRecords(Begin, Begin + std::min(Head.Committed, Available), Visitor, Result);
  return Result;
}

ReadResult readTotals(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  Prelude Head;
  return readPrelude(File, Path, Head);
}

ReadResult TraceFollower::readMore(TraceVisitor &Visitor) {
  std::ifstream File(Path, std::ios::binary);
  Prelude Head;
  ReadResult Result = readPrelude(File, Path, Head);
  if (!Result || Head.Committed <= Read)
    return Result;
  File.seekg(std::streamoff(PreludeSize + Read));
  std::vector<uint8_t> New = readBytes(File, Head.Committed - Read);
  Read += New.size();
  readRecords(New.data(), New.data() + New.size(), Visitor, Result);
  return Result;
}

ReadResult readTrace(const std::string &Path, TraceVisitor &Visitor) {
  std::ifstream File(Path, std::ios::binary);
  if (!File)
    return unreadable(Path);
  std::vector<uint8_t> Contents{std::istreambuf_iterator<char>(File),
                                std::istreambuf_iterator<char>()};
  return readTrace(Contents, Path, Visitor);
}

} // namespace tensorleak::trace
