#include "core/import/tree_reader.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "core/import/quantized_type.h"
#include "core/ir/builder.h"
#include "core/ir/metal_to_ttnn.h"
#include "core/ir/nearest_layout.h"
#include "core/support/float_text.h"
#include "core/support/units.h"

namespace tessera {

namespace {

constexpr size_t kMaxExpandedBytes = 1u << 20;
constexpr size_t kMaxAliasDepth = 200;  // as deep as the parser reads brackets

bool isWordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '.' || c == '-';
}

bool isBareWord(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return isWordChar(c) && c != '$' && c != '-'; });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n' || text.front() == '\t' || text.front() == '\r'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

// Length of the string literal that starts at text[0], quotes included; all of it when it is not closed.
size_t stringLength(std::string_view text) {
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    else if (text[i] == '"') return i + 1;
  }
  return text.size();
}

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// Contents of a string literal: \n, \t and \hh are replaced, a backslash before anything else goes away.
std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 >= text.size()) {
      out += text[i];
      continue;
    }
    char next = text[++i];
    int high = hexDigit(next), low = i + 1 < text.size() ? hexDigit(text[i + 1]) : -1;
    if (next == 'n') out += '\n';
    else if (next == 't') out += '\t';
    else if (high >= 0 && low >= 0) {
      out += static_cast<char>(high * 16 + low);
      ++i;
    } else {
      out += next;
    }
  }
  return out;
}

// "2x3x4" -> {2, 3, 4}; false when the text is something else.
bool readDims(std::string_view text, std::vector<int64_t>& dims) {
  while (true) {
    int64_t value = 0;
    size_t digits = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') {
      if (!mulChecked(value, 10, value) || !addChecked(value, text[digits] - '0', value)) return false;
      ++digits;
    }
    if (digits == 0) return false;
    dims.push_back(value);
    if (digits == text.size()) return true;
    if (text[digits] != 'x') return false;
    text.remove_prefix(digits + 1);
  }
}

// `word` as MLIR prints a float of that type; empty for what is no decimal number as a whole.
std::string floatWord(const std::string& word, std::string_view element) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  return *end == '\0' && word.find('x') == std::string::npos ? mlirFloatText(value, element) : std::string();
}

}  // namespace

TreeReader::TreeReader(const text::SyntaxTree& tree, Diagnostics& diags, size_t longestConstant)
    : tree_(tree), diags_(diags), longestConstant_(longestConstant) {
  for (const text::AliasDef& alias : tree.aliases)
    (alias.isType ? typeAliases_ : attrAliases_).emplace(alias.name, &alias);
}

std::string TreeReader::expandAliases(std::string whole) {
  if (whole.find('#') == std::string::npos && whole.find('!') == std::string::npos) return whole;
  if (whole.size() > kMaxExpandedBytes) return whole;  // nothing of ours is that long; aliases in it stay
  struct Piece {
    std::string text;
    size_t at;
  };
  std::vector<Piece> pieces = {{whole, 0}};  // the text, what an alias in it stands for, one in that ...
  std::string out, outermost;
  Span place;
  while (!pieces.empty()) {
    const std::string_view text = pieces.back().text;
    const size_t i = pieces.back().at;
    if (i == text.size()) {
      pieces.pop_back();
      continue;
    }
    size_t end = text[i] == '"' ? i + stringLength(text.substr(i)) : i + 1;
    bool sigil = text[i] == '#' || text[i] == '!';
    while (sigil && end < text.size() && isWordChar(text[end])) ++end;
    pieces.back().at = end;
    std::string_view name = text.substr(i + 1, end - i - 1);
    const text::AliasDef* alias = nullptr;
    // A cycle, of which the parser has said so, and what is deeper than any dump stay where they are too deep.
    if (sigil && !name.empty() && !(end < text.size() && text[end] == '<') && pieces.size() <= kMaxAliasDepth) {
      const auto& table = text[i] == '#' ? attrAliases_ : typeAliases_;
      auto at = table.find(name);
      if (at != table.end()) alias = at->second;
    }
    if (alias != nullptr) {
      if (pieces.size() == 1) outermost = std::string(text.substr(i, end - i)), place = alias->span;
      pieces.push_back({alias->isType ? text::printType(tree_, alias->type) : text::printAttr(tree_, alias->attr), 0});
    } else {
      out.append(text.substr(i, end - i));
    }
    if (out.size() > kMaxExpandedBytes) {
      diags_.report(DiagKind::AliasTooLarge, place, {outermost, std::to_string(kMaxExpandedBytes)});
      return whole;
    }
  }
  return out;
}

