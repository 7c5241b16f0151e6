// The page's call about profiles of the device.

#include "core/driver/api.h"
#include "core/driver/profiled_steps.h"
#include "core/driver/run_request.h"

namespace tessera {

std::string apiProfile(const std::string& csv, const std::string& requestJson) {
  const Profile profile = readProfile(csv);
  Diagnostics diags;
  const SourceBuffer source("request", requestJson);
  const JsonDocument document = parseRequest(source, diags);
  if (!document.root().isObject() || !profile.problem.empty()) return profileJson(profile, nullptr, {});
  TimeFactors inUse{};
  parseCalibration(std::string(document.root().get("calibration").asString().value_or("")), inUse);
  const std::vector<ProfiledStep> steps = profiledSteps(document.root().get("steps"));
  const ProfileComparison found = matchProfile(profile, steps, inUse);
  return profileJson(profile, &found, steps);
}

}  // namespace tessera
