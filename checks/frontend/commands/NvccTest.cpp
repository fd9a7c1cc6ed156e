//===-- NvccTest.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/commands/Nvcc.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <fstream>
#include <gtest/gtest.h>

using namespace tensorleak;

namespace {

/// What is left of nvcc's flags, between the compiler and the file.
CommandLine translated(CommandLine Flags) {
  Flags.insert(Flags.begin(), "/usr/local/cuda/bin/nvcc");
  Flags.emplace_back("a.cu");
  CommandLine Out = hostCommand({"/p/a.cu", "/p", Flags, ""});
  EXPECT_GE(Out.size(), 2u);
  EXPECT_EQ(Out.back(), "a.cu");
  return {Out.begin() + 1, Out.end() - 1};
}

const CommandLine Nothing;

struct Case {
  const char *Name;
  CommandLine Nvcc, Clang;
};
std::ostream &operator<<(std::ostream &Out, const Case &C) { return Out << C.Name; }

class NvccFlag : public testing::TestWithParam<Case> {};

TEST_P(NvccFlag, IsTranslated) { EXPECT_EQ(translated(GetParam().Nvcc), GetParam().Clang); }

const Case Cases[] = {
    // For which GPU.
    {"Gencode", {"-gencode", "arch=compute_80,code=sm_80"}, {}},
    {"GencodeJoined", {"-gencode=arch=compute_80,code=[compute_80,sm_80]"}, {}},
    {"GenerateCode", {"--generate-code=arch=compute_80,code=[sm_80]"}, {}},
    {"GenerateCodeApart", {"--generate-code", "arch=compute_80,code=[sm_80]"}, {}},
    {"Arch", {"-arch", "sm_90a"}, {}},
    {"ArchNative", {"-arch=native"}, {}},
    {"GpuArchitecture", {"--gpu-architecture=sm_70"}, {}},
    {"Code", {"-code", "sm_70,sm_80"}, {}},
    {"GpuCode", {"--gpu-code=sm_70"}, {}},
    {"Rdc", {"-rdc=true"}, {}},
    {"RdcApart", {"-rdc", "true"}, {}},
    {"RelocatableDeviceCode", {"--relocatable-device-code=true"}, {}},
    {"Maxrregcount", {"-maxrregcount", "64"}, {}},
    {"MaxrregcountJoined", {"--maxrregcount=64"}, {}},
    {"FastMath", {"--use_fast_math"}, {}},
    {"FastMathShort", {"-use_fast_math"}, {}},
    {"Ftz", {"-ftz=true"}, {}},
    {"DefaultStream", {"--default-stream", "per-thread"}, {}},
    {"DeviceDebug", {"-G"}, {}},
    {"Lineinfo", {"-lineinfo"}, {}},
    {"GenerateLineInfo", {"--generate-line-info"}, {}},
    {"Dlto", {"-dlto"}, {}},
    {"ExtraVectorization", {"-extra-device-vectorization"}, {}},
    // The language.
    {"RelaxedConstexpr", {"--expt-relaxed-constexpr"}, {}},
    {"ExtendedLambda", {"--extended-lambda"}, {}},
    {"ExptExtendedLambda", {"-expt-extended-lambda"}, {}},
    {"Language", {"-x", "cu"}, {"-x", "cuda"}},
    {"LanguageJoined", {"-x=cu"}, {"-x", "cuda"}},
    {"LanguageOfHost", {"-x", "c++"}, {"-x", "c++"}},
    {"Std", {"-std=c++17"}, {"-std=c++17"}},
    {"StdApart", {"-std", "c++20"}, {"-std=c++20"}},
    {"StdLong", {"--std=c++14"}, {"-std=c++14"}},
    {"TemplateDepth", {"-ftemplate-depth", "2000"}, {"-ftemplate-depth=2000"}},
    // Macros and headers.
    {"Define", {"-DA=1", "-D", "B"}, {"-DA=1", "-DB"}},
    {"DefineLong", {"--define-macro", "A,B=2"}, {"-DA", "-DB=2"}},
    {"DefineWithComma", {"-DA(x\\,y)=x"}, {"-DA(x,y)=x"}},
    {"Undefine", {"-UA"}, {"-UA"}},
    {"Include", {"-Iinc", "-I", "b", "-I=c"}, {"-Iinc", "-Ib", "-Ic"}},
    {"IncludeLong", {"--include-path", "a,b"}, {"-Ia", "-Ib"}},
    {"System", {"-isystem=/t", "-isystem", "/u"}, {"-isystem", "/t", "-isystem", "/u"}},
    {"SystemLong", {"--system-include", "/t"}, {"-isystem", "/t"}},
    {"PreInclude", {"-include", "a.h,b.h"}, {"-include", "a.h", "-include", "b.h"}},
    // Other tools.
    {"Xcompiler", {"-Xcompiler=-fPIC,-fopenmp"}, {"-fPIC", "-fopenmp"}},
    {"XcompilerApart", {"-Xcompiler", "-fPIC"}, {"-fPIC"}},
    {"XcompilerQuoted", {"-Xcompiler", "\"-Wall -DX=1\""}, {"-Wall", "-DX=1"}},
    {"XcompilerInclude", {"-Xcompiler", "-include,a.h"}, {"-include", "a.h"}},
    {"XcompilerLinker", {"-Xcompiler=-Wl,-rpath,/lib"}, {"-Wl", "-rpath"}},
    {"CompilerOptions", {"--compiler-options=-fPIC"}, {"-fPIC"}},
    {"CompilerOptionsApart", {"--compiler-options", "'-fPIC'"}, {"-fPIC"}},
    {"Xptxas", {"-Xptxas", "-v"}, {}},
    {"XptxasJoined", {"-Xptxas=-v,-dlcm=ca"}, {}},
    {"PtxasOptions", {"--ptxas-options=-v"}, {}},
    {"Xcudafe", {"-Xcudafe", "--diag_suppress=esa_on_defaulted_function_ignored"}, {}},
    {"Xlinker", {"-Xlinker", "-rpath,/lib"}, {}},
    {"Nvlink", {"-Xnvlink", "-dump"}, {}},
    {"Ccbin", {"-ccbin", "/usr/bin/g++-11"}, {}},
    {"CcbinJoined", {"-ccbin=g++"}, {}},
    {"CompilerBindir", {"--compiler-bindir", "/usr/bin"}, {}},
    {"ForwardUnknown", {"-forward-unknown-to-host-compiler", "-fno-plt"}, {"-fno-plt"}},
    {"Threads", {"--threads", "4"}, {}},
    {"ThreadsShort", {"-t=8"}, {}},
    {"Cudart", {"-cudart=shared"}, {}},
    {"AllowUnsupported", {"-allow-unsupported-compiler"}, {}},
    // What is made, and where.
    {"Compile", {"-c"}, {}},
    {"DeviceC", {"-dc"}, {}},
    {"Output", {"-o", "a.o"}, {}},
    {"Dependencies", {"-MD", "-MT", "a.o", "-MF", "a.o.d"}, {}},
    {"Libraries", {"-lcublas", "-L/lib", "-l", "cudnn"}, {}},
    {"Inputs", {"b.cu", "util.o", "libx.a"}, {}},
    {"Shared", {"-shared"}, {}},
    {"Ptx", {"--ptx"}, {}},
    {"Keep", {"--keep", "--keep-dir", "/tmp"}, {}},
    // Debugging and warnings.
    {"Debug", {"-g"}, {}},
    {"Optimize", {"-O3"}, {"-O3"}},
    {"Machine", {"-m64"}, {}},
    {"Werror", {"-Werror", "all-warnings"}, {}},
    {"WerrorAlone", {"-Werror", "-DX"}, {"-DX"}},
    {"DiagSuppress", {"-diag-suppress=177,550"}, {}},
    {"DisableWarnings", {"-w"}, {}},
    // Clang's own, which a command for a .cu file may have too.
    {"Target", {"-target", "x86_64-linux-gnu"}, {"-target", "x86_64-linux-gnu"}},
    {"March", {"-march=native"}, {"-march=native"}},
    {"CudaPath", {"--cuda-path=/opt/cuda"}, {"--cuda-path=/opt/cuda"}},
    {"GpuArch", {"--cuda-gpu-arch=sm_70"}, {"--cuda-gpu-arch=sm_70"}},
};
INSTANTIATE_TEST_SUITE_P(All, NvccFlag, testing::ValuesIn(Cases),
                         [](auto &Info) { return Info.param.Name; });

TEST(Nvcc, ReadsOptionsFiles) {
  llvm::SmallString<128> Folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("nvcc", Folder));
  std::ofstream((Folder + "/outer.rsp").str()) << "-I\"/with space\" --options-file inner.rsp\n";
  std::ofstream((Folder + "/inner.rsp").str()) << "-isystem=/t\n-DX='a b'";
  CommandLine Out =
      hostCommand({"/p/a.cu", Folder.str().str(), {"nvcc", "--options-file", "outer.rsp"}, ""});
  EXPECT_EQ(Out, (CommandLine{"nvcc", "-I/with space", "-isystem", "/t", "-DX=a b"}));
  llvm::sys::fs::remove_directories(Folder);
}

TEST(Nvcc, AnOptionsFileThatReadsItselfEnds) {
  llvm::SmallString<128> File;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("nvcc", "rsp", File));
  std::ofstream(File.c_str()) << "-optf " << File.c_str();
  EXPECT_EQ(hostCommand({"/p/a.cu", "/p", {"nvcc", "-optf", File.c_str()}, ""}),
            CommandLine{"nvcc"});
  llvm::sys::fs::remove(File);
}

TEST(Nvcc, LeavesOtherCompilersAlone) {
  CommandLine Gcc{"g++", "-G", "-arch", "x", "-c", "a.cpp"};
  EXPECT_EQ(hostCommand({"/p/a.cpp", "/p", Gcc, ""}), Gcc);
}

TEST(Nvcc, ItsFlagsAreKnownForCudaFilesWithoutIt) {
  EXPECT_EQ(hostCommand({"/p/a.cu", "/p", {"clang++", "-arch=sm_80", "-DX", "/p/a.cu"}, ""}),
            (CommandLine{"clang++", "-DX", "/p/a.cu"}));
}

} // namespace
