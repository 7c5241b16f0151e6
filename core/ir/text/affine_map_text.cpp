// Reading and printing affine maps.

#include <algorithm>

#include "core/ir/affine_map.h"
#include "core/ir/text/text_cursor.h"

namespace tessera {
namespace {

// Binding strength: + and - 1, the multiplicative words 2; unary minus is folded into a multiplication by -1 and binds
// strongest.
int precedence(AffineKind kind) { return kind == AffineKind::Add ? 1 : 2; }

class MapReader {
 public:
  explicit MapReader(std::string_view text) : cursor_(text) {}

  Result<AffineMap, LayoutDefect> read() {
    const bool wrapped = cursor_.eat("affine_map");
    if (wrapped && !cursor_.eat("<")) return expected("`<`");
    if (!names(dims_, '(', ')')) return failure();
    if (cursor_.peek() == '[' && !names(symbols_, '[', ']')) return failure();
    if (!cursor_.eat("->")) return expected("`->`");
    if (!cursor_.eat("(")) return expected("`(`");
    map_.dimCount = static_cast<int32_t>(dims_.size());
    map_.symbolCount = static_cast<int32_t>(symbols_.size());
    if (!cursor_.eat(")")) {
      if (!results()) return failure();
    }
    if (wrapped && !cursor_.eat(">")) return expected("`>`");
    if (!cursor_.atEnd()) return expected("the end of the map");
    return map_;
  }

 private:
  // What waits on the operator stack: an open parenthesis, a unary minus, or a binary operator.
  struct Pending {
    enum Kind { Paren, Negate, Subtract, Binary } kind;
    AffineKind op = AffineKind::Add;
    int strength() const { return kind == Negate ? 3 : kind == Subtract ? 1 : precedence(op); }
  };

  LayoutDefect expected(const char* what) {
    return defect(LayoutRule::BadMap, "affine map: expected " + std::string(what) + " but found " + cursor_.seen());
  }
  LayoutDefect failure() { return failure_.value_or(defect(LayoutRule::BadMap, "affine map is malformed")); }
  bool fail(LayoutDefect why) {
    if (!failure_) failure_ = std::move(why);
    return false;
  }

  bool names(std::vector<std::string_view>& into, char open, char close) {
    if (!cursor_.eat(std::string_view(&open, 1))) return fail(expected(open == '(' ? "`(`" : "`[`"));
    if (cursor_.eat(std::string_view(&close, 1))) return true;
    while (true) {
      const std::string_view name = cursor_.word();
      if (name.empty()) return fail(expected("the name of a dim"));
      if (find(dims_, name) >= 0 || find(symbols_, name) >= 0)
        return fail(defect(LayoutRule::BadMap, "affine map: `" + shortName(name) + "` is declared twice"));
      if (into.size() >= AffineMap::kMaxDims) {
        return fail(
            defect(LayoutRule::MapTooLarge, "affine map: more than " + std::to_string(AffineMap::kMaxDims) + " dims"));
      }
      into.push_back(name);
      if (cursor_.eat(std::string_view(&close, 1))) return true;
      if (!cursor_.eat(",")) return fail(expected("`,`"));
    }
  }

  bool results() {
    while (true) {
      if (map_.results.size() >= AffineMap::kMaxDims)
        return fail(defect(LayoutRule::MapTooLarge, "affine map: too many results"));
      if (!expression()) return false;
      if (cursor_.eat(")")) return true;
      if (!cursor_.eat(",")) return fail(expected("`,` or `)`"));
    }
  }

