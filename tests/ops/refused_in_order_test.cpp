// Families that judge their operands in order: what is refused about one operand holds whatever comes after it.
// Policies skip combinations by that.

#include "core/ops/rules/family_rules.h"
#include "tests/ops/rule_case.h"

namespace tessera::test {
namespace {

// Places that a square of 256 rows fits into, one way or another.
std::vector<Where> places() {
  return {kInDram,      kInL1,           heightOver(8), heightOver(4),  widthOver(8),
          widthOver(4), blockOver(2, 2), kDramRows,     rowsByHeight(8)};
}

// By place of the three operands, the last fastest.
std::vector<std::string> refusals(OpKind kind, int64_t dim, const Where& result) {
  const Shape square = {256, 256}, joined = dim == 0 ? Shape{768, 256} : Shape{256, 768};
  std::vector<std::string> out;
  for (const Where& a : places()) {
    for (const Where& b : places()) {
      for (const Where& c : places()) {
        const Asked asked(n150(), kind, {{square, a}, {square, b}, {square, c}}, {{joined, result}}, {num("dim", dim)});
        out.push_back(asked.refusal());
      }
    }
  }
  return out;
}

// Combinations that are refused at an operand, and not in the same way where those after it differ.
int64_t outOfOrder(const std::vector<std::string>& answers) {
  const size_t n = places().size();
  int64_t others = 0;
  for (size_t i = 0; i < answers.size(); ++i) {
    const char last = answers[i].back();
    if (last < '0' || last > '2') continue;
    const size_t behind = last == '0' ? n * n : last == '1' ? n : 1;
    for (size_t j = i / behind * behind; j < (i / behind + 1) * behind; ++j) others += answers[j] != answers[i];
  }
  return others;
}

TEST(RefusedInOrder, WhatIsRefusedOfAnOperandHoldsWhateverComesAfterIt) {
  int64_t kinds = 0, legal = 0, refused = 0;
  for (const OpInfo& info : allOps()) {
    const OpKind kind = info.kind;
    const FamilyRules& rules = familyRules(info.family);
    if (!rules.operandsAlike) continue;
    ++kinds;
    for (const int64_t dim : {0, 1}) {
      for (const Where& result : places()) {
        const std::vector<std::string> answers = refusals(kind, dim, result);
        const bool inOrder = refusesInOrder(rules, Asked(n150(), kind, {}, {{{256, 256}, result}}).config.output);
        if (inOrder) EXPECT_EQ(outOfOrder(answers), 0) << info.name << " along " << dim;
        for (const std::string& answer : answers) (answer == "legal" ? legal : refused) += 1;
      }
    }
  }
  EXPECT_GE(kinds, 1);
  EXPECT_GT(legal, 0);
  EXPECT_GT(refused, legal);
}

// A row among tiles is refused, rows alone are not.
TEST(RefusedInOrder, BesideAResultInRowsLaterOperandsMatter) {
  EXPECT_GT(outOfOrder(refusals(OpKind::TtnnConcat, 0, kDramRows)), 0);
  EXPECT_FALSE(
      refusesInOrder(kConcatRules, Asked(n150(), OpKind::TtnnConcat, {}, {{{8, 8}, kDramRows}}).config.output));
}

}  // namespace
}  // namespace tessera::test
