// What is answered to texts and command lines in which one word is wrong: a line per kind of input, with how many are
// taken all the same and a fingerprint of all that is said. Graphs as MLIR: tests/import/pinned_import_test.cpp.

#include "core/driver/api.h"
#include "core/driver/session.h"
#include "core/instances/iopddl.h"
#include "core/instances/minimalloc.h"
#include "tests/cli/cli_testing.h"
#include "tests/golden_texts.h"
#include "tests/pinned.h"

namespace tessera::test {
namespace {

PinnedFile& mistakePins = PinnedFile::named("pinned_mistakes");

const std::string kAddedGraph =
    "func.func @main(%a: tensor<256x256xbf16>, %b: tensor<256x256xbf16>) -> tensor<256x256xbf16> {\n"
    "  %0 = \"ttir.relu\"(%a) : (tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  %1 = \"ttir.add\"(%0, %b) : (tensor<256x256xbf16>, tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  return %1 : tensor<256x256xbf16>\n}\n";

std::string corpusText(const std::string& name) {
  return readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/fuzz/corpus" / name);
}

std::string diagnosticsOf(const Diagnostics& diags) {
  std::string out;
  for (const Diagnostic& d : diags.all())
    out += std::to_string(d.span.begin) + "-" + std::to_string(d.span.end) + " " + d.message + "\n";
  return out;
}

// `answer` of the text itself and of `changes` broken ones; "" counts as refused, as does one that names an error.
template <class Answer>
void pinAnswers(const std::string& kind, const std::vector<std::string>& texts, uint64_t changes, Answer answer) {
  Fingerprint print;
  int fine = 0, all = 0;
  for (const std::string& text : texts) {
    for (uint64_t seed = 0; seed <= (smallTests() ? changes / 10 : changes); ++seed) {
      const std::string given = answer(seed == 0       ? text
                                       : seed % 3 == 0 ? variedText(text, seed * 104729)
                                                       : brokenText(text, seed * 104729));
      ++all;
      fine += !given.empty() && given.find("\"error\"") == std::string::npos;
      print.add(given);
    }
  }
  if (!smallTests())
    mistakePins.expect(kind, std::to_string(fine) + " of " + std::to_string(all) + ", print " + digits(print));
}

TEST(PinnedMistakes, Texts) {
  pinAnswers("graph JSON", {corpusText("import/small.json")}, 120, [](const std::string& text) {
    Session session;
    return apiLint(session, text);
  });
  pinAnswers("lab",
             {corpusText("lab/small.json"),
              R"({"view":"metal","device":"n150","shape":[2,3,64,128],"dtype":"f32","grid":[2,4],)"
              R"("collapse":[[0,-1]],"strides":[],"map":"","tiled":false,"tile":[32,32],"oob":"undef",)"
              R"("buffer":"l1","memory":"block_sharded","deviceDims":0,"text":"","cursor":[1,1,6,100],)"
              R"("look":-1,"find":{"position":7,"offset":8976,"bit":0},"window":8,"detail":true})",
              R"({"view":"ttnn","device":"p150","shape":[3,40,70],"dtype":"bfp_bf8","grid":[2,2],"tiled":true,)"
              R"("buffer":"l1","memory":"height_sharded","cursor":[2,39,69],"window":4,"detail":false})"},
             80, [](const std::string& text) { return apiLayout(text); });
  pinAnswers("profile",
             {corpusText("tables/profile.csv") +
              "BinaryNgDeviceOperation,tt_dnn_device,1025,2345,64,1,1,64,32\nx,host,1,2,3,4,5,6,7\n"},
             80, [](const std::string& text) { return apiProfile(text, ""); });
  pinAnswers("decision trace", {corpusText("trace/small.json")}, 120,
             [](const std::string& text) { return apiDecisionTrace(text); });
  pinAnswers("log", {corpusText("log/small.log")}, 60, [](const std::string& text) {
    Session session;
    std::string answers = apiLogFeed(session, text.substr(0, text.size() / 2));
    answers += apiLogFeed(session, text.substr(text.size() / 2));
    return answers += apiLogEnd(session);
  });
  pinAnswers("iopddl", {corpusText("tables/small.json")}, 80, [](const std::string& text) {
    const SourceBuffer source("x", text);
    Diagnostics diags;
    const bool read = readIopddl(source, diags).has_value();
    return (read ? "" : "refused ") + diagnosticsOf(diags);
  });
  pinAnswers("minimalloc", {corpusText("tables/buffers.csv")}, 60, [](const std::string& text) {
    const SourceBuffer source("x", text);
    Diagnostics diags;
    const auto problem = readMinimalloc(source, 1000, diags);
    return (problem ? std::to_string(loadBound(*problem)) : "refused ") + diagnosticsOf(diags);
  });
}

// Options of a run, and a plan in place of a policy's.
TEST(PinnedMistakes, Requests) {
  Session session;
  pinAnswers("options",
             {R"({"policy":"Greedy","tensor-l1-usage-cap":0.5,"beam-width":4,"preset":"upstream"})",
              R"({"policy":"Exact","device":"p150","override-output-layout":"%1=2x2:l1:block_sharded:tile:bf16"})",
              R"({"policy":"DFSharding2","memreconfig-enabled":true,"row-major-enabled":true,"max-legal-layouts":3})"},
             50, [&](const std::string& options) { return apiRun(session, kAddedGraph, options); });
  const std::string plan =
      R"({"schema":1,"policy":"Greedy","values":{"%a":0,"%b":0,"%0":1,"%1":2},"configs":[],"reshards":[{"op":"%1",)"
      R"("operand":1,"to":1}],"spills":[{"value":"%1","before":2,"to":0,"cause":"return"}],"order":[0,1,2],"layouts":[)"
      R"({"buffer":"dram","memory":"interleaved","page":"tile","dtype":"bf16","grid":[1,1]},{"buffer":"l1",)"
      R"("memory":"interleaved","page":"tile","dtype":"bf16","grid":[8,8]},{"buffer":"l1","memory":"block_sharded",)"
      R"("page":"tile","dtype":"bf16","grid":[8,8]}]})";
  pinAnswers("plan", {plan}, 150,
             [&](const std::string& text) { return apiRun(session, kAddedGraph, "{\"plan\":" + text + "}"); });
  pinAnswers("compare", {R"({"runs":[{"policy":"DRAM"},{"policy":"Beam","device":"n300"}]})"}, 40,
             [&](const std::string& text) { return apiCompare(session, kAddedGraph, text); });
}

// One word of a command line left out, doubled, exchanged with the next or misspelled.
TEST(PinnedMistakes, CommandLines) {
  const TemporaryFile graph(kAddedGraph);
  const std::vector<std::vector<std::string>> lines = {
      {"run", "FILE", "--policy", "Greedy", "--device", "p150", "--tensor-l1-usage-cap", "0.5", "--json"},
      {"run", "FILE", "--policy", "Exact", "--regrets", "--beam-width", "3"},
      {"run", "FILE", "--node-data", "spills", "--policy", "Beam"},
      {"run", "FILE", "--calibration", "Matmul=1.25,Add=0.9", "--overrides"},
      {"compare", "FILE", "--policies", "DRAM,Greedy", "--devices", "n150,p150", "--set", "beam-width=2,4", "--ops"},
      {"compare", "FILE", "--policies", "DRAM,Greedy", "--json", "--preset", "upstream"},
      {"opt", "FILE", "--ttir-to-ttnn-backend-pipeline=optimization-level=1 enable-const-eval=false"},
      {"opt", "FILE", "--ttir-fusing", "--ttnn-layout", "--mlir-print-local-scope"},
      {"check-pass", "FILE", "--pass", "canonicalize", "--seed", "3", "--tolerance", "0.1", "--device", "n150"},
      {"execute", "FILE", "--policy", "Greedy", "--side", "40", "--seed", "5"},
      {"export", "lp", "FILE", "--tensor-l1-usage-cap", "0.5"},
      {"problem", "FILE", "--json", "--device", "n300"},
      {"losses", "FILE", "--json", "--device", "n150"},
      {"lint", "FILE"},
      {"layout", "FILE"},
      {"trace", "FILE", "--json"},
      {"log", "FILE", "--dump", "1"},
      {"profile", "FILE", "--json"},
      {"call", "run", "FILE", "{\"policy\":\"DRAM\"}"},
      {"solve", "minimalloc", "FILE", "--seconds", "1", "--verbose"},
      {"eval", "op-model", "FILE", "--families"},
      {"embed", "FILE", "--fragment", "--at", "x.js", "--title", "T"},
  };
  Fingerprint print;
  std::map<int, int> codes;
  for (const std::vector<std::string>& line : lines) {
    for (uint64_t seed = 0; seed <= (smallTests() ? 1 : 12); ++seed) {
      std::vector<std::string> words = line;
      const uint64_t draw = mixed(seed * 31 + line.size());
      const auto at = static_cast<size_t>((draw >> 8) % (words.size() - 1)) + (seed % 3 == 0 ? 0 : 1);
      if (seed > 0) {
        if (draw % 4 == 0) words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
        else if (draw % 4 == 1) words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), words[at]);
        else if (draw % 4 == 2) words[at] += "x";
        else std::swap(words[at], words[(at + 1) % words.size()]);
      }
      for (std::string& word : words)
        if (word == "FILE") word = graph.path();
      const Outcome outcome = runTessera(words);
      ++codes[outcome.code];
      std::string text = outcome.out + outcome.err;
      for (size_t place = text.find(graph.path()); place != std::string::npos; place = text.find(graph.path(), place))
        text.erase(place, graph.path().size());
      print.add(int64_t{outcome.code}), print.add(text);
    }
  }
  std::string counts;
  for (const auto& [code, count] : codes) counts += std::to_string(count) + " end with " + std::to_string(code) + ", ";
  if (!smallTests()) mistakePins.expect("command lines", counts + "print " + digits(print));
}

}  // namespace
}  // namespace tessera::test
