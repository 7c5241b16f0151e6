// Programs of element-wise StableHLO ops over numbers of several types, drawn by seed: conversions that cut, constants
// at the ends of their types, comparisons and choices. Converted they compute the same.

#include "tests/lowering/converted_stablehlo.h"
#include "tests/policy/random_graph.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

struct NumberType {
  const char* name;
  std::vector<const char*> constants;
  bool isUnsigned = false;
};
const NumberType kTypes[] = {
    {"i32", {"0", "1", "-1", "3", "-7", "200", "40000", "-70000", "2147483647"}},
    {"ui32", {"0", "1", "5", "200", "40000", "70000", "4294967295"}, true},
    {"i16", {"0", "1", "-1", "3", "127", "128", "-300", "-32768"}},
    {"ui8", {"0", "1", "2", "7", "100", "200", "255"}, true},
    {"i8", {"0", "1", "-1", "3", "-5", "127", "-128"}},
    {"f32", {"0.0", "1.0", "-1.0", "2.5", "-3.75", "100.0", "200.0"}},
    {"i1", {"true", "false"}},
};
constexpr int64_t kFloat = 5, kBool = 6;

class Program {
 public:
  explicit Program(uint64_t seed) : random_(seed * 1000003), size_(2 + random_.below(4)) {
    for (int64_t i = 1 + random_.below(3); i > 0; --i) {
      const int64_t type = random_.below(kBool);
      const std::string name = "%a" + std::to_string(values_.size());
      arguments_ += (arguments_.empty() ? "" : ", ") + name + ": " + tensor(type);
      values_.push_back({name, type});
    }
    for (int64_t steps = 3 + random_.below(7); steps > 0; --steps) addStep();
  }

  // What it returns: the last value, and half of the others.
  std::string text() {
    std::string names = values_.back().name, types = tensor(values_.back().type);
    for (size_t i = 0; i + 1 < values_.size(); ++i) {
      if (random_.oneIn(2)) continue;
      names += ", " + values_[i].name;
      types += ", " + tensor(values_[i].type);
    }
    return "func.func @main(" + arguments_ + ") -> (" + types + ") {\n" + body_ + "  return " + names + " : " + types +
           "\n}\n";
  }

 private:
  struct Known {
    std::string name;
    int64_t type;
  };

  std::string tensor(int64_t type) const { return "tensor<" + std::to_string(size_) + "x" + kTypes[type].name + ">"; }
  const char* oneOf(const std::vector<const char*>& words) {
    return words[static_cast<size_t>(random_.below(static_cast<int64_t>(words.size())))];
  }
  Known any() { return values_[static_cast<size_t>(random_.below(static_cast<int64_t>(values_.size())))]; }
  Known add(int64_t type, const std::string& text) {
    values_.push_back({"%v" + std::to_string(values_.size()), type});
    body_ += "  " + values_.back().name + " = stablehlo." + text + "\n";
    return values_.back();
  }
  Known constant(int64_t type, size_t from = 0) {
    const std::vector<const char*>& all = kTypes[type].constants;
    return add(type, std::string("constant dense<") + oneOf({all.begin() + static_cast<ptrdiff_t>(from), all.end()}) +
                         "> : " + tensor(type));
  }
  // Another value of the type, or a constant.
  Known like(const Known& value) {
    for (int tries = 0; tries < 4; ++tries) {
      if (const Known other = any(); other.type == value.type) return other;
    }
    return constant(value.type);
  }

  void addStep() {
    const int64_t kind = random_.below(13);
    if (kind < 2) constant(random_.below(kBool + 1));
    else if (kind < 5) addConversion();
    else if (kind < 8) addPair();
    else if (kind < 10) addQuotient();
    else if (kind == 10) addOfOne();
    else if (kind == 11) addChoice();
    else if (const int64_t type = random_.below(kBool); type >= 0) add(type, "iota dim = 0 : " + tensor(type));
  }
  void addConversion() {
    const Known from = random_.oneIn(3) ? constant(random_.below(kFloat)) : any();
    const int64_t to = random_.below(kBool + 1);
    add(to, "convert " + from.name + " : (" + tensor(from.type) + ") -> " + tensor(to));
  }
  void addPair() {
    const Known a = any(), b = like(a);
    const bool isInteger = a.type != kFloat && a.type != kBool;
    const char* op = a.type == kBool                 ? oneOf({"and", "or", "xor"})
                     : isInteger && random_.oneIn(4) ? oneOf({"and", "or", "xor"})
                                                     : oneOf({"add", "subtract", "multiply", "maximum", "minimum"});
    add(a.type, op + (" " + a.name + ", " + b.name + " : ") + tensor(a.type));
  }
  // By a constant other than 0.
  void addQuotient() {
    const Known a = random_.oneIn(3) ? values_.back() : any();
    if (a.type == kBool) return;
    const Known b = constant(a.type, 1);
    add(a.type, (random_.oneIn(3) ? "divide" : "remainder") + (" " + a.name + ", " + b.name + " : ") + tensor(a.type));
  }
  void addOfOne() {
    const Known a = any();
    const bool turned = a.type == kBool || kTypes[a.type].isUnsigned;
    add(a.type, (turned ? "not" : oneOf({"negate", "abs", "sign"})) + (" " + a.name + " : ") + tensor(a.type));
  }
  void addChoice() {
    const Known a = any(), b = like(a);
    if (a.type == kBool) return;
    const char* kind = a.type == kFloat ? "FLOAT" : kTypes[a.type].isUnsigned ? "UNSIGNED" : "SIGNED";
    const Known decided = add(kBool, std::string("compare ") + oneOf({"EQ", "NE", "LT", "LE", "GT", "GE"}) + ", " +
                                         a.name + ", " + b.name + ", " + kind + " : (" + tensor(a.type) + ", " +
                                         tensor(a.type) + ") -> " + tensor(kBool));
    const Known c = any(), d = like(c);
    add(c.type,
        "select " + decided.name + ", " + c.name + ", " + d.name + " : " + tensor(kBool) + ", " + tensor(c.type));
  }

  SplitMix64 random_;
  int64_t size_;
  std::vector<Known> values_;
  std::string arguments_, body_;
};

TEST(StablehloNumbers, StayTheSame) {
  for (uint64_t seed = 1; seed <= seeds(3000); ++seed) {
    const std::string text = Program(seed).text();
    Graph converted;
    EXPECT_EQ(wrongAfterConversion(text, converted), "") << seed << "\n" << text;
  }
}

}  // namespace
}  // namespace tessera::test
