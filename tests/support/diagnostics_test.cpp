#include "core/support/diagnostics.h"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>

namespace tessera {
namespace {

const std::string kReplacement = "\xEF\xBF\xBD";  // U+FFFD

std::string messageOf(DiagKind kind, std::initializer_list<std::string_view> arguments) {
  Diagnostics diags;
  return diags.report(kind, {}, arguments)->message;
}

TEST(DiagnosticKinds, TableAndEnumAgree) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < allDiagKinds().size(); ++i) {
    const DiagInfo& info = allDiagKinds()[i];
    EXPECT_EQ(static_cast<size_t>(info.kind), i);
    EXPECT_EQ(diagInfo(info.kind).name, info.name);
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
  }
  EXPECT_EQ(diagInfo(DiagKind::UnknownOp).name, "UnknownOp");
  EXPECT_EQ(diagInfo(DiagKind::UnknownOp).severity, Severity::Warning);
}

// A format with {0} and {2} but no {1}, or with a letter in the braces, would stop the program when it is first used.
TEST(DiagnosticKinds, PlaceholdersAreNumberedWithoutGaps) {
  for (const DiagInfo& info : allDiagKinds()) {
    std::set<char> used;
    for (size_t i = 0; i + 2 < info.format.size(); ++i) {
      if (info.format[i] != '{' || info.format[i + 2] != '}') continue;
      EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(info.format[i + 1]))) << info.name;
      used.insert(info.format[i + 1]);
    }
    char expected = '0';
    for (char digit : used) EXPECT_EQ(digit, expected++) << info.name;
  }
}

TEST(DiagnosticKinds, WordingStartsInLowerCaseAndHasNoFullStop) {
  for (const DiagInfo& info : allDiagKinds()) {
    ASSERT_FALSE(info.format.empty()) << info.name;
    EXPECT_NE(info.format.back(), '.') << info.name;
    bool upper = std::isupper(static_cast<unsigned char>(info.format[0])) != 0;
    bool acronym = info.format.substr(0, 4) == "JSON";
    EXPECT_TRUE(!upper || acronym) << info.name;
  }
}

TEST(Diagnostics, FillsArguments) {
  EXPECT_EQ(messageOf(DiagKind::UnexpectedToken, {"`)`", "a type"}), "unexpected `)`, expected a type");
  EXPECT_EQ(messageOf(DiagKind::OperandTypeMismatch, {"1", "ttir.add", "A", "B"}),
            "operand 1 of `ttir.add` has type A where it is defined and B here");
}

TEST(Diagnostics, ArgumentsAreNotFormatsThemselves) {
  EXPECT_EQ(messageOf(DiagKind::UnexpectedToken, {"{1}", "{0}"}), "unexpected {1}, expected {0}");
}

TEST(Diagnostics, LongArgumentsAreCut) {
  std::string exact(200, 'a');
  EXPECT_EQ(messageOf(DiagKind::UnknownOp, {exact}).find("..."), std::string::npos);
  EXPECT_EQ(messageOf(DiagKind::UnexpectedCharacter, {exact + "b"}), "unexpected character " + exact + "...");
}

TEST(Diagnostics, TheCutDoesNotSplitACharacter) {
  std::string text = std::string(199, 'a') + "\xC3\xBC" + "b";  // the two bytes of "ue" stand at 199 and 200
  EXPECT_EQ(messageOf(DiagKind::UnexpectedCharacter, {text}), "unexpected character " + std::string(199, 'a') + "...");
}

TEST(Diagnostics, AnArgumentOfContinuationBytesOnlyIsHarmless) {
  EXPECT_EQ(messageOf(DiagKind::UnexpectedCharacter, {std::string(500, '\x80')}), "unexpected character ...");
}

TEST(Diagnostics, InvalidBytesInArgumentsAreReplaced) {
  EXPECT_EQ(messageOf(DiagKind::UnexpectedCharacter, {"\xFF"}), "unexpected character " + kReplacement);
}

