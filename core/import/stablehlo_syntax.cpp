#include "core/import/stablehlo_syntax.h"

#include <algorithm>
#include <cctype>

#include "core/import/mlir_snippet.h"
#include "core/ir/builder.h"
#include "core/ir/constant_value.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

constexpr size_t kMostTailInts = 4096;  // of one list in a tail

bool isNameChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view strippedText(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

// Behind the bracket that closes the one at `open`; the end when it is never closed.
size_t behindGroup(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\' ? 1 : 0;
    } else if (c == '[' || c == '(' || c == '{' || (c == '<' && depth >= 0)) {
      ++depth;
    } else if (c == ']' || c == ')' || c == '}' || (c == '>' && i > 0 && text[i - 1] != '-')) {
      if (--depth == 0) return i + 1;
    }
  }
  return text.size();
}

// What follows `name =` in a tail: a list, lists joined by `x` and `->`, a group, or a word.
std::string_view fieldOf(std::string_view tail, std::string_view name) {
  for (size_t at = tail.find(name); at != std::string_view::npos; at = tail.find(name, at + 1)) {
    size_t end = at + name.size();
    bool word = (at == 0 || !isNameChar(tail[at - 1])) && (end == tail.size() || !isNameChar(tail[end]));
    while (end < tail.size() && tail[end] == ' ') ++end;
    if (!word || end >= tail.size() || tail[end] != '=') continue;
    size_t begin = end + 1;
    while (begin < tail.size() && tail[begin] == ' ') ++begin;
    size_t stop = begin;
    if (stop < tail.size() && (tail[stop] == '[' || tail[stop] == '{' || tail[stop] == '<')) {
      stop = behindGroup(tail, stop);
      for (;;) {  // [0] x [1], [b, f]x[o, i]->[b, f]
        size_t next = stop;
        while (next < tail.size() && (tail[next] == ' ' || tail[next] == 'x' || tail[next] == '-' || tail[next] == '>'))
          ++next;
        if (next == stop || next >= tail.size() || tail[next] != '[') break;
        stop = behindGroup(tail, next);
      }
    } else {
      while (stop < tail.size() && std::string_view(",:){} \n").find(tail[stop]) == std::string_view::npos) ++stop;
    }
    return tail.substr(begin, stop - begin);
  }
  return {};
}

// Lists of numbers and letters joined by `x` and `->`, as dimensions are given: what stands in an attribute without
// being read. Nothing where another thing stands there.
std::string_view dimListsOf(std::string_view tail, std::string_view name) {
  const std::string_view text = fieldOf(tail, name);
  bool inside = false, fits = true;
  for (size_t i = 0; i < text.size() && fits; ++i) {
    const char c = text[i];
    if (c == '[' || c == ']') fits = inside == (c == ']'), inside = c == '[';
    else if (c == '-') fits = !inside && text.substr(i, 2) == "->";
    else if (c == '>') fits = i > 0 && text[i - 1] == '-';
    else fits = isNameChar(c) || std::isspace(static_cast<unsigned char>(c)) != 0 || c == ',' || c == '?';
  }
  return fits && !inside ? text : std::string_view();
}

// The integers of a text in order, whatever stands between them; `true` counts as 1, `false` as 0.
std::vector<int64_t> intsOfText(std::string_view text) {
  std::vector<int64_t> out;
  for (size_t i = 0; i < text.size() && out.size() < kMostTailInts;) {
    bool negative = text[i] == '-' && i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0;
    size_t at = i + (negative ? 1 : 0);
    if (std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
      int64_t value = 0;
      for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0; ++at)
        value = std::min<int64_t>(value, INT64_MAX / 10 - 10) * 10 + (text[at] - '0');
      out.push_back(negative ? -value : value);
      i = at;
    } else if (std::isalpha(static_cast<unsigned char>(text[i])) != 0) {
      size_t end = i;
      while (end < text.size() && isNameChar(text[end])) ++end;
      std::string_view word = text.substr(i, end - i);
      if (word == "true" || word == "false") out.push_back(word == "true" ? 1 : 0);
      i = end;
    } else {
      ++i;
    }
  }
  return out;
}

