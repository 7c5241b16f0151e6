// Matmul and linear. Sources: tt-metal matmul/device; tt-mlir Analysis/OpRules, TTNNOpsAttrs.td.

#include <algorithm>

#include "core/ops/rules/matmul_program.h"

namespace tessera {

namespace {

bool complete(const OpView& view) { return view.hasInput(0) && view.hasInput(1) && view.hasResult(); }

// The first operand sharded or not, the others interleaved; a sharded result lies as a sharded first operand does.
Refused matmulLegality(const OpView& view) {
  if (Refused refused = requireTiles(view)) return refused;
  if (!complete(view)) return {};
  if (const MatmulAttrs* program = askedProgram(view)) {
    if (Refused refused = programLegality(view, *program)) return refused;
    bool ownSharding = program->program == MatmulProgram::Reuse || program->program == MatmulProgram::DramSharded;
    if (ownSharding) return {};
  }
  for (int i = 1; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && view.input(i).sharded()) return {Refusal::InputMustBeInterleaved, i};
  }
  const TensorLayout& a = view.input(0);
  const TensorLayout& out = view.output();
  if (out.sharded() && matmulTiles(view).batchedWeights) return {Refusal::BatchedMatmulSharded};
  bool alike = a.memory == out.memory && a.grid == out.grid;
  return a.sharded() && out.sharded() && !alike ? Refused{Refusal::ShardingMismatch, 0} : Refused{};
}

// A bias without a program of our own is added by a second op (three operands, two tiles each) after the product.
void matmulBuffers(const OpView& view, BufferList& buffers) {
  if (!complete(view)) return;
  MatmulTiles tiles = matmulTiles(view);
  productBuffers(view, tiles, matmulBlocks(view, tiles), buffers);
  int bias = operandOf(view, "bias");
  if (!view.hasInput(bias)) return;
  BufferList sum;
  sum.tiles("product", 2, view.output().dtype);
  sum.tiles("bias", 2, view.input(bias).dtype);
  sum.tiles("out", 2, view.output().dtype);
  if (sum.ownBytes() > buffers.ownBytes()) buffers = std::move(sum);
}

OpRule matmulRule(const OpView& view) {
  if (!complete(view)) return {"Matmul", "tt-metal matmul/device"};
  MatmulBlocks blocks = matmulBlocks(view, matmulTiles(view));
  return {matmulProgramTitle(blocks.program), "tt-metal matmul/device"};
}

}  // namespace

const FamilyRules kMatmulRules = {
    {"Matmul", "tt-metal matmul/device"}, matmulLegality, matmulBuffers, nullptr, nullptr, matmulRule};

}  // namespace tessera
