// StableHLO's and CHLO's ops: what they are given and give back are tensors. Their shapes are the business of who wrote
// the file; whoever reads them here says what does not fit.

#include <algorithm>

#include "core/ops/shapes/shape_context.h"

namespace tessera {

namespace {

// Of tokens, tuples and whatever a called function has.
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

// With a result for each of several operands, or more results than one in any case.
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