// An integer, or a list of them in brackets.
bool isIntegers(std::string_view text, bool list) {
  if (list && (text.size() < 2 || text.front() != '[' || text.back() != ']')) return false;
  const std::string_view inside = list ? text.substr(1, text.size() - 2) : text;
  return inside.find_first_not_of(list ? "-0123456789, \t\r\n" : "-0123456789") == std::string_view::npos;
}

// How a field of the tail becomes an attribute; what is no integer stays a word, which the checks of ops refuse
// (op_attrs.def).
enum class FieldKind { Ints, Int, Word };
struct TailField {
  std::string_view op;     // without the dialect
  std::string_view field;  // in the tail
  std::string_view attr;
  FieldKind kind;
};
constexpr TailField kTailFields[] = {
    {"broadcast_in_dim", "dims", "broadcast_dimensions", FieldKind::Ints},
    {"dynamic_broadcast_in_dim", "dims", "broadcast_dimensions", FieldKind::Ints},
    {"transpose", "dims", "permutation", FieldKind::Ints},
    {"reverse", "dims", "dimensions", FieldKind::Ints},
    {"reduce", "dimensions", "dimensions", FieldKind::Ints},
    {"concatenate", "dim", "dimension", FieldKind::Int},
    {"iota", "dim", "iota_dimension", FieldKind::Int},
    {"dynamic_iota", "dim", "iota_dimension", FieldKind::Int},
    {"get_dimension_size", "dim", "dimension", FieldKind::Int},
    {"set_dimension_size", "dim", "dimension", FieldKind::Int},
    {"dynamic_slice", "sizes", "slice_sizes", FieldKind::Ints},
    {"pad", "low", "edge_padding_low", FieldKind::Ints},
    {"pad", "high", "edge_padding_high", FieldKind::Ints},
    {"pad", "interior", "interior_padding", FieldKind::Ints},
    {"top_k", "k", "k", FieldKind::Int},
    {"reduce_precision", "format", "format", FieldKind::Word},
    {"rng", "distribution", "rng_distribution", FieldKind::Word},
    {"rng_bit_generator", "algorithm", "rng_algorithm", FieldKind::Word},
    {"cholesky", "lower", "lower", FieldKind::Word},
    {"fft", "type", "fft_type", FieldKind::Word},
    {"fft", "length", "fft_length", FieldKind::Ints},
    {"map", "dimensions", "dimensions", FieldKind::Ints},
};

void setOwn(AttrList& attrs, std::string_view name, AttrValue value) {
  for (const Attribute& attr : attrs) {
    if (attr.name == name) return;
  }
  attrs.push_back({std::string(name), std::move(value)});
}

// batching_dims = [0] x [0], contracting_dims = [2] x [1]
void dotFields(std::string_view tail, AttrList& attrs) {
  auto side = [&](std::string_view field, size_t index) {
    const std::string_view text = dimListsOf(tail, field);
    size_t cut = text.empty() ? 0 : behindGroup(text, 0);
    std::string_view part = index == 0 ? text.substr(0, cut) : text.substr(cut);
    size_t open = part.find('[');
    return open == std::string_view::npos ? std::string("[]") : std::string(strippedText(part.substr(open)));
  };
  std::string text = "#stablehlo.dot<lhs_batching_dimensions = " + side("batching_dims", 0) +
                     ", rhs_batching_dimensions = " + side("batching_dims", 1) +
                     ", lhs_contracting_dimensions = " + side("contracting_dims", 0) +
                     ", rhs_contracting_dimensions = " + side("contracting_dims", 1) + ">";
  setOwn(attrs, "dot_dimension_numbers", rawAttr(std::move(text)));
}

void convolutionFields(std::string_view tail, AttrList& attrs) {
  const std::string_view numbers = dimListsOf(tail, "dim_numbers");
  if (!numbers.empty()) setOwn(attrs, "dimension_numbers", rawAttr("#stablehlo.conv<" + std::string(numbers) + ">"));
  std::string_view window = fieldOf(tail, "window");
  constexpr std::pair<std::string_view, std::string_view> kFields[] = {{"stride", "window_strides"},
                                                                       {"pad", "padding"},
                                                                       {"lhs_dilate", "lhs_dilation"},
                                                                       {"rhs_dilate", "rhs_dilation"},
                                                                       {"reverse", "window_reversal"}};
  for (const auto& [field, attr] : kFields) {
    std::string_view text = fieldOf(window, field);
    const bool plain = field != "pad" && field != "reverse";  // no lists of lists, no words
    if (!text.empty())
      setOwn(attrs, attr, plain && !isIntegers(text, true) ? stringAttr(text) : intArrayAttr(intsOfText(text)));
  }
}

