// What the passes make of the golden cases and reference texts, and of what becomes of them when a number, an
// operand or an op changes: a line per case for the whole pipeline under changing options, and one per pass for the
// pass alone, before and after all others.

#include "tests/golden_texts.h"
#include "tests/lowering/lowering_testing.h"
#include "tests/pinned.h"

namespace tessera::test {
namespace {

PinnedFile& pins = PinnedFile::named("pinned_passes");
constexpr uint64_t kWays = 8, kChanges = 20;

// The text itself, then what becomes of it when a number changes, an operand or an op.
std::string changedText(const std::string& text, uint64_t seed) {
  if (seed < 3) return text;
  return seed < 10 ? variedText(text, seed * 7919) : rewiredText(text, seed * 7919);
}

void choose(uint64_t way, LoweringOptions& options) {
  options.fusing = way != 1;
  options.specificationRules = way != 2 && way != 3;
  options.release = way == 3 ? CompilerRelease::Summer2026 : way == 4 ? CompilerRelease::Autumn2025 : options.release;
  options.bfp8Weights = way == 5;
  options.compute.fp32DestAcc = way == 5 ? std::optional<bool>(true) : std::nullopt;
  options.optimizer = way != 6;
  options.constEvalInputsOnHost = way != 6;
  options.implicitBroadcastFolding = way != 7;
  options.eraseInverseOps = way != 7;
  options.constEval = way != 7;
}

// Of every op where it stands in the source and which ops it is made from, which no text of the graph shows.
void addProvenance(Fingerprint& print, const Graph& graph) {
  for (const Function& func : graph.funcs) {
    for (OpId id : func.ops) {
      const Op& op = graph.ops[id];
      print.add(op.loc);
      print.add(int64_t{op.span.begin}), print.add(int64_t{op.span.end});
      for (OpId origin : op.origins) print.add(int64_t{origin.index});
      print.add(int64_t{-1});
    }
  }
}

void addLogs(Fingerprint& print, const LoweringResult& result, const DeviceSpec& device) {
  for (const PassLog& log : result.logs) {
    print.add(log.pass->name);
    for (const int32_t count : {log.changed, log.added, log.removed}) print.add(int64_t{count});
    for (const std::vector<PassLogNote>* notes : {&log.notes, &log.problems}) {
      for (const PassLogNote& note : *notes) {
        for (const std::string* text : {&note.op, &note.name, &note.loc, &note.text}) print.add(*text);
        print.add(int64_t{note.span.begin}), print.add(int64_t{note.span.end});
      }
    }
    for (const std::string& defect : log.defects) ADD_FAILURE() << log.pass->name << ": " << defect;
  }
  print.add(exportMlir(result.graph, &device));
  addProvenance(print, result.graph);
}

// A chip, and a setting per way; the model answers as the setup's device does.
struct PipelineSetup {
  explicit PipelineSetup(uint64_t way) : device(*findDevice(way % 2 == 0 ? "n150" : "p150")) { choose(way, options); }
  PipelineSetup(const PipelineSetup&) = delete;

