//===-- Doctor.cpp - tensorleak doctor ------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says what can and cannot be seen on this machine, and how to see more.
//
//===----------------------------------------------------------------------===//
#include "Command.h"
#include "Installation.h"
#include "Machine.h"
#include "Output.h"
#include "attach/RunningProcess.h"
#include "findings/Json.h"

#include <dlfcn.h>
#include <iomanip>
#include <iostream>

namespace tensorleak {
namespace {

/// One thing that was looked for, and what became of it.
struct Examined {
  std::string What, Says;
  bool Works;
};

class Examination {
public:
  std::vector<Examined> run();

private:
  void say(const std::string &What, const std::string &How, bool Works = true) {
    All.push_back({What, How, Works});
  }
  void sayOrMissing(const std::string &What, const std::optional<std::string> &Found,
                    const std::string &Otherwise) {
    say(What, Found ? *Found : "none: " + Otherwise, Found.has_value());
  }
  void sayProbe();
  void sayTorch();
  void sayCuda();
  void sayClients();
  void sayAttach();
  void sayProcess();

  std::vector<Examined> All;
};

void Examination::sayProbe() {
  if (auto Probe = findLibrary(TorchProbeName))
    return say("probe", Probe->string());
  std::string Folders;
  for (const auto &Folder : libraryFolders())
    Folders += (Folders.empty() ? "" : ", ") + Folder.string();
  say("probe",
      std::string("MISSING: ") + TorchProbeName + " is not in " + Folders +
          "; `tensorleak run` cannot work; build the target tensorleak-probe or " + "install again",
      false);
}

void Examination::sayTorch() {
  std::vector<TorchLibrary> Found = findTorchLibraries();
  for (const TorchLibrary &T : Found)
    say("LibTorch", (T.Version.empty() ? "unknown version" : T.Version) +
                        (T.HasCuda ? ", CUDA" : ", CPU only") + ", " + T.Folder + " (" + T.Origin +
                        ")");
  if (Found.empty())
    say("LibTorch",
        "none in the usual places; a program that brings its own is watched "
        "all the same",
        false);
}

std::optional<std::string> pathOf(const char *Library) {
  auto Found = findLibrary(Library);
  return Found ? std::optional<std::string>(Found->string()) : std::nullopt;
}

/// As the probe looks for it.
std::optional<std::string> pathOfCupti() {
  for (const char *Name :
       {"libcupti.so", "libcupti.so.13", "libcupti.so.12", "/usr/local/cuda/lib64/libcupti.so",
        "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"})
    if (void *Library = dlopen(Name, RTLD_LAZY | RTLD_LOCAL)) {
      dlclose(Library);
      return Name;
    }
  return std::nullopt;
}

void Examination::sayCuda() {
  sayOrMissing("CUDA probe", pathOf(CudaProbeName),
               "raw cudaMalloc cannot be watched; build the target tensorleak-probe-cuda");
  sayOrMissing("CUPTI", pathOfCupti(),
               "a program with a static CUDA runtime cannot be watched; link it with "
               "-cudart shared");
  sayOrMissing("CUDA toolkit", findTool("nvcc"), "programs that use CUDA cannot be built here");
  sayOrMissing("NVIDIA driver", nvidiaDriver(),
               "programs run on the CPU, where LibTorch keeps and frees the same tensors");
  sayOrMissing("compute-sanitizer", findTool("compute-sanitizer"),
               "not needed; it would only cross-check raw cudaMalloc");
}

/// What stands on the source checks beside `check`.
void Examination::sayClients() {
  if (!TENSORLEAK_STATIC)
    return;
  auto Server = findProgramBeside(EditorServerName);
  sayOrMissing("editors", Server ? std::optional<std::string>(Server->string()) : std::nullopt,
               "build the target tensorleak_clangd, which needs LLVM's static libraries of clangd "
               "(libclang-N-dev), or install again");
  sayOrMissing("clang-tidy plugin", pathOf(TidyPluginName),
               "build the target tensorleak_tidy or install again");
}

/// For what runs already; `run` needs no ptrace.
void Examination::sayAttach() {
  std::string Why = whyNoTracing();
  if (!findLibrary(AttachProbeName))
    say("attach",
        std::string("MISSING: ") + AttachProbeName + "; build the target " +
            "tensorleak_probe_attach or install again",
        false);
  else if (Why.empty())
    say("attach", "allowed: `attach` can watch programs that run already");
  else
    say("attach", "FORBIDDEN: " + Why, false);
}

void Examination::sayProcess() {
  if (canPatchCode())
    say("breakpoints", "allowed: `run` can tell which lines were reached");
  else
    say("breakpoints",
        "FORBIDDEN here (SELinux execmem?): no line can be seen as reached, and findings without "
        "growth stay inconclusive",
        false);
  sayAttach();
  say("perf, root", "not needed");
  say("debug information", "compile with -g (any optimization level); without it no line can "
                           "be matched and verdicts are inconclusive");
  for (const char *Name : {"PYTORCH_NO_CUDA_MEMORY_CACHING", "PYTORCH_CUDA_ALLOC_CONF"})
    if (const char *Value = getenv(Name))
      say(Name, std::string("is set to '") + Value + "'; if it turns the caching allocator off, " +
                    "CUDA tensors are not seen");
}

std::vector<Examined> Examination::run() {
  say("tensorleak", TENSORLEAK_VERSION);
  say("source checks", TENSORLEAK_STATIC ? "built in" : "not built in (TENSORLEAK_STATIC=OFF)",
      TENSORLEAK_STATIC);
  sayClients();
  sayProbe();
  sayTorch();
  sayCuda();
  sayProcess();
  return All;
}

struct DoctorOptions {
  std::string Format;
};

int runDoctor(const DoctorOptions &Options) {
  const bool IsJson = Options.Format == JsonReport::Name;
  nlohmann::json List = nlohmann::json::array();
  for (const Examined &Each : Examination().run())
    if (IsJson)
      List.push_back({{"what", Each.What}, {"says", Each.Says}, {"works", Each.Works}});
    else
      std::cout << std::left << std::setw(20) << Each.What << Each.Says << '\n';
  if (IsJson)
    printJson(std::cout, List);
  return ExitClean;
}

} // namespace

void addDoctorCommand(Application &App, int &Exit) {
  CLI::App *Command =
      App.add_subcommand("doctor", "Say what can and cannot be seen on this machine");
  auto Options = std::make_shared<DoctorOptions>();
  addTableFormatOption(*Command, Options->Format);
  bindCommand(*Command, Exit, Options, runDoctor);
}

} // namespace tensorleak