TEST(Diagnostics, CountsBySeverity) {
  Diagnostics diags;
  diags.report(DiagKind::UnknownOp, {3, 5}, {"a.b"});
  EXPECT_FALSE(diags.hasErrors());
  diags.report(DiagKind::NoOperation, {7, 7});
  EXPECT_TRUE(diags.hasErrors());
  EXPECT_EQ(diags.errorCount(), 1u);
  EXPECT_EQ(diags.count(Severity::Warning), 1u);
  ASSERT_EQ(diags.all().size(), 2u);
  EXPECT_EQ(diags.all()[0].severity, Severity::Warning);
  EXPECT_EQ(diags.all()[0].span, (Span{3, 5}));
  EXPECT_EQ(diags.all()[1].kind, DiagKind::NoOperation);
}

TEST(Diagnostics, StoresAtMostTheCapAndCountsTheRest) {
  Diagnostics diags;
  for (size_t i = 0; i < Diagnostics::kMaxErrors + 5; ++i)
    diags.report(DiagKind::NoOperation, {})->notes.push_back("kept");
  EXPECT_EQ(diags.all().size(), Diagnostics::kMaxErrors);
  EXPECT_EQ(diags.errorCount(), Diagnostics::kMaxErrors + 5);
  EXPECT_EQ(diags.dropped(), 5u);
  // Errors that were not stored leave room for the warnings, and the other way round.
  for (size_t i = 0; i < Diagnostics::kMaxWarnings + 7; ++i) diags.report(DiagKind::UnknownOp, {}, {"x"});
  EXPECT_EQ(diags.all().size(), Diagnostics::kMaxErrors + Diagnostics::kMaxWarnings);
  EXPECT_EQ(diags.count(Severity::Warning), Diagnostics::kMaxWarnings + 7);
  EXPECT_EQ(diags.dropped(), 12u);
}

TEST(Diagnostics, NotesAreNoWarnings) {
  Diagnostics diags;
  diags.report(DiagKind::ExtraFunction, {}, {"a"});
  EXPECT_EQ(diags.count(Severity::Warning), 0u);
  EXPECT_EQ(diags.all().size(), 1u);
}

TEST(Diagnostics, ADroppedDiagnosticCanStillBeGivenNotes) {
  Diagnostics diags;
  for (size_t i = 0; i < Diagnostics::kMaxErrors; ++i) diags.report(DiagKind::NoOperation, {});
  diags.report(DiagKind::NoOperation, {})->notes.push_back("lost");
  EXPECT_TRUE(diags.report(DiagKind::NoOperation, {})->notes.empty());
}

TEST(RenderDiagnostic, ShowsPlaceLineAndCaret) {
  SourceBuffer source("f.mlir", "first\n  %0 = oops\nlast");
  Diagnostics diags;
  Diagnostic* diagnostic = diags.report(DiagKind::UnexpectedToken, {13, 17}, {"`oops`", "an op"});
  diagnostic->notes.push_back("ops have a dot");
  EXPECT_EQ(renderDiagnostic(*diagnostic, source),
            "f.mlir:2:8: error: unexpected `oops`, expected an op\n"
            "    %0 = oops\n"
            "         ^\n"
            "  note: ops have a dot\n");
}

TEST(RenderDiagnostic, KeepsTabsSoThatTheCaretStandsBelow) {
  SourceBuffer source("f", "\tx");
  Diagnostics diags;
  EXPECT_EQ(renderDiagnostic(*diags.report(DiagKind::NoOperation, {1, 2}), source),
            "f:1:2: error: the input holds no operation\n  \tx\n  \t^\n");
}

TEST(RenderDiagnostic, TheCaretCountsCharacters) {
  SourceBuffer source("f", "\xC3\xBC\xE2\x82\xAC \xFF!");
  Diagnostics diags;
  EXPECT_EQ(renderDiagnostic(*diags.report(DiagKind::NoOperation, {7, 8}), source),
            "f:1:8: error: the input holds no operation\n  \xC3\xBC\xE2\x82\xAC \xEF\xBF\xBD!\n      ^\n");
}

TEST(RenderDiagnostic, AnEmptyLineHasNoCaret) {
  SourceBuffer source("f", "");
  Diagnostics diags;
  EXPECT_EQ(renderDiagnostic(*diags.report(DiagKind::NoOperation, {}), source),
            "f:1:1: error: the input holds no operation\n");
}

TEST(RenderDiagnostic, APlaceBehindTheEndIsTheEnd) {
  SourceBuffer source("f", "ab");
  Diagnostics diags;
  EXPECT_EQ(renderDiagnostic(*diags.report(DiagKind::NoOperation, {99, 99}), source),
            "f:1:3: error: the input holds no operation\n  ab\n    ^\n");
}

