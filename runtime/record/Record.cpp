//===-- Record.cpp - Records as files -------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/record/Record.h"
#include "findings/Json.h"
#include "findings/files/FileUri.h"
#include "findings/files/ReadFile.h"
#include "runtime/record/TorchSnapshot.h"
#include "runtime/replay/timeline/TimelineJson.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

using nlohmann::json;
namespace fs = std::filesystem;

namespace tensorleak {

NLOHMANN_JSON_SERIALIZE_ENUM(Growth, {{Growth::Bounded, "bounded"},
                                      {Growth::Growing, "growing"},
                                      {Growth::Slowing, "slowing"},
                                      {Growth::TooShort, "too-short"}})

namespace {

constexpr const char *Format = "tensorleak-record";

//===-- Writing -----------------------------------------------------------===//

json writeFrame(const Frame &F) {
  return {{"function", F.Function},
          {"file", F.Where.File},
          {"line", F.Where.Line},
          {"column", F.Where.Column}};
}

/// Short, for there may be many: [bytes, birth, death or null, expected].
json writeObject(const RecordObject &O) {
  return {O.Bytes, O.Birth, O.Death ? json(*O.Death) : json(nullptr), O.Expected};
}

json writeHolder(const RecordHolder &H) { return {{"text", H.Text}, {"way", H.Way}}; }

json writeSite(const RecordSite &S) {
  json Frames = json::array(), Objects = json::array();
  for (const Frame &F : S.Frames)
    Frames.push_back(writeFrame(F));
  for (const RecordObject &O : S.Objects)
    Objects.push_back(writeObject(O));
  json Out = {{"frames", Frames},
              {"ops", S.Ops},
              {"onDevice", S.OnDevice},
              {"growth", S.TheGrowth},
              {"bytesPerStep", S.BytesPerStep},
              {"totalBytes", S.TotalBytes},
              {"peakBytes", S.PeakBytes},
              {"peakBefore", S.PeakBefore},
              {"peakEarlier", S.PeakEarlier},
              {"peakCount", S.PeakCount},
              {"allocations", S.Allocations},
              {"objects", Objects}};
  if (S.Holder)
    Out["holder"] = writeHolder(*S.Holder);
  return Out;
}

json writePart(const JobPart &P) {
  json Out = {{"host", P.Host}, {"pid", P.Pid}, {"parentPid", P.ParentPid}};
  if (P.Rank)
    Out["rank"] = *P.Rank;
  if (P.WorldSize)
    Out["worldSize"] = *P.WorldSize;
  return Out;
}

//===-- Reading -----------------------------------------------------------===//

Frame readFrame(const json &F) {
  return {F.at("function"), {F.at("file"), F.at("line"), F.at("column")}};
}

RecordObject readObject(const json &O) {
  RecordObject Out{O.at(0), O.at(1), std::nullopt, O.at(3)};
  if (!O.at(2).is_null())
    Out.Death = O.at(2).get<uint64_t>();
  return Out;
}

RecordSite readSite(const json &S) {
  RecordSite Out;
  for (const json &F : S.at("frames"))
    Out.Frames.push_back(readFrame(F));
  S.at("ops").get_to(Out.Ops);
  S.at("onDevice").get_to(Out.OnDevice);
  S.at("growth").get_to(Out.TheGrowth);
  S.at("bytesPerStep").get_to(Out.BytesPerStep);
  S.at("totalBytes").get_to(Out.TotalBytes);
  S.at("peakBytes").get_to(Out.PeakBytes);
  Out.PeakBefore = S.value("peakBefore", Out.PeakBefore);
  Out.PeakEarlier = S.value("peakEarlier", Out.PeakEarlier);
  Out.PeakCount = S.value("peakCount", Out.PeakCount);
  S.at("allocations").get_to(Out.Allocations);
  if (S.contains("holder"))
    Out.Holder = {S["holder"].at("text"), S["holder"].at("way")};
  for (const json &O : S.at("objects"))
    Out.Objects.push_back(readObject(O));
  return Out;
}

JobPart readPart(const json &P) {
  JobPart Out;
  P.at("host").get_to(Out.Host);
  P.at("pid").get_to(Out.Pid);
  P.at("parentPid").get_to(Out.ParentPid);
  if (P.contains("rank"))
    Out.Rank = P["rank"].get<uint32_t>();
  if (P.contains("worldSize"))
    Out.WorldSize = P["worldSize"].get<uint32_t>();
  return Out;
}

RunRecord readMembers(const json &File) {
  RunRecord R;
  File.at("command").get_to(R.Command);
  R.Part = readPart(File.at("part"));
  File.at("steps").get_to(R.Steps);
  File.at("clock").get_to(R.Clock);
  File.at("peakBytes").get_to(R.PeakBytes);
  File.at("nodesPerStep").get_to(R.NodesPerStep);
  File.at("heapBytesPerStep").get_to(R.HeapBytesPerStep);
  File.at("allocations").get_to(R.Allocations);
  File.at("remarks").get_to(R.Remarks);
  R.Advice = File.value("advice", R.Advice);
  for (const json &S : File.at("sites"))
    R.Sites.push_back(readSite(S));
  R.Memory = timelinesFromJson(File.value("memory", json::array()));
  R.Findings = fromSarif(File.at("findings"));
  return R;
}

std::runtime_error notARecord(const std::string &Name, const std::string &Why) {
  return std::runtime_error("'" + Name + "' is no record of 'tensorleak run --record': " + Why);
}

/// \throws what is wrong with it
const json &ofThisVersion(const json &File) {
  if (!File.is_object() || File.value("format", json()) != Format)
    throw std::runtime_error("it has another format");
  if (int Version = File.value("version", 0); Version != RecordVersion)
    throw std::runtime_error("it has version " + std::to_string(Version) + ", this build reads " +
                             std::to_string(RecordVersion));
  return File;
}

RunRecord readSnapshot(const std::string &Bytes, const std::string &Path) {
  try {
    return recordOfSnapshot(*unpickle(Bytes));
  } catch (const std::runtime_error &E) {
    throw std::runtime_error("'" + Path + "' is no snapshot of torch.cuda.memory: " + E.what());
  }
}

std::string contentOf(const std::string &Path) try {
  return readFile(Path);
} catch (const std::runtime_error &E) {
  throw std::runtime_error("cannot read the record '" + Path + "': " + E.what());
}

RunRecord readRecord(const std::string &Bytes, const std::string &Path) {
  json File;
  try {
    File = parseJson(Bytes);
  } catch (const std::runtime_error &E) {
    throw notARecord(Path, E.what());
  }
  return recordFromJson(File, Path);
}

RunRecord readRecordFile(const std::string &Path) {
  std::string Bytes = contentOf(Path);
  return looksLikePickle(Bytes) ? readSnapshot(Bytes, Path) : readRecord(Bytes, Path);
}

bool isRecordFile(const fs::path &Path) {
  std::string Name = Path.filename(), Suffix = RecordSuffix;
  return Name.size() > Suffix.size() &&
         Name.compare(Name.size() - Suffix.size(), Suffix.size(), Suffix) == 0;
}

} // namespace

std::string RunRecord::name() const {
  return Part.Rank ? "rank " + std::to_string(*Part.Rank) : "process " + std::to_string(Part.Pid);
}

int64_t RunRecord::bytesPerStep() const {
  int64_t Bytes = 0;
  for (const RecordSite &S : Sites)
    Bytes += grows(S) ? S.BytesPerStep : 0;
  return Bytes;
}

std::string siteKey(const RecordSite &S, bool WithLines) {
  std::string Key = S.OnDevice ? "device" : "host";
  for (const Frame &F : S.Frames) {
    Key += '|' + F.Where.File + '|' + F.Function;
    if (WithLines)
      Key += ':' + std::to_string(F.Where.Line) + ':' + std::to_string(F.Where.Column);
  }
  if (S.Frames.empty() || !WithLines)
    for (const std::string &Op : S.Ops)
      Key += '|' + Op;
  return Key;
}

std::string describe(const RecordSite &S, const std::string &Folder) {
  std::string Ops;
  for (const std::string &Op : S.Ops)
    Ops += (Ops.empty() ? "" : ", ") + Op;
  if (S.Frames.empty())
    return "a place without a frame of the program" + (Ops.empty() ? "" : " (" + Ops + ")");
  const Frame &F = S.Frames.front();
  std::string Out = shortPath(F.Where.File, Folder);
  if (F.Where.isValid())
    Out += ":" + std::to_string(F.Where.Line);
  if (F.Where.Column)
    Out += ":" + std::to_string(F.Where.Column);
  return F.Function.empty() ? Out : Out + " (" + F.Function + ")";
}

std::string recordFileName(const JobPart &Part) {
  std::string Who = Part.Rank ? "rank-" + std::to_string(*Part.Rank) : "process";
  return Who + "." + std::to_string(Part.Pid) + RecordSuffix;
}

json toJson(const RunRecord &R) {
  json Sites = json::array();
  for (const RecordSite &S : R.Sites)
    Sites.push_back(writeSite(S));
  return {{"format", Format},
          {"version", RecordVersion},
          {"tool", TENSORLEAK_VERSION},
          {"command", R.Command},
          {"part", writePart(R.Part)},
          {"steps", R.Steps},
          {"clock", R.Clock},
          {"peakBytes", R.PeakBytes},
          {"nodesPerStep", R.NodesPerStep},
          {"heapBytesPerStep", R.HeapBytesPerStep},
          {"allocations", R.Allocations},
          {"remarks", R.Remarks},
          {"advice", R.Advice},
          {"sites", Sites},
          {"memory", toJson(R.Memory)},
          {"findings", toSarif(R.Findings)}};
}

RunRecord recordFromJson(const json &File, const std::string &Name) try {
  return readMembers(ofThisVersion(File));
} catch (const json::exception &E) {
  throw notARecord(Name, describe(E));
} catch (const std::runtime_error &E) {
  throw notARecord(Name, E.what());
}

/// A file that is there is whole: it gets its name when it is finished.
void writeRecord(const RunRecord &R, const std::string &Path) {
  std::string Unfinished = Path + ".unfinished";
  std::ofstream Out(Unfinished);
  // Function names may have any bytes.
  Out << toJson(R).dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
  Out.close();
  if (!Out)
    throw std::runtime_error("cannot write the record '" + Path + "': " + std::strerror(errno));
  fs::rename(Unfinished, Path);
}

std::vector<RunRecord> readRecords(const std::string &FileOrFolder) {
  if (!fs::is_directory(FileOrFolder))
    return {readRecordFile(FileOrFolder)};
  std::vector<fs::path> Files;
  for (const auto &Entry : fs::directory_iterator(FileOrFolder))
    if (isRecordFile(Entry.path()))
      Files.push_back(Entry.path());
  if (Files.empty())
    throw std::runtime_error("no record in '" + FileOrFolder +
                             "'; 'tensorleak run --record DIR' writes them");
  std::sort(Files.begin(), Files.end());
  std::vector<RunRecord> Out;
  for (const fs::path &File : Files)
    Out.push_back(readRecordFile(File));
  return Out;
}

} // namespace tensorleak
