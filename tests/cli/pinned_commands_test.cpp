// What the commands print about the golden cases: a line per command and group of cases, with how often it ended well
// and a fingerprint of all that was printed.

#include "tests/cli/cli_testing.h"
#include "tests/golden_texts.h"
#include "tests/pinned.h"

namespace tessera::test {
namespace {

PinnedFile& pins = PinnedFile::named("pinned_commands");

// Without the folder of the cases.
std::string printed(const Outcome& outcome, const std::string& folder = TESSERA_SOURCE_DIR) {
  return without(outcome.out + outcome.err, folder);
}

// Every case is asked by two of them.
TEST(PinnedCommands, OnGoldenCases) {
  const std::vector<std::vector<std::string>> commands = {
      {"run", "--policy", "Greedy"},
      {"run", "--policy", "Exact", "--regrets"},
      {"run", "--policy", "Beam", "--node-data", "time"},
      {"run", "--policy", "DFSharding", "--node-data", "spills", "--tensor-l1-usage-cap", "0.1"},
      {"run", "--policy", "Greedy", "--node-data", "place"},
      {"run", "--policy", "DFSharding2", "--mlir"},
      {"run", "--policy", "Beam", "--spill-strategy", "certified", "--tensor-l1-usage-cap", "0.1"},
      {"losses"},
      {"losses", "--json", "--tensor-l1-usage-cap", "0.2"},
      {"compare", "--policies", "DRAM,Greedy,BFInterleaved", "--ops"},
      {"compare", "--policies", "Greedy,DFSharding2", "--json", "--tensor-l1-usage-cap", "0.3"},
      {"opt", "--ttir-to-ttnn-backend-pipeline=optimization-level=2", "--ttnn-collect-perf-metrics"},
      {"opt", "--ttir-to-ttnn-backend-pipeline=optimization-level=1 enable-const-eval=false"},
      {"export", "wcsp"},
      {"export", "lp", "--tensor-l1-usage-cap", "0.2"},
      {"export", "joint-lp", "--tensor-l1-usage-cap", "0.2"},
      {"problem"},
      {"lint"},
      {"execute", "--policy", "Greedy", "--side", "40"},
  };
  struct Line {
    int fine = 0, cases = 0;
    Fingerprint print;
  };
  std::map<std::string, Line> lines;
  const std::vector<GoldenText> texts = goldenTexts({"answers", "cases", "lowering"});
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::string file =
        (std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden" / (texts[i].name + ".mlir")).string();
    for (const uint64_t draw : {mixed(i), mixed(i) >> 20}) {
      const std::vector<std::string>& command = commands[draw % commands.size()];
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.begin() + (command[0] == "export" ? 2 : 1), file);
      const Outcome result = runTessera(arguments);
      std::string name;
      for (const std::string& word : command) name += (name.empty() ? "" : " ") + word;
      Line& line = lines[name];
      ++line.cases, line.fine += result.code == kExitFine;
      line.print.add(texts[i].name), line.print.add(int64_t{result.code}), line.print.add(printed(result));
    }
  }
  if (smallTests()) return;
  for (const auto& [name, line] : lines)
    pins.expect(name,
                std::to_string(line.fine) + " of " + std::to_string(line.cases) + ", print " + digits(line.print));
}

// What a policy decided, written as the compiler would have and taken as it stands.
TEST(PinnedCommands, OnGraphsThatCarryLayouts) {
  const std::vector<std::vector<std::string>> commands = {
      {"losses"},
      {"losses", "--json"},
      {"run", "--policy", "AsWritten"},
      {"compare", "--policies", "AsWritten,Beam", "--reoptimize=true", "--ops"},
      {"opt", "--ttnn-optimizer"},
      {"execute", "--policy", "AsWritten", "--side", "40"},
  };
  const char* const kPolicies[] = {"DRAM", "DFSharding", "Greedy", "BFInterleaved"};
  const std::vector<GoldenText> texts = goldenTexts({"cases"});
  std::vector<Fingerprint> prints(commands.size());
  std::vector<int> fine(commands.size(), 0);
  for (size_t i = 0; i < texts.size(); i += 2) {
    const std::string file =
        (std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden" / (texts[i].name + ".mlir")).string();
    const Outcome written = runTessera({"run", file, "--policy", kPolicies[mixed(i) % 4], "--mlir"});
    if (written.code != kExitFine) continue;
    const TemporaryFile dump(written.out);
    for (size_t c = 0; c < commands.size(); ++c) {
      if (i / 2 % commands.size() != c) continue;
      std::vector<std::string> arguments = commands[c];
      arguments.insert(arguments.begin() + 1, dump.path());
      const Outcome result = runTessera(arguments);
      fine[c] += result.code == kExitFine;
      prints[c].add(texts[i].name), prints[c].add(int64_t{result.code}), prints[c].add(printed(result, dump.path()));
    }
  }
  if (smallTests()) return;
  for (size_t c = 0; c < commands.size(); ++c) {
    std::string name = "as it stands";
    for (const std::string& word : commands[c]) name += " " + word;
    pins.expect(name, std::to_string(fine[c]) + " fine, print " + digits(prints[c]));
  }
}

}  // namespace
}  // namespace tessera::test
