#include "core/ops/table/op_query.h"

#include <algorithm>

namespace tessera {

namespace {

struct RefusalInfo {
  std::string_view name;
  std::string_view text;
};

constexpr RefusalInfo kRefusals[] = {
#define TESSERA_REFUSAL(name, text) {#name, text},
#include "core/ops/table/refusals.def"
#undef TESSERA_REFUSAL
};

std::string bytesText(Bytes bytes) { return std::to_string(bytes.count) + " B"; }

}  // namespace

std::string_view refusalName(Refusal refusal) { return kRefusals[static_cast<size_t>(refusal)].name; }
std::string_view refusalText(Refusal refusal) { return kRefusals[static_cast<size_t>(refusal)].text; }

Nanoseconds OpTime::total() const { return fixed + std::max({compute, dram, noc}); }

std::string verdictText(const OpVerdict& verdict) {
  if (verdict.ok()) return "legal";
  if (verdict.reason == Refusal::NoHole) {
    return "needs " + bytesText(verdict.needed) + " of L1 per core in one piece, the largest hole has " +
           bytesText(verdict.available);
  }
  if (verdict.reason == Refusal::CircularBufferClash) {
    return "its circular buffers need " + bytesText(verdict.needed) +
           " per core, up to the lowest tensor in L1 there are " + bytesText(verdict.available);
  }
  if (verdict.status == OpStatus::OutOfMemory) {
    return "needs " + bytesText(verdict.needed) + " of L1 per core, " + bytesText(verdict.available) + " are allowed";
  }
  std::string text(refusalText(verdict.reason));
  if (verdict.operand >= 0) text += " (operand " + std::to_string(verdict.operand) + ")";
  return text;
}

}  // namespace tessera
