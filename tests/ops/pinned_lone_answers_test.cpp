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

class PinnedLoneAnswers : public testing::TestWithParam<size_t> {};

bool ofTensors(const Graph& graph, OpId op) {
  const std::vector<ValueId>& operands = graph.ops[op].operands;
  return givesTensors(graph, graph.ops[op]) && std::all_of(operands.begin(), operands.end(), [&](ValueId value) {
           return graph.values[value].type.isTensor();
         });
}

TEST_P(PinnedLoneAnswers, WithOneChange) {
  for (const auto& [name, forms] : LoneOpSources::ofPart(GetParam())) {
    if (name.rfind("ttnn.", 0) != 0 && name.rfind("ttir.", 0) != 0) continue;
    LoneAnswers line;
    for (const LoneOp* one : forms) {
      for (const LoneOp& changed : changedOps(*one)) {
        const Imported imported = importText(exportMlir(changed.graph()));
        if (!imported.graph || !ofTensors(*imported.graph, placeOfLoneOp(*imported.graph))) continue;
        for (int i = 0; i < 4; ++i) {
          const Placing& placing = kPlacings[static_cast<size_t>(++line.asked) * 7 % std::size(kPlacings)];
          line.print.add(answerTo(*imported.graph, placeOfLoneOp(*imported.graph), placing));
        }
      }
    }
    if (!smallTests()) loneAnswerPins.expect(name, std::to_string(line.asked) + " asked, print " + digits(line.print));
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, PinnedLoneAnswers, testing::Range(size_t{0}, LoneOpSources::kParts));

}  // namespace
}  // namespace tessera::test
