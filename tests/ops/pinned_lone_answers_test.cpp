// What the op model answers about ops alone when one thing of them is changed (tests/lone_ops.h), in a few layouts
// that take turns: a line per kind of op.

#include "core/lowering/rewriter.h"
#include "tests/lone_op_sources.h"
#include "tests/ops/op_answers.h"
#include "tests/pinned.h"

namespace tessera::test {
namespace {

PinnedFile& loneAnswerPins = PinnedFile::named("pinned_lone_answers");

struct LoneAnswers {
  int asked = 0;
  Fingerprint print;
};

TEST(PinnedLoneAnswers, WithOneChange) {
  const LoneOpSources sources;
  std::map<std::string, LoneAnswers> lines;
  size_t turn = 0;
  for (const LoneOp& one : sources.lone.ops()) {
    if (one.name.rfind("ttnn.", 0) != 0 && one.name.rfind("ttir.", 0) != 0) continue;
    LoneAnswers& line = lines[one.name];
    for (const LoneOp& changed : changedOps(one)) {
      const Imported imported = importText(exportMlir(changed.graph()));
      if (!imported.graph) continue;
      const OpId op = placeOfLoneOp(*imported.graph);
      const std::vector<ValueId>& operands = imported.graph->ops[op].operands;
      const auto isTensor = [&](ValueId value) { return imported.graph->values[value].type.isTensor(); };
      if (!std::all_of(operands.begin(), operands.end(), isTensor) ||
          !givesTensors(*imported.graph, imported.graph->ops[op]))
        continue;
      for (int i = 0; i < 4; ++i) {
        ++line.asked, turn += 7;
        line.print.add(answerTo(*imported.graph, op, kPlacings[turn % std::size(kPlacings)]));
      }
    }
  }
  for (const auto& [name, line] : lines) {
    if (!smallTests()) loneAnswerPins.expect(name, std::to_string(line.asked) + " asked, print " + digits(line.print));
  }
}

}  // namespace
}  // namespace tessera::test