int64_t constantBytes(const ValueType& type) {
  if (!type.isTensor()) return 0;
  std::optional<int64_t> count = elementCount(type.tensor->shape);
  int64_t scalar = scalarBytes(type.tensor->dtype);
  int64_t bytes = 0;
  return count && mulChecked(*count, scalar, bytes) ? bytes : 0;
}

// The numbers of a constant of floats as MLIR prints them; anything else as it is.
std::string TreeReader::denseText(const text::Attr& attr) {
  std::string text(attr.text);
  if (!attr.type.valid() || attr.name == "dense_resource") return text;
  const text::Type& tensor = tree_.types[tree_.resolve(attr.type)];
  if (tensor.kind != text::TypeKind::Tensor || !tensor.element.valid()) return text;
  std::string_view element = tree_.types[tree_.resolve(tensor.element)].text;
  if (element != "f32" && element != "bf16" && element != "f16" && element != "f64") return text;
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '"') return text;  // bytes
    const bool first = i == 0 || std::string_view("[,( \t\n").find(text[i - 1]) != std::string_view::npos;
    const bool number = first && ((text[i] >= '0' && text[i] <= '9') || text[i] == '-');
    size_t end = i + 1;
    while (number && end < text.size() && (isWordChar(text[end]) || text[end] == '+')) ++end;
    const std::string word = text.substr(i, end - i);
    const std::string shown = number ? floatWord(word, element) : std::string();
    out += shown.empty() ? word : shown;
    i = end;
  }
  return out;
}

AttrValue TreeReader::denseAttr(const text::Attr& attr) {
  AttrValue value;
  value.kind = AttrValueKind::Other;
  bool large = attr.text.size() > longestConstant_;
  bool elided = attr.name == "dense_resource" && trimmed(attr.text) == "__elided__";
  if (large || elided) {
    if (attr.type.valid()) value.bytes = constantBytes(type(attr.type));
    if (value.bytes == 0) value.bytes = static_cast<int64_t>(attr.text.size());
    value.text = "dense_resource<__elided__>";
  } else {
    std::string_view name = attr.name.empty() ? std::string_view("dense") : attr.name;
    value.text = std::string(name) + "<" + denseText(attr) + ">";
  }
  if (attr.type.valid()) value.text += " : " + expandAliases(text::printType(tree_, attr.type));
  return value;
}

// `#d.a<word>`: an enum; `#ttnn.shape<2x3>`: numbers.
void TreeReader::fillDialectAttr(const text::Attr& attr, AttrValue& value) {
  std::string_view body = trimmed(attr.body);
  if (attr.name == "ttnn.shape" && readDims(body, value.ints)) {
    value.kind = AttrValueKind::IntArray;
    return;
  }
  value.ints.clear();
  if (attr.name.find('.') == std::string_view::npos || !isBareWord(body)) return;
  value.kind = AttrValueKind::String;
  value.string = std::string(body);
}

std::string_view TreeReader::floatType(const text::Attr& attr) const {
  return attr.type.valid() ? tree_.types[tree_.resolve(attr.type)].text : std::string_view("f64");
}