  DeviceSpec device;
  OpModel model{device};
  L1Budget budget{device.usableL1()};
  LoweringOptions options;
  PassContext context{device, model, budget, options};
};

// The whole pipeline on the text and what becomes of it, `changes` times in all.
std::string pipelineLine(const std::string& text, uint64_t changes) {
  Fingerprint lowered, final;
  int read = 0;
  const uint64_t shift = text.size();  // another way first for every case
  for (uint64_t seed = 0; seed < changes; ++seed) {
    const Imported imported = importText(changedText(text, seed));
    if (!imported.graph) continue;
    ++read;
    Graph graph = *imported.graph;
    startOrigins(graph);
    const PipelineSetup setup((seed + shift) % kWays);
    const LoweringResult first = lower(graph, setup.context);
    addLogs(lowered, first, setup.device);
    const LoweringResult second = finalize(first.graph, setup.context);
    addLogs(final, second, setup.device);
    addLogs(final, release(second.graph, setup.context), setup.device);
  }
  return std::to_string(read) + " read, lowered " + digits(lowered) + " final " + digits(final);
}

TEST(PinnedPasses, PipelineOnGoldenCases) {
  for (const GoldenText& golden : goldenTexts({"answers", "cases", "lowering"}))
    pins.expect(golden.name, pipelineLine(golden.text, kChanges));
}

TEST(PinnedPasses, PipelineOnReferenceTexts) {
  const std::vector<GoldenText> texts = referenceTexts();
  if (texts.empty()) GTEST_SKIP() << "skipped: no reference texts";
  for (const GoldenText& part : texts) pins.expectIfKnown(part.name, pipelineLine(part.text, kChanges));
}

// The values that an option may be given here.
std::vector<std::string> valuesOf(const PassOption& option) {
  if (option.type == PassOptionType::Flag) return {"true", "false"};
  if (option.type == PassOptionType::Integer) return {"0", "1", "8"};
  std::vector<std::string> out;
  std::istringstream words{std::string(option.choices)};
  for (std::string word; words >> word;) out.push_back(word);
  return out;
}

// No settings, and each value of each option.
std::vector<PassSettings> settingsOf(const PassInfo& pass) {
  std::vector<PassSettings> settings(1);
  for (const PassOption& option : pass.options) {
    for (const std::string& value : valuesOf(option)) settings.push_back({{{std::string(option.name), value}}});
  }
  return settings;
}

struct Subject {
  std::string name;
  Graph raw, lowered;
};

std::optional<Subject> subjectOf(const std::string& name, const std::string& text, const PassContext& context) {
  const Imported imported = importText(text);
  if (!imported.graph) return std::nullopt;
  Graph raw = *imported.graph;
  startOrigins(raw);
  Graph lowered = lower(raw, context).graph;
  return Subject{name, std::move(raw), std::move(lowered)};
}

// Runs the pass on the graph and, if it comes late, on what the passes before the optimizer leave; how often it changed
// something. `turn` chooses among its settings.
int runAlone(const PassInfo& pass, const Subject& subject, size_t turn, const PipelineSetup& setup,
             Fingerprint& print) {
  const std::vector<PassSettings> settings = settingsOf(pass);
  PassContext context = setup.context;
  context.byName = true;
  context.settings = settings[turn % settings.size()];
  const bool early = pass.stage == PassStage::Stablehlo || pass.stage == PassStage::Prepare;
  int changed = 0;
  for (const Graph* graph : {&subject.raw, &subject.lowered}) {
    if (early && graph == &subject.lowered) continue;
    const LoweringResult result = runPass(pass, *graph, context);
    if (sameGraph(result.graph, *graph)) continue;
    ++changed;
    print.add(subject.name);
    addLogs(print, result, setup.device);
  }
  return changed;
}

TEST(PinnedPasses, EachAlone) {
  const PipelineSetup setup(0);
  std::vector<Subject> subjects;
  for (const GoldenText& golden : goldenTexts({"cases", "lowering"})) {
    if (auto subject = subjectOf(golden.name, golden.text, setup.context)) subjects.push_back(std::move(*subject));
  }
  for (const PassInfo* pass : everyPass()) {
    Fingerprint print;
    int changed = 0;
    for (size_t turn = 0; turn < settingsOf(*pass).size(); ++turn)
      for (const Subject& subject : subjects) changed += runAlone(*pass, subject, turn, setup, print);
    if (!smallTests())
      pins.expect("alone " + std::string(pass->name), std::to_string(changed) + " changed, print " + digits(print));
  }
}

TEST(PinnedPasses, EachAloneOnReferenceTexts) {
  const PipelineSetup setup(0);
  const std::vector<GoldenText> texts = referenceTexts();
  if (texts.empty()) GTEST_SKIP() << "skipped: no reference texts";
  for (const GoldenText& part : texts) {
    Fingerprint print;
    int changed = 0;
    for (const uint64_t seed : {0, 5, 11, 14}) {
      const auto subject = subjectOf(part.name, changedText(part.text, seed), setup.context);
      if (!subject) continue;
      for (const PassInfo* pass : everyPass())
        changed += runAlone(*pass, *subject, part.text.size() + seed, setup, print);
    }
    pins.expectIfKnown("alone " + part.name, std::to_string(changed) + " changed, print " + digits(print));
  }
}

// The passes that a case is about, in the order of its `//! opt:` lines.
std::vector<const PassInfo*> passesNamedIn(const std::string& text) {
  std::vector<const PassInfo*> out;
  for (const PassInfo* pass : everyPass()) {
    const size_t at = text.find(" --" + std::string(pass->name));
    const size_t end = at == std::string::npos ? at : at + 3 + pass->name.size();
    if (at < text.find("module") && (text[end] == '\n' || text[end] == ' ' || text[end] == '=') && pass->run != nullptr)
      out.push_back(pass);
  }
  return out;
}

TEST(PinnedPasses, TheirOwnCasesWithOtherOps) {
  for (const GoldenText& golden : goldenTexts({"lowering"})) {
    Fingerprint print;
    int changed = 0, left = 0;
    const std::vector<const PassInfo*> passes = passesNamedIn(golden.text);
    for (uint64_t seed = 3; seed < 2 * kChanges && !passes.empty(); ++seed) {
      const Imported imported = importText(changedText(golden.text, seed));
      if (!imported.graph) continue;
      Graph graph = *imported.graph;
      startOrigins(graph);
      const PipelineSetup setup(seed % 2 == 0 ? 0 : 2);
      PassContext context = setup.context;
      context.byName = true;
      for (const PassInfo* pass : passes) {
        const LoweringResult result = runPass(*pass, graph, context);
        ++(sameGraph(result.graph, graph) ? left : changed);
        addLogs(print, result, setup.device);
      }
    }
    if (!passes.empty())
      pins.expect("own " + golden.name,
                  std::to_string(changed) + " changed, " + std::to_string(left) + " left, print " + digits(print));
  }
}

}  // namespace
}  // namespace tessera::test