  // Shunting-yard: operators wait on a stack until a weaker one, a closing parenthesis or the end comes.
  bool expression() {
    std::vector<int32_t> values;
    std::vector<Pending> pending;
    bool wantOperand = true;
    while (true) {
      if (map_.nodes.size() > AffineMap::kMaxNodes || pending.size() > AffineMap::kMaxNodes) {
        return fail(defect(LayoutRule::MapTooLarge,
                           "affine map: more than " + std::to_string(AffineMap::kMaxNodes) + " terms"));
      }
      if (wantOperand) {
        if (cursor_.eat("(")) {
          pending.push_back({Pending::Paren});
        } else if (cursor_.eat("-")) {
          pending.push_back({Pending::Negate});
        } else {
          const std::optional<AffineNode> leaf = operand();
          if (!leaf) return false;
          values.push_back(push(*leaf));
          wantOperand = false;
        }
        continue;
      }
      const std::optional<Pending> next = operatorHere();
      if (next) {
        while (!pending.empty() && pending.back().kind != Pending::Paren &&
               pending.back().strength() >= next->strength())
          reduce(values, pending);
        pending.push_back(*next);
        wantOperand = true;
        continue;
      }
      while (!pending.empty() && pending.back().kind != Pending::Paren) reduce(values, pending);
      if (pending.empty()) break;  // the caller looks at `,` or `)`
      if (!cursor_.eat(")")) return fail(expected("`)` or an operator"));
      pending.pop_back();
    }
    map_.results.push_back(values.back());
    return true;
  }

  std::optional<AffineNode> operand() {
    if (TextCursor::isDigit(cursor_.peek())) {
      const std::optional<int64_t> number = cursor_.number();
      if (!number) {
        fail(defect(LayoutRule::SizeOverflow, "affine map: a constant does not fit 63 bits"));
        return std::nullopt;
      }
      return AffineNode{.kind = AffineKind::Constant, .value = *number};
    }
    const std::string_view name = cursor_.word();
    if (name.empty()) {
      fail(expected("a dim, a symbol, a number or `(`"));
      return std::nullopt;
    }
    if (const int64_t dim = find(dims_, name); dim >= 0) return AffineNode{.kind = AffineKind::Dim, .value = dim};
    if (const int64_t symbol = find(symbols_, name); symbol >= 0)
      return AffineNode{.kind = AffineKind::Symbol, .value = symbol};
    fail(defect(LayoutRule::BadMap, "affine map: `" + shortName(name) + "` is not declared"));
    return std::nullopt;
  }

  std::optional<Pending> operatorHere() {
    if (cursor_.eat("+")) return Pending{Pending::Binary, AffineKind::Add};
    if (cursor_.eat("-")) return Pending{Pending::Subtract};
    if (cursor_.eat("*")) return Pending{Pending::Binary, AffineKind::Mul};
    if (cursor_.eat("floordiv")) return Pending{Pending::Binary, AffineKind::FloorDiv};
    if (cursor_.eat("ceildiv")) return Pending{Pending::Binary, AffineKind::CeilDiv};
    if (cursor_.eat("mod")) return Pending{Pending::Binary, AffineKind::Mod};
    return std::nullopt;
  }

  void reduce(std::vector<int32_t>& values, std::vector<Pending>& pending) {
    const Pending top = pending.back();
    pending.pop_back();
    if (top.kind != Pending::Binary) values.back() = negated(values.back());
    if (top.kind == Pending::Negate) return;
    const int32_t rhs = values.back();
    values.pop_back();
    values.back() =
        push({.kind = top.kind == Pending::Subtract ? AffineKind::Add : top.op, .lhs = values.back(), .rhs = rhs});
  }

  int32_t negated(int32_t node) {
    AffineNode& last = map_.nodes[static_cast<size_t>(node)];
    if (last.kind == AffineKind::Constant) {  // constants read are >= 0, so the negative one fits
      last.value = -last.value;
      return node;
    }
    const int32_t minusOne = push({.kind = AffineKind::Constant, .value = -1});
    return push({.kind = AffineKind::Mul, .lhs = node, .rhs = minusOne});
  }

  int32_t push(AffineNode node) {
    map_.nodes.push_back(node);
    return static_cast<int32_t>(map_.nodes.size() - 1);
  }

  static int64_t find(const std::vector<std::string_view>& names, std::string_view name) {
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? -1 : at - names.begin();
  }
  static std::string shortName(std::string_view name) { return std::string(name.substr(0, 40)); }

