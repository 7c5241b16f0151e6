#pragma once
// One subcommand of the `tessera` program, and what all of them share. A new command is one file and one line in
// cli.cpp.

#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/cli/cli.h"
#include "core/driver/pipeline.h"
#include "core/driver/read_file.h"

namespace tessera {

struct Command {
  std::string_view name;
  std::string_view usage;                              // the arguments, as the help shows them
  int (*run)(std::span<const std::string> arguments);  // without the command's name; returns an exit code
  bool fillsFolder = false;                            // -o names a folder, given to the command as --out
};

// Prints the mistake to standard error with the usage of the program, or the usage alone to standard output.
int usage(const std::string& mistake);
void put(std::FILE* to, const std::string& text);
// Reads and parses; an exit code other than kExitFine when the file cannot be read.
int loadFile(const std::string& path, Session& session);
void printDiagnostics(const Diagnostics& diagnostics, const SourceBuffer& source);

// "--name=value" or "--name value": the option's name and value; `index` moves to the value. False when the value is
// missing.
bool splitOption(std::span<const std::string> arguments, size_t& index, std::string& name, std::string& value);
// "A,B": its parts without empty ones.
std::vector<std::string> splitList(const std::string& text);

int runCommand(std::span<const std::string> arguments);        // command_run.cpp
int problemCommand(std::span<const std::string> arguments);    // command_problem.cpp
int logCommand(std::span<const std::string> arguments);        // command_log.cpp
int lossesCommand(std::span<const std::string> arguments);     // command_losses.cpp
int profileCommand(std::span<const std::string> arguments);    // command_profile.cpp
int embedCommand(std::span<const std::string> arguments);      // command_embed.cpp
int exportCommand(std::span<const std::string> arguments);     // command_export.cpp
int solveCommand(std::span<const std::string> arguments);      // command_solve.cpp; native only
int checkPassCommand(std::span<const std::string> arguments);  // command_check_pass.cpp
int executeCommand(std::span<const std::string> arguments);    // command_execute.cpp
int optCommand(std::span<const std::string> arguments);        // command_opt.cpp
int lintCommand(std::span<const std::string> arguments);       // command_info.cpp, likewise below
int compareCommand(std::span<const std::string> arguments);    // command_compare.cpp
int callCommand(std::span<const std::string> arguments);       // command_call.cpp
int studyCommand(std::span<const std::string> arguments);      // command_study.cpp; native only
int traceCommand(std::span<const std::string> arguments);      // command_trace.cpp
int evalCommand(std::span<const std::string> arguments);       // command_eval.cpp
int layoutCommand(std::span<const std::string> arguments);
int catalogCommand(std::span<const std::string> arguments);
int versionCommand(std::span<const std::string> arguments);

}  // namespace tessera
