//===-- Command.h - What every subcommand has in common -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A subcommand is one file. It defines one function, add<Name>Command, which
// adds the subcommand to the application and binds its options to a callback,
// and has one line in Commands.def. Main.cpp does the rest.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_COMMAND_H
#define TENSORLEAK_TOOL_COMMAND_H

#include <CLI/CLI.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tensorleak {

/// The documented exit codes.
enum ExitCode : int {
  ExitClean = 0,
  ExitFindings = 1,   ///< findings at or above the level asked for
  ExitUsage = 2,      ///< wrong use or configuration
  ExitIncomplete = 3, ///< something could not be analysed
};

/// "1 file", "2 files".
inline std::string counted(uint64_t Count, std::string_view What) {
  return std::to_string(Count).append(" ").append(What).append(Count == 1 ? "" : "s");
}

/// Wrong use or configuration: one sentence that says what, where and how to
/// mend it. Main.cpp prints it and exits with ExitUsage.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The command line. What follows the first `--` belongs to another program, so
/// it is never parsed; a command that wants it takes it from here.
struct Application : CLI::App {
  using CLI::App::App;
  std::optional<std::vector<std::string>> AfterDashes;
};

/// The first line of a command's help says what may follow its options.
class UsageWith : public CLI::Formatter {
public:
  explicit UsageWith(std::string What) : What(std::move(What)) {}
  std::string make_usage(const CLI::App *Command, std::string Name) const override {
    std::string Usage = CLI::Formatter::make_usage(Command, std::move(Name));
    Usage.insert(Usage.find_last_not_of('\n') + 1, What);
    return Usage;
  }

private:
  std::string What;
};

/// Binds what `tensorleak NAME` does. \p Options lives as long as the command.
template <typename OptionsT>
void bindCommand(CLI::App &Command, int &Exit, std::shared_ptr<OptionsT> Options,
                 int (*Run)(const OptionsT &)) {
  Command.callback([&Exit, Options = std::move(Options), Run] { Exit = Run(*Options); });
}

#define TENSORLEAK_COMMAND(Name) void add##Name##Command(Application &App, int &Exit);
#include "Commands.def"
#undef TENSORLEAK_COMMAND

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_COMMAND_H