AttrValue TreeReader::attr(text::AttrId id) {
  AttrValue value;
  value.text = "unit";
  if (!id.valid()) return value;
  id = tree_.resolve(id);
  const text::Attr& attr = tree_.attrs[id];
  if (attr.kind == text::AttrKind::Unit) return value;
  if (attr.kind == text::AttrKind::Dense) return denseAttr(attr);
  value.kind = AttrValueKind::Other;
  value.text = expandAliases(text::printAttr(tree_, id));
  switch (attr.kind) {
    case text::AttrKind::Bool:
    case text::AttrKind::Integer:
      value.kind = attr.kind == text::AttrKind::Bool ? AttrValueKind::Bool : AttrValueKind::Integer;
      value.integer = attr.integer;
      if (attr.kind == text::AttrKind::Integer && !attr.type.valid()) value.text += " : i64";
      break;
    case text::AttrKind::Float:
      if (!attr.type.valid()) value.text += " : f64";
      value.kind = AttrValueKind::Float;
      value.number = attr.number == attr.number ? roundedToType(attr.number, floatType(attr))
                                                : 0;  // NaN has no use as a number, and is never equal to itself
      break;
    case text::AttrKind::String:
    case text::AttrKind::Symbol:
      value.kind = AttrValueKind::String;
      value.string = std::string(attr.text);
      break;
    case text::AttrKind::DenseArray:
      if (attr.items.count > 0) break;  // floats
      value.kind = AttrValueKind::IntArray;
      for (uint32_t i = 0; i < attr.ints.count; ++i) value.ints.push_back(tree_.ints[attr.ints.first + i]);
      break;
    case text::AttrKind::Array: {
      bool allInts = true;
      for (uint32_t i = 0; i < attr.items.count; ++i) {
        const text::Attr& item = tree_.attrs[tree_.resolve(tree_.attrLists[attr.items.first + i])];
        allInts = allInts && item.kind == text::AttrKind::Integer;
        if (allInts) value.ints.push_back(item.integer);
      }
      if (allInts) value.kind = AttrValueKind::IntArray;
      else value.ints.clear();
      break;
    }
    case text::AttrKind::Dialect: fillDialectAttr(attr, value); break;
    default: break;
  }
  return value;
}

AttrList TreeReader::attrs(std::initializer_list<text::Range> ranges, std::string_view owner, Span span) {
  AttrList out;
  for (const text::Range& range : ranges) {
    for (uint32_t i = 0; i < range.count; ++i) {
      const text::NamedAttr& entry = tree_.namedAttrs[range.first + i];
      out.push_back({std::string(entry.name), attr(entry.value)});
    }
  }
  sortAttrs(out);
  auto sameName = [](const Attribute& a, const Attribute& b) { return a.name == b.name; };
  for (size_t i = 1; i < out.size(); ++i) {
    if (sameName(out[i - 1], out[i]))
      diags_.report(DiagKind::BadAttribute, span, {out[i].name, owner, "there twice", "one value"});
  }
  out.erase(std::unique(out.begin(), out.end(), sameName), out.end());
  return out;
}

const ValueType& TreeReader::type(text::TypeId id) {
  const text::Type& node = tree_.types[id];
  auto at = typeIndex_.find(node.text);
  if (at != typeIndex_.end() && !node.text.empty()) return types_[at->second];
  types_.push_back(readType(id));
  typeIndex_.emplace(node.text, types_.size() - 1);
  return types_.back();
}

ValueType TreeReader::readType(text::TypeId id) {
  text::TypeId target = tree_.resolve(id);
  const text::Type& node = tree_.types[target];
  if (node.kind == text::TypeKind::Tensor) return readTensor(node);
  ValueType out;
  out.opaque = expandAliases(text::printType(tree_, target));
  if (out.opaque.rfind("tensor<", 0) == 0)
    diags_.report(DiagKind::BadTensorType, node.span, {"`" + out.opaque + "`", "only ranked tensors are read"});
  if (out.opaque.empty()) out.opaque = "none";
  return out;
}

ValueType TreeReader::readTensor(const text::Type& node) {
  TensorType tensor;
  bool dynamic = false;
  for (uint32_t i = 0; i < node.dims.count; ++i) {
    int64_t dim = tree_.ints[node.dims.first + i];
    dynamic = dynamic || dim < 0;
    tensor.shape.push_back(dim < 0 ? 1 : dim);
  }
  std::string shown = "`" + std::string(node.text.substr(0, 120)) + "`";
  if (dynamic && !dynamicReported_) {
    dynamicReported_ = true;
    diags_.report(DiagKind::BadTensorType, node.span, {shown, "dynamic dims are not read, every dim must be a number"})
        ->notes.push_back(
            "export the model for fixed sizes: jax.jit(f).lower() on arrays of the real shapes, torch.export without "
            "dynamic_shapes");
  }
  if (!elementCount(tensor.shape)) {
    diags_.report(DiagKind::BadTensorType, node.span, {shown, "the number of elements does not fit 63 bits"});
    tensor.shape.assign(1, 1);
    dynamic = true;
  }
  readElement(node.element, tensor);
  if (node.encoding.valid() && !dynamic) readEncoding(node.encoding, tensor, node.span);
  ValueType out;
  out.tensor = std::move(tensor);
  return out;
}

