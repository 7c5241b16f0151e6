#include <algorithm>

#include "core/profile/profile.h"
#include "core/support/units.h"

namespace tessera {

namespace {

constexpr int64_t kMostFactor = 1'000'000;      // as the option `calibration` takes it
constexpr size_t kMostCells = size_t{1} << 26;  // of the table that aligns programs and steps

// 0: another op. The op counts most, then the shape, then the memory.
int32_t scoreOf(const ProfiledProgram& program, const ProfiledStep& step) {
  if (program.part || program.kind == OpKind::Opaque || step.kind == OpKind::Opaque) return 0;
  const bool same = program.kind == step.kind;
  if (!same && opInfo(program.kind).family != opInfo(step.kind).family) return 0;
  return (same ? 5 : 2) + (program.shape == step.shape ? 3 : 0) + (program.memory == step.memory ? 1 : 0);
}

using Pairs = std::vector<std::pair<size_t, size_t>>;

// The pairs of the alignment with the highest sum of scores, in order.
Pairs align(std::span<const ProfiledProgram> programs, const std::vector<const ProfiledStep*>& steps) {
  enum Move : uint8_t { kNone, kPair, kSkipProgram, kSkipStep };
  const size_t width = steps.size() + 1;
  std::vector<uint8_t> moves((programs.size() + 1) * width, kNone);
  std::vector<int32_t> above(width, 0), row(width, 0);
  for (size_t i = 1; i <= programs.size(); ++i) {
    row[0] = 0;
    for (size_t j = 1; j < width; ++j) {
      const int32_t score = scoreOf(programs[i - 1], *steps[j - 1]);
      const bool skipProgram = above[j] >= row[j - 1];
      row[j] = skipProgram ? above[j] : row[j - 1];
      moves[i * width + j] = skipProgram ? kSkipProgram : kSkipStep;
      if (score == 0 || above[j - 1] + score <= row[j]) continue;
      row[j] = above[j - 1] + score;
      moves[i * width + j] = kPair;
    }
    std::swap(above, row);
  }
  Pairs pairs;
  for (size_t i = programs.size(), j = width - 1; i > 0 && j > 0;) {
    const uint8_t move = moves[i * width + j];
    if (move == kPair) pairs.push_back({i - 1, j - 1});
    if (move != kSkipStep) --i;
    if (move != kSkipProgram) --j;
  }
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

bool sameProgram(const ProfiledProgram& a, const ProfiledProgram& b) {
  return a.name == b.name && a.shape == b.shape && a.memory == b.memory;
}

// A model that is measured several times in a row: how many programs one time has, of all divisions of the profile into
// equal parts the one nearest to the number of steps.
size_t programsOfOneTime(const std::vector<ProfiledProgram>& programs, size_t steps) {
  const size_t count = programs.size();
  const auto distance = [&](size_t length) { return length > steps ? length - steps : steps - length; };
  size_t best = count;
  for (size_t times = 2; times <= count; ++times) {
    const size_t length = count / times;
    if (count % times != 0 || distance(length) >= distance(best)) continue;
    bool equal = true;
    for (size_t i = length; i < count && equal; ++i) equal = sameProgram(programs[i - length], programs[i]);
    if (equal) best = length;
  }
  return best;
}

int64_t quantile(std::vector<int64_t> values, int64_t permille) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto last = static_cast<int64_t>(values.size()) - 1;
  return values[static_cast<size_t>((last * permille + 500) / 1000)];
}

size_t familyOf(const ProfiledStep& step) { return static_cast<size_t>(opInfo(step.kind).family); }

Misjudged judge(const ProfiledStep& step, const ProfiledProgram& program, int64_t measured) {
  const bool computes = step.bound == "compute", moves = step.bound == "dram" || step.bound == "noc";
  if (computes && program.evidence == Evidence::Data) return Misjudged::WaitsForData;
  if (moves && program.evidence == Evidence::Compute) return Misjudged::Computes;
  const bool longer = (computes || moves) && 4 * step.boundPart > 5 * measured;  // by a quarter
  return longer ? Misjudged::Shorter : Misjudged::No;
}

// time * numerator / denominator
int64_t scaled(int64_t time, int64_t numerator, int64_t denominator) {
  return mulSaturated(time, numerator) / denominator;
}

class Figures {
 public:
  Figures(ProfileComparison& out, std::span<const ProfiledStep> steps, const TimeFactors& inUse)
      : out_(out), steps_(steps), inUse_(inUse), ratios_(allFamilyTitles().size()), factors_(ratios_.size()) {}