// [0:1, 2:5:2]
void sliceFields(std::string_view tail, AttrList& attrs) {
  size_t open = tail.find('[');
  if (open == std::string_view::npos) return;
  std::string_view list = tail.substr(open + 1, behindGroup(tail, open) - open - 2);
  std::vector<int64_t> begins, ends, strides;
  while (!strippedText(list).empty()) {
    size_t comma = list.find(',');
    std::vector<int64_t> part = intsOfText(list.substr(0, comma));
    if (part.size() < 2) return;
    begins.push_back(part[0]);
    ends.push_back(part[1]);
    strides.push_back(part.size() > 2 ? part[2] : 1);
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
  }
  setOwn(attrs, "start_indices", intArrayAttr(std::move(begins)));
  setOwn(attrs, "limit_indices", intArrayAttr(std::move(ends)));
  setOwn(attrs, "strides", intArrayAttr(std::move(strides)));
}

std::string_view firstWord(std::string_view text) {
  text = strippedText(text);
  size_t end = 0;
  while (end < text.size() && isNameChar(text[end])) ++end;
  return text.substr(0, end);
}

void tailFields(const text::OpNode& node, std::string_view bare, AttrList& attrs) {
  std::string_view tail = node.tail;
  for (const TailField& field : kTailFields) {
    if (field.op != bare) continue;
    std::string_view text = fieldOf(tail, field.field);
    if (text.empty()) continue;
    const bool list = field.kind == FieldKind::Ints;
    std::vector<int64_t> numbers =
        field.kind != FieldKind::Word && isIntegers(text, list) ? intsOfText(text) : std::vector<int64_t>();
    if (list && isIntegers(text, list)) setOwn(attrs, field.attr, intArrayAttr(std::move(numbers)));
    else if (numbers.empty()) setOwn(attrs, field.attr, stringAttr(text));
    else setOwn(attrs, field.attr, intAttr(numbers[0]));
  }
  if (bare == "dot_general") dotFields(tail, attrs);
  if (bare == "convolution") convolutionFields(tail, attrs);
  if (bare == "slice") sliceFields(tail, attrs);
  if (bare == "compare") setOwn(attrs, "comparison_direction", stringAttr(firstWord(tail)));
  if (bare == "get_tuple_element") {
    std::vector<int64_t> index = intsOfText(tail.substr(0, tail.find(']')));
    if (!index.empty()) setOwn(attrs, "index", intAttr(index[0], "i32"));
  }
  if (bare == "reduce") {
    size_t applies = tail.find("applies ");
    if (applies != std::string_view::npos) {
      std::string_view rest = tail.substr(applies + 8);
      setOwn(attrs, "body", stringAttr(rest.substr(0, rest.find(' '))));
    }
  }
  if (bare == "composite") {
    size_t open = tail.find('"'), close = open == std::string_view::npos ? open : tail.find('"', open + 1);
    if (close != std::string_view::npos) setOwn(attrs, "name", stringAttr(tail.substr(open + 1, close - open - 1)));
  }
}

// dense<[1, 2]> : tensor<2xi64> of older files is array<i64: 1, 2> today.
void listOfDense(AttrValue& value) {
  if (value.kind != AttrValueKind::Other || value.text.rfind("dense<", 0) != 0) return;
  size_t colon = value.text.rfind(" : ");
  if (colon == std::string::npos) return;
  std::string why;
  std::optional<ValueType> type = parseMlirType(std::string_view(value.text).substr(colon + 3), why);
  if (!type || !type->isTensor() || isFloatType(type->tensor->dtype)) return;
  std::optional<int64_t> count = elementCount(type->tensor->shape);
  if (!count || *count > static_cast<int64_t>(kMostTailInts)) return;
  std::optional<ConstantValue> read = readConstant(value.text, type->tensor->dtype, *count);
  if (!read || read->elided) return;
  std::vector<int64_t> numbers = read->integers;
  if (read->splat && numbers.size() == 1) numbers.assign(static_cast<size_t>(*count), numbers[0]);
  value = intArrayAttr(std::move(numbers));
}

