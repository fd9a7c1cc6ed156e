//===-- StandInsTest.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/errors/StandIns.h"

#include <gtest/gtest.h>

namespace tensorleak {
namespace {

using Role = LackedName::Role;

/// What is declared once \p Names, each as it first stands in \p Text, are lacked.
std::string declared(const std::string &Text, const std::vector<std::string> &Names,
                     Role As = Role::Unsaid) {
  StandIns Learned;
  for (const std::string &Name : Names) {
    LackedName Lacked;
    Lacked.Name = Name;
    Lacked.As = As;
    Lacked.File = "a.cpp";
    Lacked.Offset = Text.find(Name);
    Learned.learn(Lacked, [&](const std::string &) { return std::optional(Text); });
  }
  std::string All = Learned.declarations();
  return All.substr(All.rfind("} // namespace tensorleak_standins\n") + 35);
}

bool has(const std::string &Text, llvm::StringRef Part) {
  return llvm::StringRef(Text).contains(Part);
}

unsigned useIn(const std::string &Text) {
  SourceTokens Tokens(Text);
  size_t At = Tokens.at(Text.find('X'));
  return Tokens.useOf(At, At + 1);
}

TEST(SourceTokens, SayWhatANameIs) {
  EXPECT_EQ(useIn("{ X x; }"), unsigned(UsedAsType));
  EXPECT_EQ(useIn("{ X *x; }"), unsigned(UsedAsType));
  EXPECT_EQ(useIn("void f(X &);"), unsigned(UsedAsType));
  EXPECT_EQ(useIn("void f(X &x);"), unsigned(UsedAsTypeMaybe));
  EXPECT_EQ(useIn("y = new X(1);"), unsigned(UsedAsType));
  EXPECT_EQ(useIn("class A : public X {};"), unsigned(UsedAsType));
  EXPECT_EQ(useIn("using A = X;"), unsigned(UsedAsType));
  EXPECT_EQ(useIn("std::vector<X> x;"), unsigned(UsedAsTypeMaybe));
  EXPECT_EQ(useIn("y = (X)z;"), unsigned(UsedAsTypeMaybe));
  EXPECT_EQ(useIn("y = a * X * z;"), unsigned(UsedAsValue));
  EXPECT_EQ(useIn("y = (a + X) * 2;"), unsigned(UsedAsValue));
  EXPECT_EQ(useIn("y = X(1);"), unsigned(UsedInCall));
  EXPECT_EQ(useIn("using namespace X;"), unsigned(UsedAsNamespace));
  EXPECT_EQ(useIn("namespace a = X;"), unsigned(UsedAsNamespace));
  EXPECT_EQ(useIn("switch (y) { case X: break; }"), unsigned(UsedAsConstant));
  EXPECT_EQ(useIn("class X A {};"), unsigned(UsedAsMacro));
  EXPECT_EQ(useIn("; X void f();"), unsigned(UsedAsMacro));
}

TEST(SourceTokens, TellArgumentsFromComparisons) {
  SourceTokens Arguments("A<int, B<3>, -4> a;");
  EXPECT_EQ(Arguments.behindArguments(1), 12u);
  EXPECT_EQ(Arguments.argumentsAt(1), "ttc");
  SourceTokens Comparison("if (a < b && c > d) {}");
  EXPECT_EQ(Comparison.behindArguments(3), 3u);
  SourceTokens Nested("std::vector<A<int>> a;");
  EXPECT_TRUE(Nested.is(Nested.behindArguments(3), clang::tok::identifier));
}

TEST(StandIns, DeclareWhatUsesSay) {
  std::string Text = declared("cv::Mat m = cv::imread(path, cv::COLOR); cv::dnn::Net<2> n; "
                              "cv::Mat::zeros(1); LOG(INFO) << m;",
                              {"cv", "LOG", "INFO"});
  EXPECT_TRUE(has(Text, "namespace cv {"));
  EXPECT_TRUE(has(Text, "struct Mat :"));
  EXPECT_TRUE(has(Text, "static ::tensorleak_standins::TlUnknown zeros("));
  EXPECT_TRUE(has(Text, "extern ::tensorleak_standins::TlUnknown COLOR;"));
  EXPECT_TRUE(has(Text, "Unknown imread(A &&...);"));
  EXPECT_TRUE(has(Text, "template <auto...> struct Net :"));
  EXPECT_TRUE(has(Text, "Unknown LOG(A &&...);"));
  EXPECT_TRUE(has(Text, "extern ::tensorleak_standins::TlUnknown INFO;"));
  EXPECT_TRUE(has(declared("Unknown x; x.Unknown = 1;", {"Unknown"}), "struct Unknown :"));
}

TEST(StandIns, DeclareMacrosThatStandInDeclarations) {
  EXPECT_EQ(declared("SERIALIZE(a, b);", {"SERIALIZE"}, Role::NoType), "#define SERIALIZE(...)\n");
  EXPECT_EQ(declared("class EXPORT Name { };", {"Name"}, Role::Incomplete), "#define EXPORT\n");
}

TEST(StandIns, DeclareMacrosThatMakeHeadsOfFunctions) {
  EXPECT_TRUE(has(declared("TEST_CASE(\"a\") { f(); }", {"TEST_CASE"}, Role::NoType),
                  "(N) static void TEST_CASE_##N()\n"));
  EXPECT_TRUE(has(declared("struct A : B {}; TEST_F(A, b) { f(); }", {"TEST_F"}, Role::NoType),
                  "#define TEST_F(Class, Test) struct Class##_##Test : Class {"));
  // A class template is no base, nor is what the file does not define.
  EXPECT_TRUE(has(
      declared("template <class T> struct A {}; TEST_F(A, b) { f(); }", {"TEST_F"}, Role::NoType),
      "(N) static void TEST_F_##N()\n"));
  EXPECT_TRUE(has(declared("struct A; TEST_F(A, b) { f(); }", {"TEST_F"}, Role::NoType),
                  "(N) static void TEST_F_##N()\n"));
}

TEST(StandIns, TakeWhatABuildDefinesForANumber) {
  const std::string Text = "Real *x; Real f(Real y);";
  auto Read = [&](const std::string &) { return std::optional<std::string>(Text); };
  LackedName Lacked;
  Lacked.Name = "Real";
  Lacked.As = Role::Type;
  Lacked.File = "a.cpp";
  StandIns Learned(StandIns::Origin::Build);
  EXPECT_TRUE(Learned.learn(Lacked, Read));
  EXPECT_TRUE(has(Learned.declarations(), "typedef int Real;"));
}

TEST(StandIns, IncludeStandardHeadersInstead) {
  StandIns Learned;
  auto NoFile = [](const std::string &) { return std::optional<std::string>(); };
  LackedName Lacked;
  Lacked.Name = "unordered_map";
  Lacked.Scope = {"std"};
  EXPECT_TRUE(Learned.learn(Lacked, NoFile));
  EXPECT_FALSE(Learned.learn(Lacked, NoFile)); // nothing new
  EXPECT_TRUE(has(Learned.declarations(), "#include <unordered_map>\n"));
}

TEST(StandIns, GiveWayToWhatIsDeclared) {
  StandIns Learned;
  auto Read = [](const std::string &) { return std::optional<std::string>("Shape s;"); };
  LackedName Lacked;
  Lacked.Name = "Shape";
  Lacked.File = "a.cpp";
  EXPECT_TRUE(Learned.learn(Lacked, Read));
  EXPECT_TRUE(has(Learned.declarations(), "struct Shape"));
  Lacked.As = Role::Clash;
  EXPECT_TRUE(Learned.learn(Lacked, Read));
  EXPECT_FALSE(has(Learned.declarations(), "struct Shape"));
  Lacked.As = Role::Unsaid;
  EXPECT_FALSE(Learned.learn(Lacked, Read)); // nor a second time
}

TEST(StandIns, LeaveLibrariesAloneWhoseHeadersAreThere) {
  StandIns Learned;
  auto Read = [](const std::string &) { return std::optional<std::string>("at::Guard g;"); };
  LackedName Lacked;
  Lacked.Name = "Guard";
  Lacked.Scope = {"at"};
  Lacked.OfLibrary = true;
  Lacked.File = "a.cpp";
  Lacked.Offset = 4;
  EXPECT_FALSE(Learned.learn(Lacked, Read));
  EXPECT_TRUE(Learned.learnHeader("ATen/cuda/CUDAGuard.h"));
  EXPECT_TRUE(Learned.learn(Lacked, Read));
  EXPECT_TRUE(has(Learned.declarations(), "namespace at {"));
}

} // namespace
} // namespace tensorleak
