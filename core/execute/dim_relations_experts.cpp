// Sizes of the calls that mixtures of experts make across devices, which the interpreter does not interpret.

#include <algorithm>

#include "core/execute/dim_relations.h"

namespace tessera {

namespace {

// A letter per dim, operands before results; dims of one letter are equal, '.' stays as it is. Attributes name the
// sizes of C (devices of the cluster), D (devices) and K (experts per token), the proportion of T to R and to S.
struct ExpertCall {
  std::string_view name, operands, results;
};
constexpr ExpertCall kExpertCalls[] = {
    {"all_to_all_dispatch", "..SH ..SK ..ED", ".CSH .CSK"},
    {"all_to_all_dispatch_metadata", "..SH ..SK ..SK ..ED", ".TH .TK .TK"},
    {"all_to_all_combine", "E.TH ..TK ..ED", "K.SH"},
    {"moe_expert_token_remap", "..TE ..ED ..TK", "..TE ..RE"},
    {"sparse_matmul", "ABML .ELN AB.E", "AB.EMN"},
    {"sparse_matmul", "AEML .ELN ..AE", "AEMN"},
};
constexpr std::string_view kNamedByAttributes = "CDK";

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(' ', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

}  // namespace

bool DimRelations::expertCall(std::string_view name, const Op& op) {
  for (const ExpertCall& call : kExpertCalls) {
    if (call.name == name && expertDims(op, call.operands, call.results)) return true;
  }
  return false;
}

// False when the tensors' sizes are others than the letters say.
bool DimRelations::expertDims(const Op& op, std::string_view operands, std::string_view results) {
  const std::vector<std::string_view> ins = words(operands), outs = words(results);
  if (op.operands.size() < ins.size() || op.results.size() != outs.size()) return false;
  constexpr DimVar kNone = -1;
  std::vector<DimVar> first(128, kNone);  // of a letter
  std::vector<std::pair<DimVar, DimVar>> alike;
  std::vector<DimVar> kept;
  auto match = [&](std::string_view letters, const Dims& dims) {
    if (letters.size() != dims.size()) return false;
    for (size_t d = 0; d < dims.size(); ++d) {
      if (letters[d] == '.' || kNamedByAttributes.find(letters[d]) != std::string_view::npos) kept.push_back(dims[d]);
      if (letters[d] == '.') continue;
      DimVar& known = first[static_cast<size_t>(letters[d])];
      if (known == kNone) known = dims[d];
      if (solver_.sizeOf(known) != solver_.sizeOf(dims[d])) return false;
      alike.push_back({known, dims[d]});
    }
    return true;
  };
  for (size_t i = 0; i < ins.size(); ++i) {
    if (!match(ins[i], in(op, i))) return false;
  }
  for (size_t r = 0; r < outs.size(); ++r) {
    if (!match(outs[r], out(op, r))) return false;
  }
  for (auto [a, b] : alike) solver_.equal(a, b);
  for (DimVar var : kept) solver_.fix(var);
  for (char part : {'R', 'S'}) {
    const DimVar whole = first['T'], other = first[static_cast<size_t>(part)];
    if (whole != kNone && other != kNone) ratio(whole, other);
  }
  return true;
}

}  // namespace tessera