  TextCursor cursor_;
  AffineMap map_;
  std::vector<std::string_view> dims_;
  std::vector<std::string_view> symbols_;
  std::optional<LayoutDefect> failure_;
};

const char* operatorText(AffineKind kind) {
  switch (kind) {
    case AffineKind::Mul: return " * ";
    case AffineKind::FloorDiv: return " floordiv ";
    case AffineKind::CeilDiv: return " ceildiv ";
    case AffineKind::Mod: return " mod ";
    default: return " + ";
  }
}

// What is still to be printed: a node (with the strength its context asks for), or a piece of text and a number.
struct PrintItem {
  int32_t node = -1;
  int strength = 0;
  const char* text = "";
  int64_t number = 0;  // 0: none
};

// The number or factor with its sign turned: above 0 where the node prints as a subtraction at the right of a sum, as
// in "d0 - 1", "d0 - d1", "d0 - d1 * 4".
int64_t subtracted(const AffineMap& map, int32_t node) {
  const AffineNode* number = &map.nodes[static_cast<size_t>(node)];
  if (number->kind == AffineKind::Mul) {
    // Two numbers stay a product: "- 0" would be read as the number itself.
    if (map.nodes[static_cast<size_t>(number->lhs)].kind == AffineKind::Constant) return 0;
    number = &map.nodes[static_cast<size_t>(number->rhs)];
  }
  return number->kind == AffineKind::Constant ? static_cast<int64_t>(-static_cast<uint64_t>(number->value)) : 0;
}

// What is printed first of a sum; else the node itself.
int32_t firstTerm(const AffineMap& map, int32_t node) {
  while (map.nodes[static_cast<size_t>(node)].kind == AffineKind::Add) node = map.nodes[static_cast<size_t>(node)].lhs;
  return node;
}

// Queues what follows "- " when subtracted() is above 0. Pushed in reverse order.
void pushNegated(const AffineMap& map, int32_t node, std::vector<PrintItem>& stack) {
  const AffineNode& n = map.nodes[static_cast<size_t>(node)];
  const int64_t number = subtracted(map, node);
  const bool product = n.kind == AffineKind::Mul;
  if (!product || number != 1) stack.push_back({.text = product ? " * " : "", .number = number});
  if (product) stack.push_back({.node = n.lhs, .strength = 2});
}

void printExpression(const AffineMap& map, int32_t root, std::string& out) {
  std::vector<PrintItem> stack;
  stack.push_back({.node = root, .strength = 0});
  while (!stack.empty()) {
    const PrintItem item = stack.back();
    stack.pop_back();
    if (item.node < 0) {
      out += item.text;
      if (item.number != 0) out += std::to_string(item.number);
      continue;
    }
    const AffineNode& node = map.nodes[static_cast<size_t>(item.node)];
    if (node.lhs < 0) {
      if (node.kind != AffineKind::Constant) out += node.kind == AffineKind::Dim ? 'd' : 's';
      out += std::to_string(node.value);
      continue;
    }
    // The right operand of a multiplicative word needs parentheses at equal strength: a mod (b mod c).
    const int strength = precedence(node.kind);
    const bool parens = strength < item.strength;
    if (parens) {
      out += "(";
      stack.push_back({.text = ")"});
    }
    // A sum that begins negative is no right operand without parentheses: the first term would be read as subtracted.
    const bool sum = node.kind == AffineKind::Add;
    const int32_t first = firstTerm(map, node.rhs);
    const bool negative = sum && subtracted(map, first) > 0;
    if (negative && first == node.rhs) {
      pushNegated(map, node.rhs, stack);
      stack.push_back({.text = " - "});
    } else {
      stack.push_back({.node = node.rhs, .strength = strength + (sum && !negative ? 0 : 1)});
      stack.push_back({.text = operatorText(node.kind)});
    }
    stack.push_back({.node = node.lhs, .strength = strength});
  }
}

void printNames(char letter, int32_t count, std::string& out) {
  for (int32_t i = 0; i < count; ++i) {
    if (i > 0) out += ", ";
    out += letter;
    out += std::to_string(i);
  }
}

}  // namespace

Result<AffineMap, LayoutDefect> parseAffineMap(std::string_view text) { return MapReader(text).read(); }

std::string printAffineMap(const AffineMap& map) {
  std::string out = "(";
  printNames('d', map.dimCount, out);
  out += ")";
  if (map.symbolCount > 0) {
    out += "[";
    printNames('s', map.symbolCount, out);
    out += "]";
  }
  out += " -> (";
  for (size_t i = 0; i < map.results.size(); ++i) {
    if (i > 0) out += ", ";
    printExpression(map, map.results[i], out);
  }
  return out + ")";
}

}  // namespace tessera
