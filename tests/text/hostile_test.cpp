// Inputs made to hurt: depth, size, junk. What is measured is counted (nodes, diagnostics), not timed.
#include <random>

#include "tests/sizes.h"
#include "tests/text/text_helpers.h"

namespace tessera::text {
namespace {

std::string repeat(std::string_view part, size_t times) {
  std::string out;
  out.reserve(part.size() * times);
  for (size_t i = 0; i < times; ++i) out += part;
  return out;
}

constexpr size_t kDeep = 10'000;
const size_t kHuge = size_t{test::smallTests() ? 8u : 64u} << 20;

bool hasKind(const Parsed& parsed, DiagKind kind) {
  for (const Diagnostic& diagnostic : parsed.diags.all()) {
    if (diagnostic.kind == kind) return true;
  }
  return false;
}

TEST(Hostile, NestingOfEveryBracket) {
  struct Case {
    const char *before, *open, *middle, *close, *after;
  };
  const Case cases[] = {
      {"#a = ", "[", "1", "]", ""},
      {"#a = ", "{a = ", "1", "}", ""},
      {"#a = ", "(", "1", ")", ""},
      {"#a = ", "<", "1", ">", ""},
      {"#a = #d.x<", "<[", "1", "]>", ">"},
      {"!a = ", "(", "i32", ") -> i32", ""},
      {"!a = ", "() -> (", "i32", ")", ""},
      {"!a = ", "tensor<4xf32, ", "1", ">", ""},
      {"!a = ", "tuple<", "i32", ">", ""},
      {"#a = ", "tensor<4xf32, [", "1", "]>", ""},
      {"", "\"d.op\"() ({\n", "", "}) : () -> ()\n", ""},
      {"", "module {\n", "", "}\n", ""},
      {"d.op ", "(", "%a", ")", ""},
      {"d.op ", "[", "%a", "]", ""},
      {"%0 = d.op x ", "{", "%a", "}", ""},
      {"%0 = \"d.op\"() <{a = ", "[", "1", "]", "}> : () -> i32"},
      {"func.func @f(%a: ", "tensor<4xf32, ", "1", ">", ") {\n}\n"},
  };
  for (const Case& c : cases) {
    std::string closed = c.before + repeat(c.open, kDeep) + c.middle + repeat(c.close, kDeep) + c.after;
    Parsed deep = parse(closed);
    EXPECT_TRUE(hasKind(deep, DiagKind::NestingTooDeep)) << c.before << c.open;
    EXPECT_LT(deep.diags.errorCount(), 4u) << c.before << c.open << deep.errors();
    printText(deep.tree);

    Parsed open = parse(c.before + repeat(c.open, kDeep) + c.middle);
    EXPECT_TRUE(open.diags.hasErrors()) << c.before << c.open;
    printText(open.tree);

    std::string shallow = c.before + repeat(c.open, 50) + c.middle + repeat(c.close, 50) + c.after;
    expectStable(parseClean(shallow));
  }
}

TEST(Hostile, DepthLimitIsExact) {
  auto nested = [](size_t depth) { return "#a = " + repeat("[", depth) + repeat("]", depth); };
  EXPECT_EQ(parse(nested(7), {.maxDepth = 7}).errors(), "");
  EXPECT_EQ(parse(nested(8), {.maxDepth = 7}).errors(), "1:13: nesting deeper than 7 levels is not read\n");
  EXPECT_EQ(parse(nested(200)).errors(), "") << "what is read unless something else is asked";
  EXPECT_EQ(parse(nested(201)).errors(), "1:206: nesting deeper than 200 levels is not read\n");
  // The bracket that is too deep is named, a list's and a tensor's alike.
  EXPECT_EQ(parse("#a = [tensor<4xf32>]", {.maxDepth = 3}).errors(), "");
  EXPECT_EQ(parse("#a = [tensor<4xf32>]", {.maxDepth = 2}).errors(),
            "1:13: nesting deeper than 2 levels is not read\n");
  EXPECT_EQ(parse(repeat("module {\n", 200) + repeat("}\n", 200)).errors(), "");
  EXPECT_EQ(parse("#a = #d.x<<<<1>>>>", {.maxDepth = 4}).errors(), "");
  EXPECT_EQ(parse("#a = #d.x<<<<1>>>>", {.maxDepth = 3}).errors(), "1:10: nesting deeper than 3 levels is not read\n");
}

TEST(Hostile, OnlyClosingBrackets) {
  for (const char* close : {")", "]", "}", ">"}) {
    Parsed parsed = parse(repeat(close, kDeep));
    EXPECT_TRUE(parsed.diags.hasErrors());
    EXPECT_LE(parsed.diags.all().size(), Diagnostics::kMaxErrors);
  }
}

TEST(Hostile, BinaryJunk) {
  std::mt19937 random(1);  // the generator is the same everywhere; distributions are not
  for (int round = 0; round < 50; ++round) {
    std::string text;
    for (int i = 0; i < 4000; ++i) text += static_cast<char>(random() & 255U);
    Parsed parsed = parse(text);
    EXPECT_TRUE(parsed.diags.hasErrors());
    printText(parsed.tree);
  }
  EXPECT_EQ(parse(std::string(100'000, '\0')).diags.errorCount(), 1u);
  EXPECT_EQ(parse(repeat("\xFF\xFE", 100'000)).diags.errorCount(), 1u);
}

// Good text with random bytes changed: never a crash, and the print of what was read always ends.
TEST(Hostile, DamagedText) {
  const std::string good =
      "#a = affine_map<(d0) -> (d0)>\nmodule @m {\n  func.func @f(%x: tensor<2x?xf32, #a> {k = [1, 2]}) -> i32 {\n"
      "    %0:2 = \"d.op\"(%x) <{v = dense<\"0xFF\"> : tensor<1xi8>}> ({\n    ^bb0(%i: i32):\n      d.y %i : i32\n    "
      "}) : (i32) -> (i32, i1)\n"
      "    %1 = d.z(%0#1) {s = \"a\"} : i32, i32 -> i32 loc(\"q\")\n    return %1 : i32\n  }\n}\n";
  expectStable(parseClean(good));
  std::mt19937 random(2);
  const std::string_view bytes = "()[]{}<>\"%#!@^:,=->x0 \n";
  for (int round = 0; round < 3000; ++round) {
    std::string text = good;
    for (uint32_t change = 0; change <= round % 4U; ++change)
      text[random() % text.size()] = bytes[random() % bytes.size()];
    Parsed parsed = parse(text);
    if (!parsed.diags.all().empty()) printText(parsed.tree);
    else expectStable(parsed);
  }
}

TEST(Hostile, HugeLineOfJunk) {
  Parsed parsed = parse("!t = tensor<" + std::string(kHuge, 'z'));
  EXPECT_EQ(parsed.diags.errorCount(), 1u);
  EXPECT_LT(parsed.diags.all()[0].message.size(), 400u);
  EXPECT_LT(parse("#a = " + std::string(kHuge, '1')).diags.all().at(0).message.size(), 400u);
}

TEST(Hostile, HugeLineOfTokensStopsAtTheLimit) {
  Parsed parsed = parse(std::string(kHuge, '<'), {.maxTokens = 1'000'000});
  EXPECT_TRUE(hasKind(parsed, DiagKind::TooManyTokens));
  EXPECT_LE(parsed.diags.all().size(), Diagnostics::kMaxErrors);
}

TEST(Hostile, RankIsLimited) {
  EXPECT_EQ(parse("!t = tensor<" + repeat("1x", kMaxRank) + "bf16>").diags.errorCount(), 0u);
  Parsed parsed = parse("!t = tensor<" + repeat("1x", kHuge / 2) + "bf16>");
  EXPECT_TRUE(hasKind(parsed, DiagKind::RankTooHigh));
  EXPECT_EQ(parsed.diags.errorCount(), 1u) << parsed.errors();
  EXPECT_LE(parsed.tree.ints.size(), kMaxRank);
}

TEST(Hostile, HugeDenseStringIsFine) {
  const std::string bytes = std::to_string(kHuge / 2);
  Parsed parsed = parse("%0 = \"d.c\"() <{value = dense<\"0x" + std::string(kHuge, 'A') + "\"> : tensor<" + bytes +
                        "xi8>}> : () -> tensor<" + bytes + "xi8>\n");
  EXPECT_EQ(parsed.errors(), "");
  EXPECT_EQ(parsed.attr(parsed.op(0).properties, "value").text.size(), kHuge + 4);
  EXPECT_TRUE(parsed.tree.strings.empty()) << "no copy is made";
  EXPECT_EQ(parsed.tree.ints.size(), 2u);
}

// Twice the text, twice the tree: nothing grows faster than its input, not even where a reading is tried and taken
// back.
TEST(Hostile, TreesGrowWithTheirText) {
  for (const char* part : {
           "%0 = \"d.op\"(%a) <{x = [1, 2]}> : (tensor<4xf32>) -> i32\n",
           "%0 = d.op %a {x = [1, 2]} odd : tensor<4xf32> [tail]\n",
           "%0 = d.op %a {x = [1, } \n",
           "d.op %a, %a,\n",
           "%0 = \"d.op\"(%a : \n",
       }) {
    Parsed once = parse(repeat(part, 200));
    Parsed twice = parse(repeat(part, 400));
    auto nodes = [](const Parsed& parsed) {
      const SyntaxTree& tree = parsed.tree;
      return tree.attrs.size() + tree.types.size() + tree.ops.size() + tree.uses.size() + tree.ints.size() +
             tree.namedAttrs.size() + 1;
    };
    EXPECT_LE(nodes(twice), 2 * nodes(once) + 8) << part;
    EXPECT_GE(twice.tree.ops.size() + twice.diags.errorCount(), 2 * once.tree.ops.size()) << part;
  }
}

TEST(Hostile, ManyAliasesAreLookedUpOnce) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "#a" + std::to_string(i) + " = #a" + std::to_string(i + 1) + "\n";
  text += "#a20000 = 1\n";
  Parsed parsed = parse(text);
  EXPECT_EQ(parsed.errors(), "");
  EXPECT_EQ(parsed.attr(parsed.tree.resolve(parsed.tree.aliases[0].attr)).integer, 1);
}

TEST(Hostile, MoreMistakesThanAreStored) {
  Parsed parsed = parse(repeat("\"d.op\"(5) : () -> ()\n", 500));
  EXPECT_EQ(parsed.diags.errorCount(), 500u);
  EXPECT_EQ(parsed.diags.all().size(), Diagnostics::kMaxErrors);
  EXPECT_EQ(parsed.diags.dropped(), 400u);
}

TEST(Hostile, CommentsAndStringsAtTheEnd) {
  for (const char* text : {"//",
                           "\"",
                           "\"\\",
                           "%",
                           "@",
                           "@\"",
                           "#",
                           "!",
                           "^",
                           "-",
                           "{-#",
                           "0x",
                           "\xEF\xBB\xBF",
                           "",
                           "// \xFF",
                           "%0 = ",
                           "d.op",
                           "func.func",
                           "\"d.op\"(",
                           "\"d.op\"()[",
                           "d.op %a#",
                           "\"d.op\"() ({"}) {
    printText(parse(text).tree);
  }
}

}  // namespace
}  // namespace tessera::text
