#pragma once
// Factors on the predicted times, by family of ops, as a person takes them from a profile of the device.

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

// By family, in thousandths; empty: all as predicted.
using Calibration = std::vector<int32_t>;

inline constexpr int32_t kMostCalibration = 1'000'000;  // a factor of 1,000; the least is 0.001

// "Matmul=1.25,Conv=0.9": up to three decimals. Nothing is taken of a text with a mistake, which `problem` names.
Calibration parseCalibration(std::string_view text, std::string& problem);
// The same text again, without factors of 1.
std::string calibrationText(const Calibration& calibration);

}  // namespace tessera