  void add() {
    constexpr int64_t kBounds[] = {0, 500, 667, 800, 909, 1100, 1250, 1500, 2000, INT64_MAX};
    for (size_t i = 0; i + 1 < std::size(kBounds); ++i) out_.errors.push_back({kBounds[i], kBounds[i + 1]});
    for (const ProfileMatch& match : out_.matches) addMatch(match);
    out_.medianErrorPermille = quantile(errors_, 500);
    out_.p90ErrorPermille = quantile(errors_, 900);
    addFactors();
    for (const ProfiledStep& step : steps_) {
      const size_t family = familyOf(step);
      out_.time += step.total;
      out_.calibratedTime += scaled(scaled(step.total, 1000, inUse(family)),
                                    out_.calibration[family] == 0 ? 1000 : out_.calibration[family], 1000);
    }
  }

 private:
  int64_t inUse(size_t family) const { return inUse_[family] == 0 ? 1000 : inUse_[family]; }

  void addMatch(const ProfileMatch& match) {
    const ProfiledStep& step = steps_[match.step];
    out_.predicted += step.total;
    out_.measured += match.measured;
    if (!match.sameShape || step.total <= 0 || match.measured <= 0) return;
    const size_t family = familyOf(step);
    ++factors_[family].ops;
    factors_[family].measured += match.measured;
    factors_[family].predicted += step.total;
    const int64_t ratio = scaled(match.measured, 1000, step.total);
    ratios_[family].push_back(scaled(match.measured, inUse(family), step.total));
    errors_.push_back(scaled(std::abs(step.total - match.measured), 1000, match.measured));
    for (ErrorClass& one : out_.errors) one.ops += ratio >= one.from && ratio < one.to ? 1 : 0;
  }

  void addFactors() {
    out_.calibration = inUse_;
    for (size_t i = 0; i < factors_.size(); ++i) {
      if (factors_[i].ops == 0) continue;
      factors_[i].family = static_cast<Family>(i);
      factors_[i].permille = std::clamp<int64_t>(quantile(ratios_[i], 500), 1, kMostFactor);
      out_.calibration[i] = static_cast<int32_t>(factors_[i].permille);
      out_.families.push_back(factors_[i]);
    }
  }

  ProfileComparison& out_;
  std::span<const ProfiledStep> steps_;
  const TimeFactors& inUse_;
  std::vector<std::vector<int64_t>> ratios_;
  std::vector<FamilyFactor> factors_;
  std::vector<int64_t> errors_;
};

}  // namespace

std::string_view misjudgedName(Misjudged misjudged) {
  constexpr std::string_view kNames[] = {"", "data", "compute", "shorter"};
  return kNames[static_cast<size_t>(misjudged)];
}

ProfileComparison matchProfile(const Profile& profile, std::span<const ProfiledStep> steps, const TimeFactors& inUse) {
  ProfileComparison out;
  std::vector<const ProfiledStep*> timed;  // that take time
  std::vector<size_t> indexOf;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].total == 0) continue;
    timed.push_back(&steps[i]);
    indexOf.push_back(i);
  }
  const size_t count = programsOfOneTime(profile.programs, timed.size());
  const size_t skipped = profile.programs.size() - count;
  out.repeats = count == 0 ? 1 : static_cast<int64_t>(profile.programs.size() / count);
  out.skippedPrograms = static_cast<int64_t>(skipped);
  const std::span<const ProfiledProgram> programs = std::span(profile.programs).subspan(skipped);
  if ((programs.size() + 1) * (timed.size() + 1) > kMostCells) {
    out.problem = "the profile and the graph are too large to be matched";
    return out;
  }
  std::vector<bool> used(programs.size()), met(timed.size());
  for (auto [row, step] : align(programs, timed)) {
    const ProfiledProgram& program = programs[row];
    ProfileMatch match{indexOf[step]};
    match.sameShape = program.shape == timed[step]->shape;
    match.sameMemory = program.memory == timed[step]->memory;
    size_t first = row;
    while (first > 0 && programs[first - 1].part && !used[first - 1]) --first;
    for (size_t i = first; i <= row; ++i) {
      used[i] = true;
      match.programs.push_back(static_cast<int32_t>(i + skipped));
      match.measured += programs[i].nanoseconds;
    }
    if (match.sameShape) match.misjudged = judge(*timed[step], program, match.measured);
    met[step] = true;
    out.matches.push_back(std::move(match));
  }
  for (size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) out.unmatchedPrograms.push_back(static_cast<int32_t>(i + skipped));
  }
  for (size_t i = 0; i < met.size(); ++i) {
    if (!met[i]) out.unmatchedSteps.push_back(indexOf[i]);
  }
  Figures(out, steps, inUse).add();
  return out;
}

}  // namespace tessera
