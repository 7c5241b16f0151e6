// What a text expects of its diagnostics: places, severities, order, words.

#include "core/cli/expected_diagnostics.h"

#include <gtest/gtest.h>

namespace tessera::test {
namespace {

using Texts = std::vector<std::string>;

Texts mistakes(const std::string& text, const std::vector<EmittedDiagnostic>& emitted,
               VerifyDiagnostics how = VerifyDiagnostics::Text, uint32_t firstLine = 1) {
  return checkExpectedDiagnostics(text, firstLine, emitted, how);
}
EmittedDiagnostic error(uint32_t line, const std::string& message = "bad thing") {
  return {Severity::Error, line, message};
}
Texts missing(int line) { return {std::to_string(line) + ": error: expected error \"bad\" was not produced"}; }
Texts both(int emitted, int expected) {
  Texts out = {std::to_string(emitted) + ": error: unexpected error: bad thing"};
  out.push_back(missing(expected)[0]);
  return out;
}

TEST(ExpectedDiagnostics, StandOnTheirLineOrSoManyAway) {
  const struct {
    const char* place;
    int line;  // the comment stands on line 3
  } kPlaces[] = {{"", 3}, {"@+0", 3}, {"@+1", 4}, {"@+2", 5}, {"@-1", 2}, {"@-2", 1}, {"@above", 2}, {"@below", 4}};
  for (const auto& one : kPlaces) {
    SCOPED_TRACE(one.place);
    const std::string text = "op\nop\n// expected-error" + std::string(one.place) + " {{bad}}\nop\nop\n";
    for (int line = 1; line <= 5; ++line)
      EXPECT_EQ(mistakes(text, {error(static_cast<uint32_t>(line))}),
                line == one.line ? Texts() : both(line, one.line));
    EXPECT_EQ(mistakes(text, {error(0)}), Texts()) << "a diagnostic without a place fits every line";
    EXPECT_EQ(mistakes(text, {}), missing(one.line));
  }
  const std::string anywhere = "// expected-error@unknown {{bad}}\nop\n";
  EXPECT_EQ(mistakes(anywhere, {error(1)}), Texts());
  EXPECT_EQ(mistakes(anywhere, {error(2)}), Texts());
}

TEST(ExpectedDiagnostics, CountFromTheLineOfTheText) {
  EXPECT_EQ(mistakes("// expected-error {{bad}}", {error(40)}, VerifyDiagnostics::Text, 40), Texts());
  EXPECT_EQ(mistakes("// expected-error {{bad}}", {error(41)}, VerifyDiagnostics::Text, 40), both(41, 40));
}

TEST(ExpectedDiagnostics, EachIsProducedOnce) {
  const std::string one = "op // expected-error {{bad}}\n", two = "// expected-error@+1 {{bad}}\n" + one;
  EXPECT_EQ(mistakes(one, {error(1), error(1)}), (Texts{"1: error: unexpected error: bad thing"}));
  EXPECT_EQ(mistakes(two, {error(2), error(2)}), Texts());
  EXPECT_EQ(mistakes(two, {error(2)}), missing(2));
}

TEST(ExpectedDiagnostics, SeveritiesAreToldApart) {
  const std::string text = "op // expected-warning {{bad}}\n";
  EXPECT_EQ(mistakes(text, {{Severity::Warning, 1, "bad thing"}}), Texts());
  EXPECT_EQ(mistakes(text, {error(1)}).size(), 2u);
  // Warnings and notes that nobody expects are no mistake.
  EXPECT_EQ(mistakes("op\n", {{Severity::Warning, 1, "w"}, {Severity::Note, 1, "n"}}), Texts());
  EXPECT_EQ(mistakes("op // expected-remark {{bad}}\n", {{Severity::Note, 1, "bad"}}), Texts());
}

TEST(ExpectedDiagnostics, WordsArePartOfTheMessageOrAPattern) {
  auto fits = [&](const std::string& expected, const std::string& message,
                  VerifyDiagnostics how = VerifyDiagnostics::Text) {
    return mistakes("op // expected-error" + expected + "\n", {error(1, message)}, how).empty();
  };
  EXPECT_TRUE(fits(" {{a.c}}", "xa.cx"));
  EXPECT_FALSE(fits(" {{a.c}}", "abc"));
  EXPECT_TRUE(fits(" {{a.c}}", "abc", VerifyDiagnostics::Lines));
  EXPECT_TRUE(fits("-re {{a.c {{[0-9]+}} d}}", "a.c 42 d"));
  EXPECT_FALSE(fits("-re {{a.c {{[0-9]+}} d}}", "abc 42 d"));
  EXPECT_FALSE(fits("-re {{a.c {{[0-9]+}} d}}", "a.c x d"));
  EXPECT_TRUE(fits("-re {{{{a|b}}c}}", "bc"));
  EXPECT_FALSE(fits("-re {{{{a|b}}c}}", "b d"));
}

}  // namespace
}  // namespace tessera::test
