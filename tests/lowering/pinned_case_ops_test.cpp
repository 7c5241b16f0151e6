// What the passes make of the short cases when one op of them reads another value, its operands the other way round, or
// has an attribute less or another: a match that holds for all but one of its conditions. A line per case.

#include "tests/lone_ops.h"
#include "tests/lowering/short_case.h"
#include "tests/pinned.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

PinnedFile& caseOpPins = PinnedFile::named("pinned_case_ops");
constexpr size_t kParts = 8;  // of the files of cases

std::vector<Graph> withOtherOperands(const Graph& graph, OpId op) {
  std::vector<Graph> out;
  const std::vector<ValueId>& operands = graph.ops[op].operands;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Value& value = graph.values[operands[i]];
    Graph& changed = out.emplace_back(graph);
    GraphBuilder builder(changed);
    const ValueId other = builder.addArgument(graph.ops[op].func, "other", value.type, value.role);
    builder.replaceOperand(op, static_cast<int>(i), other);
  }
  if (operands.size() > 1 && operands[0] != operands[1]) {
    Graph& turned = out.emplace_back(graph);
    std::swap(turned.ops.edit(op).operands[0], turned.ops.edit(op).operands[1]);
  }
  return out;
}

// Each attribute left out, and one other value of it.
std::vector<Graph> withOtherAttributes(const Graph& graph, OpId op, size_t turn) {
  std::vector<Graph> out;
  for (size_t i = 0; i < graph.ops[op].attrs.size(); ++i) {
    std::vector<Attribute>& left = out.emplace_back(graph).ops.edit(op).attrs.own();
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    const std::vector<AttrValue> values = otherValues(graph.ops[op].attrs.list()[i].value);
    if (values.empty()) continue;
    out.emplace_back(graph).ops.edit(op).attrs[i].value = values[turn++ % values.size()];
  }
  return out;
}

struct CaseLine {
  int read = 0, changed = 0;
  Fingerprint print;
};

void runCase(CaseSetup& setup, const Graph& graph, CaseLine& line) {
  const Imported imported = importText(exportMlir(graph));
  if (!imported.graph) return;
  ++line.read;
  const CaseSetup::Outcome outcome = setup.run(*imported.graph);
  line.changed += !sameGraph(outcome.graph, *imported.graph);
  line.print.add(outcome.said);
  line.print.add(exportMlir(outcome.graph));
}

class PinnedCaseOps : public testing::TestWithParam<size_t> {};

TEST_P(PinnedCaseOps, WithOneOpChanged) {
  if (smallTests()) GTEST_SKIP() << "skipped: the short cases are run without changes";
  const std::vector<std::filesystem::path> paths = caseFiles();
  for (size_t i = GetParam(); i < paths.size(); i += kParts) {
    const std::filesystem::path& path = paths[i];
    for (const ShortCase& one : readCases(path)) {
      CaseSetup setup(one.settings);
      const std::string text = setup.mlir(one.lines);
      const Imported imported = importText(text);
      if (!imported.graph) continue;
      CaseLine line;
      for (const OpId op : imported.graph->funcs[imported.graph->forward].ops) {
        for (const Graph& graph : withOtherOperands(*imported.graph, op)) runCase(setup, graph, line);
        for (const Graph& graph : withOtherAttributes(*imported.graph, op, line.read + text.size()))
          runCase(setup, graph, line);
      }
      caseOpPins.expect(path.stem().string() + " " + digits(one.settings + text),
                        std::to_string(line.read) + " read, " + std::to_string(line.changed) + " changed, print " +
                            digits(line.print));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, PinnedCaseOps, testing::Range(size_t{0}, kParts));

}  // namespace
}  // namespace tessera::test
