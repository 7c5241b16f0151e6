// Ops that move elements. Device reference 4.10, 6.2.

#include "core/ops/time_model.h"

#include <algorithm>

namespace tessera {

namespace {

int64_t readUnlessView(const OpView& view, int operand) { return isViewOf(view) ? 0 : readWhole(view, operand); }
double cyclesUnlessView(const OpView& view) { return isViewOf(view) ? 0 : moveCycles(view); }

}  // namespace

const FamilyTime kMoveTime = {moveCycles, readWhole, kernelStart};
const FamilyTime kViewTime = {cyclesUnlessView, readUnlessView, kernelStart};
const FamilyTime kPickTime = {moveCycles, readResultSized, kernelStart};

}  // namespace tessera
