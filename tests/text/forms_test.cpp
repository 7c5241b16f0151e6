// Texts with all that is read of them: tests/text/forms.txt. A case is
//
//   # what it shows
//   lines of MLIR           `␍` is a carriage return, `⇥` a tab; the last line has no line break
//   ->
//   diagnostics with their places, the text printed again, and every op with the places of what it consists of

#include <sstream>

#include "tests/case_table.h"
#include "tests/changed_texts.h"
#include "tests/pinned.h"
#include "tests/sizes.h"
#include "tests/text/text_helpers.h"

namespace tessera::text {
namespace {

test::PinnedFile& formPins = test::PinnedFile::named("pinned_forms");

using test::replaced;

class Described {
 public:
  explicit Described(const Parsed& parsed) : parsed_(parsed), tree_(parsed.tree) {}

  std::string text() {
    for (const Diagnostic& diagnostic : parsed_.diags.all())
      out_ += place(diagnostic.span) + ": " + diagnostic.message + "\n";
    out_ += replaced(printText(tree_), "\r", "␍");
    for (const AliasDef& alias : tree_.aliases) {
      out_ += "alias " + std::string(alias.name) + " " + place(alias.span);
      out_ += alias.isType ? of(alias.type) : of(alias.attr);
      out_ += "\n";
    }
    for (OpNodeId id : tree_.ops.ids()) op(tree_.ops[id]);
    return out_;
  }

 private:
  std::string place(Span span) const {
    const LineColumn begin = parsed_.source->lineColumn(span.begin), end = parsed_.source->lineColumn(span.end);
    const std::string first = std::to_string(begin.line) + ":" + std::to_string(begin.column);
    if (begin.line != end.line) return first + "-" + std::to_string(end.line) + ":" + std::to_string(end.column);
    return first + "-" + std::to_string(end.column);
  }

  std::string of(AttrId id) const {
    static constexpr const char* kNames[] = {"unit",       "bool",        "integer",  "float", "string", "array",
                                             "dictionary", "dense array", "dense",    "type",  "map",    "symbol",
                                             "alias",      "dialect",     "location", "opaque"};
    if (!id.valid()) return "";
    const Attr& attr = tree_.attrs[id];
    return std::string(" ") + kNames[static_cast<size_t>(attr.kind)] + " " + place(attr.span);
  }

  std::string of(TypeId id) const {
    static constexpr const char* kNames[] = {"scalar", "tensor", "function", "alias", "dialect", "opaque"};
    const Type& type = tree_.types[id];
    return std::string(" ") + kNames[static_cast<size_t>(type.kind)] + " " + place(type.span);
  }

  std::string of(Range entries) const {
    std::string out;
    for (uint32_t i = 0; i < entries.count; ++i) {
      const NamedAttr& entry = tree_.namedAttrs[entries.first + i];
      out += " " + std::string(entry.name) + " " + place(entry.span) + of(entry.value);
    }
    return out;
  }

  std::string types(Range list) const {
    std::string out;
    for (uint32_t i = 0; i < list.count; ++i) out += of(tree_.typeLists[list.first + i]);
    return out;
  }

  void line(const std::string& what, const std::string& text) {
    if (!text.empty()) out_ += "  " + what + text + "\n";
  }

  void op(const OpNode& op) {
    out_ += "op " + std::string(op.name) + " " + place(op.span) + ", name " + place(op.nameSpan);
    if (!op.symbol.empty()) out_ += ", symbol " + std::string(op.symbol);
    if (!op.visibility.empty()) out_ += ", " + std::string(op.visibility);
    out_ += op.hasError ? ", mistaken\n" : "\n";
    std::string defs, uses, args, symbols, labels;
    for (uint32_t i = 0; i < op.defs.count; ++i) {
      const Def& def = tree_.defs[op.defs.first + i];
      defs += " " + std::string(def.name) + ":" + std::to_string(def.count) + " " + place(def.span);
    }
    for (uint32_t i = 0; i < op.uses.count; ++i) {
      const Use& use = tree_.uses[op.uses.first + i];
      uses += " " + std::string(use.name) + "#" + std::to_string(use.number) + " " + place(use.span);
    }
    for (uint32_t i = 0; i < op.args.count; ++i) {
      const BlockArg& arg = tree_.blockArgs[op.args.first + i];
      args += " " + std::string(arg.name) + " " + place(arg.span) + (arg.type.valid() ? of(arg.type) : " untyped") +
              of(arg.attrs);
    }
    for (uint32_t i = 0; i < op.symbols.count; ++i) symbols += of(tree_.attrLists[op.symbols.first + i]);
    for (uint32_t i = 0; i < op.moreTails.count; ++i)
      labels += " `" + std::string(tree_.labels[op.moreTails.first + i]) + "`";
    line("defines", defs);
    line("uses", uses);
    line("arguments", args);
    line("symbols", symbols);
    line("literal", of(op.literal));
    line("properties", of(op.properties));
    line("attributes", of(op.attrs));
    line("takes", types(op.operandTypes));
    line("gives", types(op.resultTypes));
    line("tail", op.tail.empty() ? "" : " `" + replaced(std::string(op.tail), "\n", "⏎") + "`");
    line("in the tail", of(op.tailAttrs));
    line("behind regions", replaced(labels, "\n", "⏎"));
    line("regions", op.regions.count > 0 ? " " + std::to_string(op.regions.count) : "");
    line("location", of(op.location));
  }

  const Parsed& parsed_;
  const SyntaxTree& tree_;
  std::string out_;
};

std::string formOf(const std::string& input) {
  std::string text = replaced(replaced(input, "␍", "\r"), "⇥", "\t");
  if (!text.empty()) text.pop_back();
  return text;
}

std::string describedText(const std::string& text) {
  const Parsed parsed = parse(text);
  return Described(parsed).text();
}

TEST(Forms, AreReadAsTheTableSays) {
  const int cases =
      test::checkCaseTable("text/forms.txt", [](const std::string& input) { return describedText(formOf(input)); });
  EXPECT_GT(cases, 30);
}

// The same with a word that is left out, doubled, another or exchanged with the next: a line per case.
TEST(PinnedForms, WithAWrongWord) {
  for (const test::TableCase& one : test::sliceOf(test::readCaseTable("text/forms.txt"))) {
    Fingerprint print;
    for (uint64_t seed = 1; seed <= 400; ++seed)
      print.add(describedText(test::brokenText(formOf(one.input), seed * 7919)));
    formPins.expect(test::digits(one.title + one.input), test::digits(print));
  }
}

}  // namespace
}  // namespace tessera::text