TEST(RenderDiagnostic, ALineOfUpToAHundredBytesIsShownWhole) {
  SourceBuffer source("f", std::string(99, 'a') + "!");
  Diagnostics diags;
  EXPECT_EQ(renderDiagnostic(*diags.report(DiagKind::NoOperation, {99, 100}), source),
            "f:1:100: error: the input holds no operation\n  " + std::string(99, 'a') + "!\n  " + std::string(99, ' ') +
                "^\n");
}

// A dump's line can have 60,000 columns and a pasted file a million.
TEST(RenderDiagnostic, OfALongLineOnlyThePartAroundThePlaceIsShown) {
  SourceBuffer source("f", std::string(500'000, 'a') + "!" + std::string(500'000, 'b'));
  Diagnostics diags;
  std::string text = renderDiagnostic(*diags.report(DiagKind::NoOperation, {500'000, 500'001}), source);
  EXPECT_LT(text.size(), 400u);
  EXPECT_NE(text.find("f:1:500001: error"), std::string::npos);
  size_t mark = text.find("!");
  ASSERT_NE(mark, std::string::npos);
  size_t lineStart = text.rfind('\n', mark);
  size_t caret = text.find('^');
  EXPECT_EQ(caret - text.rfind('\n', caret), mark - lineStart);
}

// The part begins and ends between characters, whatever the place.
TEST(RenderDiagnostic, NoCharacterOfALongLineIsCut) {
  std::string line;
  for (int i = 0; i < 2'000; ++i) line += "\xE2\x82\xAC";  // three bytes each
  for (uint32_t at = 3'000; at < 3'012; at += 3) {
    for (const char* before : {"", "a", "aa"}) {
      const SourceBuffer source("f", before + line);
      Diagnostics diags;
      const auto begin = at + static_cast<uint32_t>(std::string_view(before).size());
      const std::string text = renderDiagnostic(*diags.report(DiagKind::NoOperation, {begin, begin + 3}), source);
      EXPECT_EQ(text.find(kReplacement), std::string::npos) << at << " behind " << before;
      EXPECT_LT(text.size(), 600u);
    }
  }
}

struct Utf8Case {
  const char* what;
  std::string bytes;
  std::string expected;
};

TEST(ToValidUtf8, Table) {
  const std::string r = kReplacement;
  const Utf8Case cases[] = {
      {"empty", "", ""},
      {"ASCII", "a\tb", "a\tb"},
      {"two bytes", "\xC3\xBC", "\xC3\xBC"},
      {"three bytes", "\xE2\x82\xAC", "\xE2\x82\xAC"},
      {"four bytes", "\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
      {"lowest of each length", "\xC2\x80 \xE0\xA0\x80 \xF0\x90\x80\x80", "\xC2\x80 \xE0\xA0\x80 \xF0\x90\x80\x80"},
      {"highest", "\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF"},
      {"beyond the highest", "\xF4\x90\x80\x80", r + r + r + r},
      {"around the surrogates", "\xED\x9F\xBF\xEE\x80\x80", "\xED\x9F\xBF\xEE\x80\x80"},
      {"surrogate", "\xED\xA0\x80", r + r + r},
      {"overlong, two bytes", "\xC0\x80\xC1\xBF", r + r + r + r},
      {"overlong, three bytes", "\xE0\x9F\xBF", r + r + r},
      {"overlong, four bytes", "\xF0\x8F\xBF\xBF", r + r + r + r},
      {"lone continuation", "a\x80z", "a" + r + "z"},
      {"cut off at the end", "a\xE2\x82", "a" + r + r},
      {"cut off by ASCII", "\xF0\x9F\x98z", r + r + r + "z"},
      {"never a first byte", "\xF5\xFE\xFF", r + r + r},
      {"NUL is a character", std::string("a\0b", 3), std::string("a\0b", 3)},
  };
  for (const Utf8Case& c : cases) {
    EXPECT_EQ(toValidUtf8(c.bytes), c.expected) << c.what;
    EXPECT_EQ(toValidUtf8(toValidUtf8(c.bytes)), c.expected) << c.what;
  }
}

}  // namespace
}  // namespace tessera