// #stablehlo<comparison_direction GT>, #stablehlo.rng_distribution<UNIFORM>: the bare word.
void wordOfEnum(AttrValue& value) {
  if (value.kind != AttrValueKind::Other || value.text.empty() || value.text[0] != '#') return;
  std::string_view text = value.text;
  size_t open = text.find('<');
  if (open == std::string_view::npos || text.back() != '>') return;
  std::string_view body = strippedText(text.substr(open + 1, text.size() - open - 2));
  size_t space = body.rfind(' ');
  std::string_view word = space == std::string_view::npos ? body : body.substr(space + 1);
  bool plain = !word.empty() && std::all_of(word.begin(), word.end(), isNameChar) && body.find('=') == body.npos;
  if (plain) value = stringAttr(word);
}

// Ops of several operands whose one type, where one is written, is that of all of them.
bool allOfOneType(std::string_view name) {
  constexpr std::string_view kAlike =
      " add and atan2 clamp divide maximum minimum multiply or power remainder shift_left shift_right_arithmetic "
      "shift_right_logical subtract xor ";
  return kAlike.find(" " + std::string(name.substr(name.find('.') + 1)) + " ") != std::string_view::npos;
}

}  // namespace

std::string_view stablehloName(std::string_view name) {
  struct Renamed {
    std::string_view from, to;
  };
  static constexpr Renamed kRenamed[] = {{"mhlo.return", "func.return"}, {"stablehlo.return", "func.return"},
                                         {"sdy.return", "func.return"},  {"mhlo.erf", "chlo.erf"},
                                         {"mhlo.topk", "chlo.top_k"},    {"mhlo.copy", "mhlo.copy"},
                                         {"mhlo.asinh", "chlo.asinh"}};
  for (const Renamed& r : kRenamed) {
    if (r.from == name) return r.to;
  }
  if (name.substr(0, 5) != "mhlo.") return name;
  for (std::string_view dialect : {"stablehlo.", "chlo."}) {
    OpKind kind = opKindFromName(std::string(dialect) + std::string(name.substr(5)));
    if (kind != OpKind::Opaque) return opInfo(kind).name;
  }
  return name;
}

void readStablehloAttrs(const text::OpNode& node, std::string_view name, TreeReader& reader, AttrList& attrs) {
  std::string_view bare = name.substr(name.find('.') + 1);
  if (node.tailAttrs.count > 0) {
    for (Attribute& attr : reader.attrs({node.tailAttrs}, name, node.span)) setOwn(attrs, attr.name, attr.value);
  }
  if (!node.tail.empty()) tailFields(node, bare, attrs);
  bool call = bare == "custom_call" && !node.symbol.empty();
  if (call) setOwn(attrs, "call_target_name", stringAttr(node.symbol));
  bool constraint = name == "sdy.sharding_constraint" || name == "sdy.reshard";
  if (constraint) setOwn(attrs, "sharding", stringAttr(node.tail));
  for (Attribute& attr : attrs) {
    // Groups of chips keep their shape, which is part of their text.
    if (attr.name == "value" || attr.name == "replica_groups" || attr.name == "source_target_pairs") continue;
    listOfDense(attr.value);
    wordOfEnum(attr.value);
  }
  sortAttrs(attrs);
}

StablehloTypes stablehloTypes(const text::SyntaxTree& tree, const text::OpNode& node, std::string_view name) {
  StablehloTypes types;
  auto copy = [&](text::Range from, std::vector<text::TypeId>& to) {
    for (uint32_t i = 0; i < from.count; ++i) to.push_back(tree.typeLists[from.first + i]);
  };
  copy(node.operandTypes, types.operands);
  copy(node.resultTypes, types.results);
  if (node.form != text::OpForm::Pretty || node.hasError) return types;
  size_t results = 0;
  for (uint32_t i = 0; i < node.defs.count; ++i) results += static_cast<size_t>(tree.defs[node.defs.first + i].count);
  bool one = types.operands.empty() && types.results.size() == 1 && results == 1;
  if (one && allOfOneType(name)) types.operands.assign(node.uses.count, types.results[0]);
  if (!types.results.empty() || results == 0 || types.operands.empty()) return types;
  if (name == "stablehlo.select" && types.operands.size() == 2 && results == 1) {
    types.results = {types.operands[1]};
    types.operands = {types.operands[0], types.operands[1], types.operands[1]};
  } else if (results > 1 && types.operands.size() == results && results == node.uses.count) {
    types.results = types.operands;  // %0:2 = op %a, %b : t, u
  }
  return types;
}