// Types that are not ours are counted as what is inside: the storage type of !quant.uniform<i8:f32, ...>, the scalar of
// a tile.
void TreeReader::readElement(text::TypeId id, TensorType& tensor) {
  if (!id.valid()) return;
  const text::Type& node = tree_.types[tree_.resolve(id)];
  if (node.kind == text::TypeKind::Scalar) {
    if (std::optional<DType> dtype = parseDType(node.text)) {
      tensor.dtype = *dtype;
      if (node.text != dtypeName(*dtype)) tensor.spelled = std::string(node.text);
      return;
    }
  }
  tensor.element = expandAliases(text::printType(tree_, tree_.resolve(id)));
  std::optional<std::string> quantized;
  if (node.name == "quant.uniform") quantized = quantizedTypeText(tensor.element);
  if (quantized) tensor.element = *quantized;
  std::string_view inside = node.body;
  bool tile = node.name == "ttcore.tile" || node.name == "tt.tile";
  if (tile) inside = trimmed(inside.substr(std::min(inside.size(), inside.rfind(',') + 1)));
  else inside = trimmed(inside.substr(0, inside.find_first_of(":<")));
  std::optional<DType> dtype = parseDType(inside);
  tensor.dtype = dtype.value_or(DType::BF16);
  if (tile && dtype && isBlockFloat(*dtype)) tensor.element.clear();  // the way such a number is written
  if ((tile || quantized) && dtype) return;
  if (std::find(warnedElements_.begin(), warnedElements_.end(), tensor.element) != warnedElements_.end()) return;
  warnedElements_.push_back(tensor.element);
  diags_.report(DiagKind::UnknownElementType, node.span,
                {tensor.element, "`" + std::string(dtypeName(tensor.dtype)) + "`"});
}

void TreeReader::readEncoding(text::AttrId id, TensorType& tensor, Span span) {
  text::AttrId target = tree_.resolve(id);
  const text::Attr& node = tree_.attrs[target];
  if (node.kind == text::AttrKind::Alias) return;  // defined nowhere; the parser has said so
  if (node.kind != text::AttrKind::Dialect || node.name != "ttnn.ttnn_layout") {
    tensor.encoding = expandAliases(text::printAttr(tree_, target));
    const bool metal = node.name == "tt.metal_layout" || node.name == "ttcore.metal_layout";
    if (node.kind == text::AttrKind::Dialect && metal) readMetalLayout(tensor, span);
    return;
  }
  std::string body = expandAliases(std::string(node.body));
  auto parsed = parseTtnnLayoutAttr(body, tensor.shape);
  if (!parsed) {
    // The compiler does not compare it with the tensor: it is printed back as it was.
    // Its own parts it does compare.
    LayoutRule rule = parsed.error().rule;
    bool ownFault = rule == LayoutRule::GridNotUnit || rule == LayoutRule::DramBlockSharded ||
                    rule == LayoutRule::SystemMemorySharded || rule == LayoutRule::SystemMemoryWithMemoryLayout ||
                    rule == LayoutRule::MissingMemoryLayout;
    if (!ownFault) tensor.layout = nearestTtnnLayout(body, tensor.shape);
    diags_.report(tensor.layout ? DiagKind::LayoutNotFollowed : DiagKind::BadLayout, span, {parsed.error().text});
    if (!tensor.layout) return;
    tensor.encoding = expandAliases(text::printAttr(tree_, target));
    tensor.written.emplace();
    tensor.written->layout = *tensor.layout;
    return;
  }
  tensor.layout = parsed->layout;
  TtnnLayoutAttr plain;
  plain.layout = parsed->layout;
  if (!(*parsed == plain)) tensor.written = *parsed;
}

