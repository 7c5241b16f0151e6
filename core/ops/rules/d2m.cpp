// Fused kernels made by the D2M compiler (docs/rules/d2m-chains.md): a group of element-wise ops in one program.

#include "core/ops/rules/family_rules.h"

namespace tessera {

namespace {

// The kernel is generated for the layouts it is given, whatever they are; it works on tiles.
Refused d2mLegality(const OpView& view) { return requireTiles(view); }

}  // namespace

const FamilyRules kD2mRules = {{"Fused D2M kernel", "docs/rules/d2m-chains.md"}, d2mLegality, twoTilesEach};

}  // namespace tessera
