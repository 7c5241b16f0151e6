#include "core/lowering/set_compute_config.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "core/lowering/rewriter.h"

namespace tessera {

namespace {

// The settings in the order in which they are printed, and the pass's options of that meaning.
struct Knob {
  std::string_view attr;
  std::string_view option;
};
constexpr Knob kKnobs[] = {{"math_fidelity", "math-fidelity"},
                           {"math_approx_mode", "math-approx-mode"},
                           {"fp32_dest_acc_en", "fp32-dest-acc-en"},
                           {"packer_l1_acc", "packer-l1-acc"},
                           {"dst_full_sync_en", "dst-full-sync-en"}};
using KnobValues = std::string[std::size(kKnobs)];

// What the attribute of an op says of each.
void readKnobs(std::string_view text, KnobValues& values) {
  for (size_t i = 0; i < std::size(kKnobs); ++i) {
    size_t at = text.find(kKnobs[i].attr);
    if (at == std::string_view::npos) continue;
    std::string_view rest = text.substr(at + kKnobs[i].attr.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" =<"), rest.size()));
    values[i] = rest.substr(0, rest.find_first_of(" ,>"));
  }
}

std::string knobText(const KnobValues& values) {
  std::string said;
  for (size_t i = 0; i < std::size(kKnobs); ++i) {
    if (!values[i].empty()) said += (said.empty() ? "" : ", ") + std::string(kKnobs[i].attr) + " = " + values[i];
  }
  return said.empty() ? "" : "#ttnn.device_compute_kernel_config<" + said + ">";
}

// What the options fill in: those of the pass when it has any (then the compiler's defaults of the pass hold), else
// those of the pipeline.
void wantedKnobs(const PassContext& context, KnobValues& wanted) {
  const ComputeConfig& pipeline = context.options.compute;
  if (context.settings.values.empty()) {
    if (pipeline.fidelity) wanted[0] = enumId(kMathFidelities, *pipeline.fidelity);
    if (pipeline.fp32DestAcc) wanted[2] = *pipeline.fp32DestAcc ? "true" : "false";
    return;
  }
  wanted[0] = "hifi4";
  wanted[2] = "true";
  for (size_t i = 0; i < std::size(kKnobs); ++i) {
    const std::string* given = context.settings.find(kKnobs[i].option);
    if (given != nullptr)
      wanted[i] = *given == "undefined" || *given == "unset" ? "" : given->empty() ? "true" : *given;
  }
}

// Products with a longer inner dim and a result of bf16 accumulate in 32 bits, in the destination and in L1.
constexpr int64_t kLongestInnerDim = 50'000;

bool isLongProduct(const Graph& graph, const Op& op) {
  if (op.kind != OpKind::TtnnMatmul && op.kind != OpKind::TtnnLinear) return false;
  const ValueType& left = graph.values[op.operands[0]].type;
  const ValueType& result = graph.values[op.results[0]].type;
  if (!left.isTensor() || !result.isTensor() || result.tensor->dtype != DType::BF16) return false;
  const Shape& shape = left.tensor->shape;
  const AttrValue* transposed = findAttr(op, "transpose_a");
  const size_t fromEnd = transposed != nullptr && transposed->integer != 0 && shape.size() > 1 ? 2 : 1;
  return shape.size() >= fromEnd && shape[shape.size() - fromEnd] > kLongestInnerDim;
}

}  // namespace

PassResult setComputeConfig(const Graph& graph, const PassContext& context) {
  GraphRewriter rewriter(graph);
  KnobValues wanted;
  wantedKnobs(context, wanted);
  for (FuncId func : graph.funcs.ids()) {
    for (OpId op : graph.funcs[func].ops) {
      OpId made = rewriter.copy(op);
      if (!takesComputeConfig(graph.ops[op].kind)) continue;
      const AttrValue* attr = findAttr(graph.ops[op], "compute_config");
      KnobValues values;
      if (attr != nullptr) readKnobs(attr->text, values);
      for (size_t i = 0; i < std::size(kKnobs); ++i) {
        if (values[i].empty()) values[i] = wanted[i];
      }
      if (context.options.release != CompilerRelease::Autumn2025 && isLongProduct(graph, graph.ops[op]))
        values[2] = values[3] = "true";
      std::string text = knobText(values);
      if (text.empty() || (attr != nullptr && attr->text == text)) continue;
      AttrList& attrs = rewriter.graph().ops.edit(made).attrs;
      std::erase_if(attrs.own(), [](const Attribute& a) { return a.name == "compute_config"; });
      attrs.push_back({"compute_config", rawAttr(std::move(text))});
      sortAttrs(attrs);
    }
  }
  return {rewriter.finish()};
}

}  // namespace tessera
