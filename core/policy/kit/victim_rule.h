#pragma once

#include <cstdint>

#include "core/support/enum_table.h"

namespace tessera {

// Which tensor leaves L1 when it is full.
enum class VictimRule : uint8_t { LongestLifetime, FarthestLastUse, FarthestNextUse, CostPerByte };
inline constexpr EnumRow<VictimRule> kVictimRules[] = {
    {VictimRule::LongestLifetime, "longest-lifetime", "Longest remaining lifetime"},
    {VictimRule::FarthestLastUse, "farthest-last-use", "Farthest last use"},
    {VictimRule::FarthestNextUse, "farthest-next-use", "Farthest next use"},
    {VictimRule::CostPerByte, "cost-per-byte", "Least cost per byte"},
};

}  // namespace tessera
