#include "core/ops/table/calibration.h"

#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

// "1.25" -> 1250; -1 when it is no such number. What follows the third decimal is no number either.
int64_t permilleOf(std::string_view text) {
  int64_t value = 0;
  int decimals = -1;  // none before the point
  bool digits = false;
  for (char c : text) {
    if (c == '.' && decimals < 0) {
      decimals = 0;
      continue;
    }
    if (c < '0' || c > '9' || value > kMostCalibration || decimals == 3) return -1;
    value = value * 10 + (c - '0');
    digits = true;
    if (decimals >= 0) ++decimals;
  }
  for (int i = decimals < 0 ? 0 : decimals; i < 3; ++i) value *= 10;
  return digits && value >= 1 && value <= kMostCalibration ? value : -1;
}

}  // namespace

Calibration parseCalibration(std::string_view text, std::string& problem) {
  const size_t families = allFamilyTitles().size();
  Calibration out;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(','));
    text.remove_prefix(entry.size() < text.size() ? entry.size() + 1 : entry.size());
    const size_t equals = entry.find('=');
    size_t family = 0;
    while (family < families && familyName(static_cast<Family>(family)) != entry.substr(0, equals)) ++family;
    const int64_t factor = equals == std::string_view::npos ? -1 : permilleOf(entry.substr(equals + 1));
    if (family == families || factor < 0) return problem = entry.empty() ? "," : entry, Calibration();
    if (out.empty()) out.assign(families, 1000);
    out[family] = static_cast<int32_t>(factor);
  }
  return out;
}

std::string calibrationText(const Calibration& calibration) {
  std::string text;
  for (size_t i = 0; i < calibration.size(); ++i) {
    if (calibration[i] == 1000) continue;
    const std::string thousandths = std::to_string(1000 + calibration[i] % 1000);
    text += (text.empty() ? "" : ",") + std::string(familyName(static_cast<Family>(i))) + "=" +
            std::to_string(calibration[i] / 1000) + "." + thousandths.substr(1);
  }
  return text;
}

}  // namespace tessera
