// The rules of op_rules.def: what the compiler's own verifiers ask of single ops beyond the shapes that follow from
// their operands. A rule is a comparison of sums and products, read from left to right; one that names something the op
// does not have (an optional operand, an attribute that nobody wrote) holds.

#include <algorithm>
#include <array>
#include <charconv>

#include "core/ops/shapes/shape_context.h"
#include "core/support/key_index.h"
#include "core/support/units.h"

namespace tessera {

namespace {

struct RuleLine {
  std::string_view dialects;
  std::string_view ops;
  std::string_view rules;
};

constexpr RuleLine kRuleLines[] = {
#define TESSERA_RULES(dialects, ops, rules) {dialects, ops, rules},
#include "core/ops/shapes/op_rules.def"
#undef TESSERA_RULES
};

std::string_view stripped(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The next piece of a list, and the list behind it.
std::string_view nextPiece(std::string_view& list, std::string_view separator) {
  size_t end = std::min(list.find(separator), list.size());
  std::string_view piece = stripped(list.substr(0, end));
  list.remove_prefix(std::min(end + separator.size(), list.size()));
  return piece;
}

// The lines of every op that has any, by its name. Made once, since graphs have thousands of ops.
class RuleIndex {
 public:
  RuleIndex() {
    for (uint16_t line = 0; line < std::size(kRuleLines); ++line) {
      for (std::string_view dialects = kRuleLines[line].dialects; !dialects.empty();) {
        const std::string_view dialect = nextPiece(dialects, " ");
        for (std::string_view ops = kRuleLines[line].ops; !ops.empty();) add({dialect, nextPiece(ops, " ")}, line);
      }
    }
  }

  // In the order of the table; `op` is a full name, "ttir.add".
  std::span<const uint16_t> linesOf(std::string_view op) const {
    const size_t dot = op.find('.');
    if (dot == std::string_view::npos) return {};
    const int32_t number = find({op.substr(0, dot), op.substr(dot + 1)});
    return number < 0 ? std::span<const uint16_t>() : lines_[static_cast<size_t>(number)];
  }

 private:
  struct Name {
    std::string_view dialect, mnemonic;
    friend bool operator==(const Name&, const Name&) = default;
  };
  static uint64_t hashOf(const Name& name) { return hashText(hashText(0, name.dialect), name.mnemonic); }

  int32_t find(const Name& name) const {
    return numbers_.find(hashOf(name), [&](int32_t at) { return names_[static_cast<size_t>(at)] == name; });
  }

  void add(const Name& name, uint16_t line) {
    int32_t number = find(name);
    if (number < 0) {
      number = numbers_.add(hashOf(name));
      names_.push_back(name);
    }
    std::vector<uint16_t>& lines = numbered(lines_, static_cast<size_t>(number));
    if (lines.empty() || lines.back() != line) lines.push_back(line);
  }

  HashIndex numbers_;
  std::vector<Name> names_;                   // by number
  std::vector<std::vector<uint16_t>> lines_;  // of kRuleLines, by number
};

std::optional<int64_t> numberOf(std::string_view text) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::string_view elementName(const TensorType& tensor) {
  return tensor.element.empty() ? dtypeName(tensor.dtype) : std::string_view(tensor.element);
}

bool isIntegerName(std::string_view name) {
  if (name.substr(0, 1) == "s" || name.substr(0, 1) == "u") name.remove_prefix(1);
  if (name.substr(0, 1) == "i") name.remove_prefix(1);
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

bool isFloatName(std::string_view name) { return name[0] == 'f' || name.substr(0, 2) == "bf"; }

// Reads one op for the rules.
class RuleReader {
 public:
  // `inputs`: leading operands that are no destination-passing outputs.
  RuleReader(const Graph& graph, const Op& op, int inputs) : graph_(graph), op_(op), inputs_(inputs) {
    if (const AttrValue* sizes = findAttr(op, "operandSegmentSizes"); sizes && sizes->kind == AttrValueKind::IntArray)
      segments_ = &sizes->ints;
  }

  // Whether the rule holds, or says nothing about this op.
  bool holds(std::string_view rule) const {
    size_t arrow = rule.find("->");
    if (arrow != std::string_view::npos) {
      if (!compare(stripped(rule.substr(0, arrow))).value_or(false)) return true;
      rule = stripped(rule.substr(arrow + 2));
    }
    while (!rule.empty()) {
      if (compare(nextPiece(rule, " or ")).value_or(true)) return true;
    }
    return false;
  }

  // "3 and 4", the two sides in numbers; what a rule without a comparison speaks of: "operand 0 is `tensor<2xf32>`".
  std::string figures(std::string_view rule) const {
    size_t arrow = rule.find("->");
    if (arrow != std::string_view::npos) rule = stripped(rule.substr(arrow + 2));
    std::string_view rest = rule, first = nextPiece(rest, " or ");
    Sides sides = split(first);
    if (std::string text = sides.relation.empty() ? spokenOf(rule) : ""; !text.empty()) return text;
    std::optional<int64_t> left = sum(sides.left), right = sum(sides.right);
    return left && right ? std::to_string(*left) + " and " + std::to_string(*right) : std::string("other values");
  }

 private:
  struct Sides {
    std::string_view left, relation, right;
  };

  static Sides split(std::string_view text) {
    for (std::string_view relation : {" == ", " != ", " <= ", " >= ", " < ", " > "}) {
      size_t at = text.find(relation);
      if (at == std::string_view::npos) continue;
      return {stripped(text.substr(0, at)), stripped(relation), stripped(text.substr(at + relation.size()))};
    }
    return {text, "", "0"};
  }

  // The tensors and attributes between the brackets of a rule, as they are.
  std::string spokenOf(std::string_view rule) const {
    std::string out;
    while (!rule.empty()) {
      nextPiece(rule, "(");
      std::string_view names = nextPiece(rule, ")");
      while (!names.empty()) {
        const std::string text = described(nextPiece(names, ","));
        if (!text.empty() && out.find(text) == std::string::npos) out += (out.empty() ? "" : ", ") + text;
      }
    }
    return out;
  }

  std::string described(std::string_view name) const {
    if (const ValueType* type = typeOf(name)) {
      const bool result = name.front() == 'r';
      const std::string number(result ? name.substr(1) : name);
      return (result ? "result " : "operand ") + number + " is " + shortTypeText(*type);
    }
    const AttrValue* attr = findAttr(op_, name);
    return attr == nullptr ? "" : std::string(name) + " is " + attr->text;
  }

  std::optional<bool> compare(std::string_view text) const {
    Sides sides = split(text);
    std::optional<int64_t> left = sum(sides.left), right = sum(sides.right);
    if (!left || !right) return {};
    if (sides.relation == "==") return *left == *right;
    if (sides.relation.empty() || sides.relation == "!=") return *left != *right;
    if (sides.relation == "<=") return *left <= *right;
    if (sides.relation == ">=") return *left >= *right;
    return sides.relation == "<" ? *left < *right : *left > *right;
  }

  std::optional<int64_t> sum(std::string_view text) const {
    std::optional<int64_t> total = term(nextPiece(text, " "));
    while (total && !text.empty()) {
      std::string_view sign = nextPiece(text, " ");
      std::optional<int64_t> next = term(nextPiece(text, " "));
      if (!next || !apply(sign, *next, *total)) return {};
    }
    return total;
  }

  static bool apply(std::string_view sign, int64_t value, int64_t& total) {
    if (sign == "+") return addChecked(total, value, total);
    if (sign == "-") return value != INT64_MIN && addChecked(total, -value, total);
    if (sign == "*") return mulChecked(total, value, total);
    if (value == 0 || value == -1) return false;
    total = sign == "%" ? total % value : total / value;
    return true;
  }

  // A number, or name(argument,argument).
  std::optional<int64_t> term(std::string_view text) const {
    size_t open = text.find('(');
    if (open == std::string_view::npos) return numberOf(text);
    std::string_view name = text.substr(0, open);
    std::string_view list = text.substr(open + 1, text.size() - open - 2);
    std::string_view first = nextPiece(list, ",");
    std::string_view second = nextPiece(list, ",");
    if (name == "operands") return static_cast<int64_t>(op_.operands.size());
    if (name == "results") return static_cast<int64_t>(op_.results.size());
    if (name == "one_type") return oneType() ? 1 : 0;
    if (name == "segments") return segments_ != nullptr ? 1 : 0;
    if (name == "present") return tensor(first) != nullptr ? 1 : 0;
    if (std::optional<int64_t> value = ofTensor(name, first, second)) return value;
    return ofAttr(name, first, second);
  }

  const TensorType* tensor(std::string_view which) const {
    const ValueType* type = typeOf(which);
    return type != nullptr && type->isTensor() ? &*type->tensor : nullptr;
  }

  bool oneType() const {
    std::string_view first;
    for (int64_t i = 0; i < inputs_; ++i) {
      const ValueType& type = graph_.values[op_.operands[static_cast<size_t>(i)]].type;
      if (!type.isTensor()) continue;
      if (first.empty()) first = elementName(*type.tensor);
      if (elementName(*type.tensor) != first) return false;
    }
    return true;
  }

  // "1": the operand of that number by the definition; "r0": a result.
  const ValueType* typeOf(std::string_view which) const {
    bool result = which.substr(0, 1) == "r";
    std::optional<int64_t> index = numberOf(result ? which.substr(1) : which);
    if (!index) return nullptr;
    int64_t at = *index;
    if (!result && segments_ != nullptr) {
      if (at >= static_cast<int64_t>(segments_->size()) || (*segments_)[static_cast<size_t>(at)] < 1) return nullptr;
      at = 0;
      for (size_t i = 0; i < static_cast<size_t>(*index); ++i) at += std::clamp<int64_t>((*segments_)[i], 0, 1000);
    }
    if (!result && segments_ == nullptr && at >= inputs_) return nullptr;
    const std::vector<ValueId>& list = result ? op_.results : op_.operands;
    if (at >= static_cast<int64_t>(list.size())) return nullptr;
    return &graph_.values[list[static_cast<size_t>(at)]].type;
  }

  std::optional<int64_t> ofTensor(std::string_view name, std::string_view first, std::string_view second) const {
    const TensorType* a = tensor(first);
    if (a == nullptr) return {};
    auto rank = static_cast<int64_t>(a->shape.size());
    std::string_view element = elementName(*a);
    if (name == "rank") return rank;
    if (name == "count") return elementCount(a->shape);
    if (name == "int") return isIntegerName(element) ? 1 : 0;
    if (name == "float") return isFloatName(element) ? 1 : 0;
    if (name == "axis_fits") return axisFits(*a);
    if (name == "zero_fits") return zeroPointFits(element);
    if (name == "bits") return numberOf(element.substr(std::min(element.find_first_of("0123456789"), element.size())));
    if (name == "per_axis") return element.find('{') != std::string_view::npos ? 1 : 0;
    if (name == "tiled" || name == "on_device") return ofLayout(name, *a);
    if (name == "quantized") return element.substr(0, 7) == "!quant." ? 1 : 0;
    if (name == "type") return element == second ? 1 : 0;
    if (name == "encoding") return a->encoding.find(second) != std::string::npos ? 1 : 0;
    if (name == "dim") {
      std::optional<int64_t> index = numberOf(second);
      if (!index) index = attrInteger(second);
      if (index && *index < 0) *index += rank;
      if (!index || *index < 0 || *index >= rank) return {};
      return a->shape[static_cast<size_t>(*index)];
    }
    const TensorType* b = tensor(second);
    if (b == nullptr) return {};
    if (name == "same_shape") return a->shape == b->shape ? 1 : 0;
    if (name == "same_type") return element == elementName(*b) ? 1 : 0;
    return {};
  }

  // Nothing when the tensor has no layout yet.
  static std::optional<int64_t> ofLayout(std::string_view name, const TensorType& tensor) {
    if (!tensor.layout) return {};
    if (name == "tiled") return tensor.layout->page == PageLayout::Tile ? 1 : 0;
    return tensor.layout->buffer != BufferType::SystemMemory ? 1 : 0;
  }

  // !quant.uniform<i8:f32, 0.1:0>: the zero point is a number of the storage type.
  static std::optional<int64_t> zeroPointFits(std::string_view text) {
    size_t colon = text.rfind(':'), comma = text.rfind(',');
    if (text.substr(0, 15) != "!quant.uniform<" || text.find('{') != std::string_view::npos) return {};
    if (colon == std::string_view::npos || comma == std::string_view::npos || colon < comma) return {};
    std::optional<int64_t> zero = numberOf(text.substr(colon + 1, text.find('>', colon) - colon - 1));
    std::string_view storage = text.substr(15, text.find_first_of(":<", 15) - 15);
    if (!zero || (storage != "i8" && storage != "u8")) return {};
    const bool isSigned = storage == "i8";
    return *zero >= (isSigned ? -128 : 0) && *zero <= (isSigned ? 127 : 255) ? 1 : 0;
  }

  // !quant.uniform<i8:f32:1, {0.1:0, 0.2:0}>: the axis is a dim, with one scale for each of its elements, and zero
  // points are numbers of the storage type.
  static std::optional<int64_t> axisFits(const TensorType& tensor) {
    std::string_view text = tensor.element;
    size_t brace = text.find('{');
    size_t comma = text.rfind(',', brace);
    if (text.substr(0, 15) != "!quant.uniform<" || brace == std::string_view::npos || comma == std::string_view::npos)
      return {};
    std::string_view head = text.substr(15, comma - 15);
    std::optional<int64_t> axis = numberOf(head.substr(head.rfind(':') + 1));
    if (!axis || *axis < 0 || *axis >= static_cast<int64_t>(tensor.shape.size())) return 0;
    bool eight = head.substr(0, 3) == "i8:" || head.substr(0, 3) == "i8<";
    std::string_view list = text.substr(brace + 1, text.find('}', brace) - brace - 1);
    int64_t scales = 0;
    while (!list.empty()) {
      std::string_view scale = nextPiece(list, ",");
      size_t colon = scale.find(':');
      std::optional<int64_t> zero = colon == std::string_view::npos ? 0 : numberOf(scale.substr(colon + 1));
      if (eight && zero && (*zero < -128 || *zero > 127)) return 0;
      ++scales;
    }
    return scales == tensor.shape[static_cast<size_t>(*axis)] ? 1 : 0;
  }

  std::optional<int64_t> attrInteger(std::string_view name) const {
    const AttrValue* attr = findAttr(op_, name);
    if (attr == nullptr) return {};
    if (attr->kind == AttrValueKind::Integer || attr->kind == AttrValueKind::Bool) return attr->integer;
    return {};
  }

  std::optional<int64_t> ofAttr(std::string_view name, std::string_view first, std::string_view second) const {
    const AttrValue* attr = findAttr(op_, first);
    if (name == "has") return attr != nullptr ? 1 : 0;
    if (attr == nullptr) return {};
    if (name == "attr") return attrInteger(first);
    if (name == "sign") return signOf(*attr);
    if (name == "above_one") return attr->integer > 1 || attr->number > 1 ? 1 : 0;
    if (name == "below") return belowAttr(*attr, second);
    if (name == "says") return attr->text.find(second) != std::string::npos ? 1 : 0;
    if (name == "field") return attrField(*attr, second);
    if (name == "groups") return replicaGroupsFit(attr->text);
    if (name == "pairs") return distinctPairs(attr->text);
    if (name == "roles") return rolesFit(attr->string);
    if (attr->kind != AttrValueKind::IntArray) return {};
    return ofList(name, attr->ints, second);
  }

  // Whether the attribute is a smaller float than the other one.
  std::optional<int64_t> belowAttr(const AttrValue& attr, std::string_view other) const {
    const AttrValue* bound = findAttr(op_, other);
    if (bound == nullptr || attr.kind != AttrValueKind::Float || bound->kind != AttrValueKind::Float) return {};
    return attr.number < bound->number ? 1 : 0;
  }

  static std::optional<int64_t> signOf(const AttrValue& attr) {
    if (attr.kind != AttrValueKind::Integer && attr.kind != AttrValueKind::Float) return {};
    const bool negative = attr.integer < 0 || attr.number<0, positive = attr.integer> 0 || attr.number > 0;
    return negative ? -1 : positive ? 1 : 0;
  }

  // Of dense<[[0, 1], [2, 3]]>: whether it is a list of lists that names every chip from 0 once.
  static std::optional<int64_t> replicaGroupsFit(std::string_view text) {
    std::optional<std::vector<int64_t>> numbers = denseNumbers(text);
    if (!numbers) return {};
    if (text.find("[[") == std::string_view::npos) return 0;
    std::vector<char> seen(numbers->size(), 0);
    for (int64_t number : *numbers) {
      if (number < 0 || number >= static_cast<int64_t>(seen.size()) || seen[static_cast<size_t>(number)]) return 0;
      seen[static_cast<size_t>(number)] = 1;
    }
    return 1;
  }

  // The numbers between the brackets of dense<[...]>; nothing for another attribute, or a splat.
  static std::optional<std::vector<int64_t>> denseNumbers(std::string_view text) {
    size_t open = text.find('<'), close = text.find('>');
    if (text.substr(0, 5) != "dense" || open == std::string_view::npos || close == std::string_view::npos) return {};
    text = text.substr(open + 1, close - open - 1);
    if (text.find('[') == std::string_view::npos) return {};
    std::vector<int64_t> numbers;
    while (!text.empty()) {
      size_t begin = std::min(text.find_first_of("-0123456789"), text.size());
      text.remove_prefix(begin);
      size_t end = std::min(text.find_first_not_of("-0123456789"), text.size());
      if (std::optional<int64_t> value = numberOf(text.substr(0, end))) numbers.push_back(*value);
      text.remove_prefix(end);
    }
    return numbers;
  }

  // Of dense<[[0, 1], [1, 0]]>: whether it is a list of pairs in which no number comes twice on the same side.
  static std::optional<int64_t> distinctPairs(std::string_view text) {
    std::optional<std::vector<int64_t>> numbers = denseNumbers(text);
    if (!numbers) return {};
    if (text.find("[[") == std::string_view::npos) return 0;
    for (size_t i = 0; i < numbers->size(); ++i) {
      for (size_t k = i + 2; k < numbers->size() && numbers->size() < 10'000; k += 2) {
        if ((*numbers)[i] == (*numbers)[k]) return 0;
      }
    }
    return 1;
  }

  // "in,in,out": a word per operand, at least one output, as many as results, and the inputs first.
  std::optional<int64_t> rolesFit(std::string_view list) const {
    size_t words = 0, outputs = 0;
    bool ordered = true;
    while (!list.empty()) {
      bool out = nextPiece(list, ",") == "out";
      ordered = ordered && (out || outputs == 0);
      outputs += out ? 1 : 0;
      ++words;
    }
    return words == op_.operands.size() && outputs > 0 && outputs == op_.results.size() && ordered ? 1 : 0;
  }

  static std::optional<int64_t> ofList(std::string_view name, const std::vector<int64_t>& list,
                                       std::string_view second) {
    if (name == "len") return static_cast<int64_t>(list.size());
    if (list.empty()) return {};
    if (name == "min") return *std::min_element(list.begin(), list.end());
    if (name == "max") return *std::max_element(list.begin(), list.end());
    if (name == "distinct") {
      for (size_t i = 0; i < list.size(); ++i) {
        if (std::find(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i), list[i]) !=
            list.begin() + static_cast<std::ptrdiff_t>(i))
          return 0;
      }
      return 1;
    }
    std::optional<int64_t> index = numberOf(second);
    if (name == "times" && index) return std::count(list.begin(), list.end(), *index);
    if (name != "item" || !index || *index < 0 || *index >= static_cast<int64_t>(list.size())) return {};
    return list[static_cast<size_t>(*index)];
  }

  const Graph& graph_;
  const Op& op_;
  int64_t inputs_;
  const std::vector<int64_t>* segments_ = nullptr;
};

}  // namespace

void checkOpRules(const Graph& graph, const Op& op, int inputs, Diagnostics& diags) {
  static const RuleIndex index;
  RuleReader reader(graph, op, inputs);
  for (uint16_t line : index.linesOf(op.name)) {
    std::string_view rest = kRuleLines[line].rules;
    while (!rest.empty()) {
      std::string_view rule = nextPiece(rest, ";");
      if (reader.holds(rule)) continue;
      diags.report(DiagKind::ShapeMismatch, op.span,
                   {op.name, "`" + std::string(rule) + "` does not hold: " + reader.figures(rule)});
      return;
    }
  }
}

}  // namespace tessera
