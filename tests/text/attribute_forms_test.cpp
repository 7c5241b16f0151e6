// Every form of an attribute as the parser stores it: kind, text, number, type and place, a row per form.

#include "tests/text/text_helpers.h"

namespace tessera::text {
namespace {

const char* kindName(AttrKind kind) {
  switch (kind) {
    case AttrKind::Unit: return "unit";
    case AttrKind::Bool: return "bool";
    case AttrKind::Integer: return "integer";
    case AttrKind::Float: return "float";
    case AttrKind::String: return "string";
    case AttrKind::Symbol: return "symbol";
    case AttrKind::Array: return "array";
    case AttrKind::DenseArray: return "dense array";
    case AttrKind::Dictionary: return "dictionary";
    case AttrKind::Type: return "type";
    case AttrKind::AffineMap: return "map";
    case AttrKind::Dense: return "dense";
    case AttrKind::Dialect: return "dialect";
    case AttrKind::Alias: return "alias";
    case AttrKind::Location: return "location";
    default: return "opaque";
  }
}

std::string described(const SyntaxTree& tree, AttrId id) {
  const Attr& attr = tree.attrs[id];
  std::string out = kindName(attr.kind);
  if (!attr.name.empty()) out += " " + std::string(attr.name);
  if (attr.kind == AttrKind::Integer || attr.kind == AttrKind::Bool) out += " " + std::to_string(attr.integer);
  if (attr.kind == AttrKind::Float) out += " " + std::to_string(attr.number);
  if (!attr.text.empty()) out += " '" + std::string(attr.text) + "'";
  if (attr.kind == AttrKind::Symbol && attr.integer == 1) out += " of several";
  if (!attr.body.empty()) out += " body '" + std::string(attr.body) + "'";
  if (attr.type.valid()) out += " of " + printType(tree, attr.type);
  for (uint32_t i = 0; i < attr.ints.count; ++i) out += " " + std::to_string(tree.ints[attr.ints.first + i]);
  for (uint32_t i = 0; i < attr.items.count; ++i)
    out += " [" + described(tree, tree.attrLists[attr.items.first + i]) + "]";
  for (uint32_t i = 0; i < attr.entries.count; ++i) {
    const NamedAttr& entry = tree.namedAttrs[attr.entries.first + i];
    out += " {" + std::string(entry.name) + ": " + described(tree, entry.value) + "}";
  }
  return out;
}

TEST(AttributeForms, AreStoredAsWritten) {
  const struct {
    const char *text, *stored;
  } kForms[] = {
      {"unit", "unit 'unit'"},
      {"true", "bool 1 'true'"},
      {"false", "bool 0 'false'"},
      {"other", "opaque 'other'"},
      {"7", "integer 7 '7'"},
      {"-7 : i8", "integer -7 '-7' of i8"},
      {"0xFF", "integer 255 '0xFF'"},
      {"9223372036854775807", "integer 9223372036854775807 '9223372036854775807'"},
      {"-9223372036854775808", "integer -9223372036854775808 '-9223372036854775808'"},
      {"2.5", "float 2.500000 '2.5'"},
      {"-2.5e1 : f32", "float -25.000000 '-2.5e1' of f32"},
      {"3 : f32", "float 3.000000 '3' of f32"},
      {"0x40400000 : f32", "float 3.000000 '0x40400000' of f32"},
      {"0x4040 : bf16", "float 3.000000 '0x4040' of bf16"},
      {"\"a b\"", "string 'a b'"},
      {"\"a\" : i32", "string 'a' of i32"},
      {"@name", "symbol 'name'"},
      {"@\"two words\"", "symbol 'two words'"},
      {"@outer::@inner", "symbol 'outer::@inner' of several"},
      {"[]", "array"},
      {"[1, true, \"x\"]", "array [integer 1 '1'] [bool 1 'true'] [string 'x']"},
      {"[[1], []]", "array [array [integer 1 '1']] [array]"},
      {"{}", "dictionary"},
      {"{a = 1, b, \"c d\" = {e}}", "dictionary {a: integer 1 '1'} {b: unit} {c d: dictionary {e: unit}}"},
      {"array<i64>", "dense array of i64"},
      {"array<i64: 1, -2, 0x10>", "dense array of i64 1 -2 16"},
      {"array<i1: true, false>", "dense array of i1 1 0"},
      {"array<f32: 1, 2.5>", "dense array of f32 [float 1.000000 '1'] [float 2.500000 '2.5']"},
      {"i32", "type of i32"},
      {"tensor<4xf32>", "type of tensor<4xf32>"},
      {"memref<4xf32>", "type of memref<4xf32>"},
      {"vector<4xf32>", "type of vector<4xf32>"},
      {"tuple<i32, f32>", "type of tuple<i32, f32>"},
      {"complex<f32>", "type of complex<f32>"},
      {"!ttnn.device", "type of !ttnn.device"},
      {"(i32) -> f32", "type of (i32) -> f32"},
      {"() -> ()", "type of () -> ()"},
      {"affine_map<(d0) -> (d0)>", "map '(d0) -> (d0)'"},
      {"(d0, d1) -> (d1)", "map '(d0, d1) -> (d1)'"},
      {"() -> (0)", "map '() -> (0)'"},
      {"(d0)[s0] -> (d0 + s0)", "map '(d0)[s0] -> (d0 + s0)'"},
      {"(8, 7)", "opaque '(8, 7)'"},
      {"<8x8>", "opaque '<8x8>'"},
      {"8x8", "opaque '8x8'"},
      {"interleaved<x>", "opaque 'interleaved<x>'"},
      {"dense<[1, 2]> : tensor<2xi32>", "dense dense '[1, 2]' body '[1, 2]' of tensor<2xi32>"},
      {"dense<> : tensor<0xi32>", "dense dense of tensor<0xi32>"},
      {"dense_resource<big> : tensor<2xf32>", "dense dense_resource 'big' body 'big' of tensor<2xf32>"},
      {"#alias", "alias alias 'alias'"},
      {"#ttnn.layout<tile>", "dialect ttnn.layout '#ttnn.layout<tile>' body 'tile'"},
      {"#ttnn.empty<>", "dialect ttnn.empty '#ttnn.empty<>'"},
      {"#ttnn.bare", "dialect ttnn.bare '#ttnn.bare'"},
      {"#ttir<kind x>", "dialect ttir '#ttir<kind x>' body 'kind x'"},
      {"distinct[0]<1>", "opaque 'distinct[0]<1>'"},
      {"distinct[3]", "opaque 'distinct[3]'"},
      {"loc(\"here\")", "location '\"here\"'"},
  };
  for (const auto& form : kForms) {
    const std::string text = "%0 = \"d.op\"() {x = " + std::string(form.text) + ", y = 5} : () -> i32\n#alias = unit\n";
    const Parsed parsed = parseClean(text);
    const OpNode& op = parsed.op(0);
    ASSERT_EQ(op.attrs.count, 2u) << form.text;
    const AttrId id = parsed.tree.find(op.attrs, "x");
    EXPECT_EQ(described(parsed.tree, id), form.stored) << form.text;
    const Span span = parsed.tree.attrs[id].span;
    EXPECT_EQ(text.substr(span.begin, span.end - span.begin), form.text);
    EXPECT_EQ(parsed.attr(op.attrs, "y").integer, 5) << form.text;
  }
}

// Of an attribute that is none the place is told, and the op behind it is read.
TEST(AttributeForms, MistakesAreToldWithTheirPlace) {
  const struct {
    const char *text, *told;
  } kMistakes[] = {
      {"array<: 1>", "an element type"},
      {"array<i64 1>", "`:` or `>`"},
      {"array<i64: a>", "an integer"},
      {"array<i64: 2.5>", "an integer"},
      {"array<f32: a>", "a number"},
      {"array<i64: 1 2>", "`,` or `>`"},
      {"-x", "a number"},
      {"-0x10", "a number"},
      {"{1 = 2}", "an attribute name"},
      {"[1 2]", "`,` or `]`"},
      {"{a = 1 b}", "`,` or `}`"},
      {"@a::b", "`@` and a symbol name"},
      {"18446744073709551616", "18446744073709551616"},
      {"9223372036854775808", "9223372036854775808"},
      {"-9223372036854775809", "-9223372036854775809"},
      {"(d0) -> d0", "`(` and the results of the affine map"},
  };
  for (const auto& mistake : kMistakes) {
    const Parsed parsed = parse("\"d.a\"() {x = " + std::string(mistake.text) + "} : () -> ()\n\"d.b\"() : () -> ()\n");
    EXPECT_NE(parsed.errors().find(mistake.told), std::string::npos) << mistake.text << "\n" << parsed.errors();
    EXPECT_EQ(parsed.errors().substr(0, 2), "1:") << parsed.errors();
    bool second = false;
    for (const OpNode& op : parsed.tree.ops) second = second || op.name == "d.b";
    EXPECT_TRUE(second) << mistake.text;
  }
}

}  // namespace
}  // namespace tessera::text
