// What the passes make of ops alone when one thing of them is changed (tests/lone_ops.h): conversions, decompositions
// and workarounds that ask about a type, an operand or an attribute. A line per kind of op.

#include "tests/lone_op_sources.h"
#include "tests/pinned.h"

namespace tessera::test {
namespace {

PinnedFile& lonePassPins = PinnedFile::named("pinned_lone_passes");

struct LonePasses {
  int asked = 0, read = 0;
  Fingerprint print;
};

// By the specification's rules, and by those of the compiler today and in the autumn of 2025.
void runPasses(const Graph& before, size_t way, LonePasses& line) {
  LoweringSetup setup(way % 2 == 0 ? "n150" : "p150");
  setup.options.specificationRules = way % 3 == 0;
  if (way % 3 == 2) setup.options.release = CompilerRelease::Autumn2025;
  const LoweringResult lowered = lower(before, setup.context);
  const LoweringResult final = finalize(lowered.graph, setup.context);
  for (const LoweringResult* result : {&lowered, &final}) {
    for (const PassLog& log : result->logs) {
      for (const PassLogNote& note : log.notes) line.print.add(note.text);
      for (const PassLogNote& note : log.problems) line.print.add(note.text);
      for (const std::string& defect : log.defects) ADD_FAILURE() << log.pass->name << ": " << defect;
    }
  }
  line.print.add(exportMlir(final.graph));
}

class PinnedLonePasses : public testing::TestWithParam<size_t> {};

TEST_P(PinnedLonePasses, WithOneChange) {
  for (const auto& [name, forms] : LoneOpSources::ofPart(GetParam())) {
    LonePasses line;
    for (const LoneOp* one : forms) {
      for (const LoneOp& changed : changedOps(*one)) {
        ++line.asked;
        const Imported imported = importText(exportMlir(changed.graph()));
        if (!imported.graph) continue;
        ++line.read;
        runPasses(*imported.graph, static_cast<size_t>(line.asked), line);
      }
    }
    if (smallTests()) continue;
    lonePassPins.expect(name, std::to_string(line.asked) + " asked, " + std::to_string(line.read) + " read, print " +
                                  digits(line.print));
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, PinnedLonePasses, testing::Range(size_t{0}, LoneOpSources::kParts));

}  // namespace
}  // namespace tessera::test