// A layout of the D2M compiler counts as the layout of TTNN that it is on the first device of the catalog that has room
// for its grid. It is printed back as it was.
void TreeReader::readMetalLayout(TensorType& tensor, Span span) {
  const Result<MetalLayout, LayoutDefect> metal = parseMetalLayout(tensor.encoding, tensor.shape);
  std::string why = metal ? "" : metal.error().text;
  for (const DeviceSpec& device : allDevices()) {
    if (!metal || tensor.layout) break;
    const Result<TensorLayout, LayoutDefect> layout = ttnnOfMetal(tensor.shape, *metal, device);
    if (layout) tensor.layout = *layout;
    else if (why.empty()) why = layout.error().text;
  }
  if (!tensor.layout) {
    diags_.report(DiagKind::LayoutNotFollowed, span, {why});
    return;
  }
  tensor.written.emplace();
  tensor.written->layout = *tensor.layout;
}

// Visits the strings of a location from the innermost on: visit(string, what follows it) says whether to go on.
// Bounded: aliases can be nested without end.
template <class Visit>
void TreeReader::walkLocation(std::string_view whole, Visit visit) {
  std::vector<std::string_view> rest = {whole};  // texts still to be looked through, the next one last
  for (int steps = 0; steps < 1000 && !rest.empty(); ++steps) {
    std::string_view text = trimmed(rest.back());
    rest.pop_back();
    size_t at = text.find_first_of("\"#<");
    if (at == std::string_view::npos) continue;
    text.remove_prefix(at);
    size_t length = 1;
    if (text[0] == '"') {
      length = stringLength(text);
      if (length > 2 && !visit(text.substr(1, length - 2), trimmed(text.substr(length)))) return;
    } else if (text[0] == '<') {  // metadata of fused<...>
      size_t close = text.find('>');
      length = close == std::string_view::npos ? text.size() : close + 1;
    }
    while (text[0] == '#' && length < text.size() && isWordChar(text[length])) ++length;
    rest.push_back(text.substr(length));
    if (text[0] != '#') continue;
    auto alias = attrAliases_.find(text.substr(1, length - 1));
    if (alias != attrAliases_.end() && alias->second->attr.valid())
      rest.push_back(tree_.attrs[alias->second->attr].text);
  }
}

// Behind the name of a file: `:12:0`.
static bool isPlace(std::string_view behind) {
  return behind.size() > 1 && behind[0] == ':' && behind[1] >= '0' && behind[1] <= '9';
}

std::string TreeReader::locationName(text::AttrId id) {
  if (!id.valid()) return "";
  std::string_view whole = tree_.attrs[tree_.resolve(id)].text;
  auto known = locationNames_.find(whole);
  if (known != locationNames_.end()) return known->second;
  std::string name;
  walkLocation(whole, [&](std::string_view text, std::string_view behind) {
    if (!isPlace(behind)) name = unescaped(text);
    return name.empty();
  });
  locationNames_.emplace(whole, name);
  return name;
}

std::string TreeReader::locationWithLine(text::AttrId id) {
  if (!id.valid()) return "";
  std::string_view whole = tree_.attrs[tree_.resolve(id)].text;
  auto known = locationLines_.find(whole);
  if (known != locationLines_.end()) return known->second;
  std::string name = locationName(id), line;
  walkLocation(whole, [&](std::string_view text, std::string_view behind) {
    if (!isPlace(behind)) return true;
    size_t digits = 1;
    while (digits < behind.size() && behind[digits] >= '0' && behind[digits] <= '9') ++digits;
    size_t slash = text.find_last_of("/\\");
    line = unescaped(slash == std::string_view::npos ? text : text.substr(slash + 1)) +
           std::string(behind.substr(0, digits));
    return line.size() <= 1;
  });
  std::string both = line.empty() ? name : name.empty() ? line : name + " (" + line + ")";
  locationLines_.emplace(whole, both);
  return both;
}

}  // namespace tessera
