//===-- KeptTraceTest.cpp - Traces that outlive their program -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/recording/KeptTrace.h"
#include "runtime/replay/debuginfo/CompiledPlaces.h"
#include "runtime/replay/recording/SitePlace.h"
#include "runtime/replay/recording/TraceByHand.h"

#include <fstream>

using namespace tensorleak;
using test::Places;
using test::Tape;

namespace {

constexpr uint64_t Base = 0x400000000;

/// A folder with the trace of a run of the program, in which one stack was recorded.
class KeptTraceTest : public testing::Test {
protected:
  KeptTraceTest() {
    std::string Template = std::filesystem::temp_directory_path() / "kept-XXXXXX";
    Folder = mkdtemp(Template.data());
    Places Program("g++ -g -O0"); // gone when the test begins to ask
    trace::Stack Stack;
    Stack.Id = 1;
    Stack.Frames = {Base + Program.at("local").Address};
    Tape T;
    T.add(trace::Module{Base, Base, Base + 0x1000000, Program.program(), ""}).add(Stack);
    trace::Bytes Contents = T.contents();
    std::ofstream(Folder / "recorded", std::ios::binary)
        .write(reinterpret_cast<const char *>(Contents.data()), long(Contents.size()));
    DebugFiles Files;
    keepTrace(Folder / "recorded", Folder / "kept", Files);
    keepTrace(Folder / "kept", Folder / "again", Files);
  }
  ~KeptTraceTest() override { std::filesystem::remove_all(Folder); }

  static std::vector<Frame> framesIn(const std::string &File) {
    Recording R = readRecording(File);
    DebugFiles Files;
    return Symbolizer(R, Files).userFrames(R.Stacks.at(1));
  }

  std::filesystem::path Folder;
};

} // namespace

TEST_F(KeptTraceTest, NamesAreInTheTrace) {
  EXPECT_TRUE(framesIn(Folder / "recorded").empty());
  std::vector<Frame> Frames = framesIn(Folder / "kept");
  ASSERT_EQ(Frames.size(), 1u);
  EXPECT_EQ(Frames[0].Function, "main");
  EXPECT_EQ(Frames[0].Where.Line, 58u);
}

TEST_F(KeptTraceTest, KeptAgainItHasEachNameOnce) {
  EXPECT_EQ(readRecording(Folder / "again").Symbols.size(), 1u);
  EXPECT_EQ(framesIn(Folder / "again").size(), 1u);
}

TEST_F(KeptTraceTest, AFileThatCannotBeWrittenIsReported) {
  DebugFiles Files;
  EXPECT_THROW(keepTrace(Folder / "recorded", Folder / "none" / "kept", Files), std::runtime_error);
}

TEST(SitePlace, IsDescribedByItsInnermostLine) {
  std::vector<Frame> Frames{{"step", {"/p/train.cpp", 31, 5}}, {"main", {"/p/main.cpp", 7, 3}}};
  EXPECT_EQ(describePlace({Frames, {}}), "train.cpp:31");
  EXPECT_EQ(describePlace({{}, Frames}), "backward of train.cpp:31");
  EXPECT_EQ(describePlace({}), "an unknown place");
}