std::string simpleBody(const text::SyntaxTree& tree, text::RegionId region, TreeReader& reader) {
  const std::vector<text::BlockId>& blocks = tree.regions[region].blocks;
  if (blocks.size() != 1) return "";
  const text::Block& block = tree.blocks[blocks[0]];
  if (block.args.count != 2 || block.ops.empty() || block.ops.size() > 2) return "";
  std::string_view first = tree.blockArgs[block.args.first].name, second = tree.blockArgs[block.args.first + 1].name;
  const text::OpNode& last = tree.ops[block.ops.back()];
  if (stablehloName(last.name) != "func.return" || last.uses.count != 1) return "";
  std::string_view given = tree.uses[last.uses.first].name;
  if (block.ops.size() == 1) return given == first ? "first" : given == second ? "second" : "";
  const text::OpNode& op = tree.ops[block.ops[0]];
  bool matches =
      op.uses.count == 2 && op.defs.count == 1 && tree.defs[op.defs.first].name == given && op.regions.count == 0;
  if (!matches) return "";
  std::string_view a = tree.uses[op.uses.first].name, b = tree.uses[op.uses.first + 1].name;
  std::string name(stablehloName(op.name));
  constexpr std::string_view kSymmetric = " add multiply maximum minimum and or xor ";
  std::string bare = " " + name.substr(name.find('.') + 1) + " ";
  bool swapped = a == second && b == first;
  bool straight = a == first && b == second;
  if (!straight && !(swapped && kSymmetric.find(bare) != std::string_view::npos)) return "";
  if (name != "stablehlo.compare") return name.rfind("stablehlo.", 0) == 0 ? name : "";
  AttrList attrs = reader.attrs({op.properties, op.attrs}, name, op.span);
  readStablehloAttrs(op, name, reader, attrs);
  for (const Attribute& attr : attrs) {
    if (attr.name == "comparison_direction") return name + " " + attr.value.string;
  }
  return "";
}

std::optional<std::vector<ValueType>> tupleTypes(const ValueType& type) {
  std::string_view text = type.opaque;
  if (type.isTensor() || text.substr(0, 6) != "tuple<" || text.back() != '>') return {};
  std::vector<ValueType> out;
  text = text.substr(6, text.size() - 7);
  constexpr size_t kMostElements = 1024;  // of more no part is looked at
  for (size_t begin = 0; begin < text.size();) {
    if (out.size() == kMostElements) return {};
    size_t end = begin;
    int depth = 0;
    for (; end < text.size() && (depth > 0 || text[end] != ','); ++end)
      depth += text[end] == '<' || text[end] == '[' || text[end] == '('   ? 1
               : text[end] == '>' || text[end] == ']' || text[end] == ')' ? -1
                                                                          : 0;
    std::string why;
    std::optional<ValueType> element = parseMlirType(strippedText(text.substr(begin, end - begin)), why);
    if (!element) return {};
    out.push_back(std::move(*element));
    begin = end + 1;
  }
  return out;
}

std::vector<ValueType> leafTypes(const ValueType& type) {
  constexpr size_t kMostSteps = 4096;
  std::vector<ValueType> leaves, rest = {type};
  for (size_t step = 0; !rest.empty() && step < kMostSteps; ++step) {
    ValueType next = std::move(rest.back());
    rest.pop_back();
    std::optional<std::vector<ValueType>> elements = tupleTypes(next);
    if (elements) rest.insert(rest.end(), elements->rbegin(), elements->rend());
    else leaves.push_back(std::move(next));
  }
  if (!rest.empty()) return {type};
  return leaves;
}

}  // namespace tessera
