// StableHLO's and CHLO's ops: their operands and results are tensors. Whether the shapes fit is checked where they are
// used: by the conversion to TTIR, which leaves an op that does not fit as it is, and by the interpreter.

#include <algorithm>

#include "core/ops/shapes/shape_context.h"

namespace tessera {

namespace {

// Their operands or results may be no tensors: tokens, tuples, or what a called function takes and returns.
constexpr OpKind kOfAnything[] = {
    OpKind::ShloAfterAll,
    OpKind::ShloAsyncDone,
    OpKind::ShloAsyncStart,
    OpKind::ShloCase,
    OpKind::ShloComposite,
    OpKind::ShloCreateToken,
    OpKind::ShloComputeReshapeShape,
    OpKind::ShloCstrReshapable,
    OpKind::ShloCustomCall,
    OpKind::ShloGetTupleElement,
    OpKind::ShloIf,
    OpKind::ShloInfeed,
    OpKind::ShloOutfeed,
    OpKind::ShloRecv,
    OpKind::ShloOptimizationBarrier,
    OpKind::ShloSend,
    OpKind::ShloTrace,
    OpKind::ShloTuple,
    OpKind::ShloDynamicBroadcastInDim,
    OpKind::ShloWhile,
    OpKind::ShloDynamicReshape,
    OpKind::ChloDynamicReshape,
};

// They may have several results; all other ops have one.
constexpr OpKind kOfSeveralResults[] = {
    OpKind::ShloAllGather,         OpKind::ShloAllReduce, OpKind::ShloAllToAll,     OpKind::ShloBatchNormGrad,
    OpKind::ShloBatchNormTraining, OpKind::ShloReduce,    OpKind::ShloReduceWindow, OpKind::ShloRngBitGenerator,
    OpKind::ShloScatter,           OpKind::ShloSort,      OpKind::ChloScan,         OpKind::ChloTopK,
};

template <size_t kCount>
bool isOneOf(OpKind kind, const OpKind (&kinds)[kCount]) {
  return std::find(std::begin(kinds), std::end(kinds), kind) != std::end(kinds);
}

}  // namespace

bool checkStablehlo(const ShapeContext& c) {
  const bool shardy = c.info.name.substr(0, 4) == "sdy.";
  if (shardy || isOneOf(c.info.kind, kOfAnything)) return true;
  const size_t results = c.op.results.size();
  const bool several = isOneOf(c.info.kind, kOfSeveralResults);
  if (several ? results == 0 : results != 1) {
    c.diags->report(DiagKind::WrongResultCount, c.op.span,
                    {c.op.name, several ? "at least 1" : "1", std::to_string(results)});
    return false;
  }
  return c.areTensors(c.inputs);
}

}  // namespace tessera
