#include "core/lowering/resolve_composites.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <unordered_set>

#include "core/lowering/rewriter.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

constexpr std::string_view kCompositeOp = "ttcore.composite";

// Composites that have an op of their own, and what that op needs.
struct PromotedComposite {
  std::string_view name;
  bool blackholeOnly = false;
  // Optional operands, in order, each present when the attribute of that name is true; what comes before them is
  // always there.
  std::string_view flags = {};
  size_t fixed = 0;
};
constexpr PromotedComposite kPromoted[] = {
    {"softmax_backward"},
    {"rmsnorm_fw"},
    {"rmsnorm_bw"},
    {"layernorm_fw"},
    {"topk_router_gpt"},
    {"rotary_embedding"},
    {"chunk_gated_delta_rule", false, "has_initial_state has_eye has_tril has_ones has_masks", 5},
    {"flash_mla_prefill", false, "has_value has_attention_mask", 2},
    {"indexer_score_dsa", true},
    {"sdpa_fw"},
    {"sdpa_bw"},
    {"cross_entropy_fw"},
    {"cross_entropy_bw"},
    {"swiglu_elemwise_bw"},
};

// `{a = 1 : i32, b = [1, 2]}` as attributes, each value as text.
AttrList dictionaryEntries(std::string_view text) {
  AttrList out;
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') return out;
  text = text.substr(1, text.size() - 2);
  auto trimmed = [](std::string_view s) {
    while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
    while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
    return s;
  };
  auto take = [&](std::string_view entry) {
    size_t equals = entry.find('=');
    std::string_view name = trimmed(entry.substr(0, equals));
    if (name.empty()) return;
    const bool unit = equals == std::string_view::npos;
    std::string_view value = unit ? "unit" : trimmed(entry.substr(equals + 1));
    AttrValue attr = rawAttr(std::string(value));
    if (unit) attr.kind = AttrValueKind::Unit;
    if (value == "true" || value == "false") attr = boolAttr(value == "true");
    out.push_back({std::string(name), std::move(attr)});
  };
  int depth = 0;
  bool quoted = false;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '<' || c == '[' || c == '{' || c == '(') ++depth;
    const bool arrow = c == '>' && i > 0 && text[i - 1] == '-';  // of a map: no bracket
    if ((c == '>' && !arrow) || c == ']' || c == '}' || c == ')') --depth;
    if (c == ',' && depth == 0) {
      take(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  take(text.substr(begin));
  return out;
}

class CompositeResolver {
 public:
  CompositeResolver(const Graph& graph, const PassContext& context)
      : graph_(graph), context_(context), rewriter_(graph) {}

  PassResult run() {
    for (FuncId func : graph_.funcs.ids()) {
      for (OpId op : graph_.funcs[func].ops) {
        if (graph_.ops[op].name == kCompositeOp) resolve(op);
        else rewriter_.copy(op);
      }
    }
    return {withoutBodies(rewriter_.finish()), std::move(notes_), std::move(problems_)};
  }

 private:
  static std::string word(const Op& op, std::string_view name) {
    const AttrValue* value = findAttr(op, name);
    return value != nullptr ? value->string : std::string();
  }

  void resolve(OpId old) {
    const Op& op = graph_.ops[old];
    if (promote(old)) return;
    std::string body = word(op, "decomposition");
    for (FuncId func : graph_.funcs.ids()) {
      const Function& f = graph_.funcs[func];
      bool fits = f.name == body && func != op.func && !f.ops.empty() && f.args.size() == op.operands.size() &&
                  graph_.ops[f.ops.back()].operands.size() == op.results.size();
      if (!fits) continue;
      splice(old, f);
      bodies_.insert(body);
      return;
    }
    problems_.push_back({rewriter_.copy(old), "there is no function `" + body + "` that fits its operands"});
  }

  CompositeResolution wantedResolution() const {
    const std::string* text = context_.settings.find("composite-resolution");
    if (text == nullptr) return context_.options.compositeResolution;
    if (*text == "inline") return CompositeResolution::Inline;
    return *text == "validate" ? CompositeResolution::Validate : CompositeResolution::ForcePromote;
  }

  // False when the name means nothing, or the op does not fit this chip or its operands.
  bool promote(OpId old) {
    const Op& op = graph_.ops[old];
    const CompositeResolution resolution = wantedResolution();
    if (resolution == CompositeResolution::Inline) return false;
    std::string name = word(op, "composite_name");
    const PromotedComposite* row = std::find_if(std::begin(kPromoted), std::end(kPromoted),
                                                [&](const PromotedComposite& p) { return p.name == name; });
    if (row == std::end(kPromoted) || (row->blackholeOnly && context_.device.arch != Arch::Blackhole)) return false;
    // A change of dialect is a change of name: whoever is not lowered yet stays TTIR.
    OpSpec spec;
    spec.name = "ttnn." + name;
    spec.kind = opKindFromName(spec.name);
    for (ValueId operand : op.operands) spec.operands.push_back(rewriter_.now(operand));
    for (ValueId result : op.results) spec.resultTypes.push_back(graph_.values[result].type);
    const AttrValue* dictionary = findAttr(op, "composite_attributes");
    if (dictionary != nullptr) spec.attrs = dictionaryEntries(dictionary->text);
    addSegments(spec, *row);
    if (resolution == CompositeResolution::Validate && !fits(old, spec)) return false;
    rewriter_.replace(old, std::move(spec));
    notes_.push_back({old, "composite `" + name + "` as one op", true});
    bodies_.insert(word(op, "decomposition"));
    return true;
  }

  static void addSegments(OpSpec& spec, const PromotedComposite& row) {
    if (row.flags.empty()) return;
    std::vector<int64_t> sizes(row.fixed, 1);
    std::string_view flags = row.flags;
    while (!flags.empty()) {
      std::string_view flag = flags.substr(0, flags.find(' '));
      flags.remove_prefix(std::min(flag.size() + 1, flags.size()));
      auto at = std::find_if(spec.attrs.begin(), spec.attrs.end(), [&](const Attribute& a) { return a.name == flag; });
      sizes.push_back(at != spec.attrs.end() && at->value.integer != 0 ? 1 : 0);
      if (at != spec.attrs.end()) spec.attrs.erase(at);
    }
    spec.attrs.push_back({"operandSegmentSizes", intArrayAttr(std::move(sizes), "i32")});
  }

  // By the rules for legal IR.
  bool fits(OpId old, OpSpec spec) const {
    for (Attribute& attr : spec.attrs) {
      char* end = nullptr;
      int64_t number = std::strtoll(attr.value.text.c_str(), &end, 10);
      bool integer = attr.value.kind == AttrValueKind::Other && end != attr.value.text.c_str() && *end != '.';
      if (integer) attr.value = intAttr(number, "i32");
    }
    std::vector<ValueType> types;
    for (ValueId operand : graph_.ops[old].operands) types.push_back(graph_.values[operand].type);
    return shapeMistake(std::move(spec), types).empty();
  }

  using IdMap = std::unordered_map<int32_t, ValueId>;  // values of a function's body, by id

  // The function's ops in the place of the composite.
  void splice(OpId old, const Function& body) {
    const Op& op = graph_.ops[old];
    IdMap inside;
    for (size_t i = 0; i < body.args.size(); ++i) inside[body.args[i].index] = rewriter_.now(op.operands[i]);
    for (OpId id : body.ops) {
      const Op& from = graph_.ops[id];
      if (id == body.ops.back()) {
        for (size_t i = 0; i < op.results.size(); ++i) rewriter_.map(op.results[i], inside.at(from.operands[i].index));
        continue;
      }
      OpSpec spec{from.kind, from.name, {}, {}, from.attrs, {}, {}, {}, from.origins};
      for (ValueId operand : from.operands) spec.operands.push_back(inside.at(operand.index));
      for (ValueId result : from.results) spec.resultTypes.push_back(graph_.values[result].type);
      OpId made = rewriter_.emitFor(old, std::move(spec));
      for (size_t i = 0; i < from.results.size(); ++i) inside[from.results[i].index] = rewriter_.result(made, i);
    }
  }

  // Functions that composites named and nobody names now.
  Graph withoutBodies(Graph graph) const {
    std::unordered_set<std::string> named;
    for (const Op& op : graph.ops) {
      if (!op.func.valid()) continue;
      for (const Attribute& attr : op.attrs) named.insert(attr.value.string);
    }
    bool any = false;
    for (Function& func : graph.funcs) {
      if (bodies_.count(func.name) == 0 || named.count(func.name) > 0 || !func.isPrivate) continue;
      func.name.clear();
      any = true;
    }
    if (!any) return graph;
    return withoutNamelessFunctions(graph);
  }

  static Graph withoutNamelessFunctions(const Graph& graph) {
    Graph out = graph;
    out.funcs = {};
    std::vector<FuncId> now(graph.funcs.size());
    for (FuncId func : graph.funcs.ids()) {
      if (!graph.funcs[func].name.empty()) now[static_cast<size_t>(func.index)] = out.funcs.push(graph.funcs[func]);
    }
    for (OpId id : graph.ops.ids()) {
      const FuncId was = graph.ops[id].func, is = was.valid() ? now[static_cast<size_t>(was.index)] : was;
      if (is != was) out.ops.edit(id).func = is;
    }
    for (ValueId id : graph.values.ids()) {
      const FuncId was = graph.values[id].func, is = was.valid() ? now[static_cast<size_t>(was.index)] : was;
      if (is != was) out.values.edit(id).func = is;
    }
    if (out.forward.valid()) out.forward = now[static_cast<size_t>(out.forward.index)];
    return compactGraph(out);
  }

  const Graph& graph_;
  const PassContext& context_;
  GraphRewriter rewriter_;
  std::unordered_set<std::string> bodies_;
  std::vector<PassNote> notes_, problems_;
};

}  // namespace

PassResult resolveComposites(const Graph& graph, const PassContext& context) {
  bool any = std::any_of(graph.ops.begin(), graph.ops.end(),
                         [](const Op& op) { return op.func.valid() && op.name == kCompositeOp; });
  return any ? CompositeResolver(graph, context).run() : PassResult{graph};
}

}  // namespace tessera
