// Every value of every option, under policies that read it, on drawn graphs; and the plans of policies carried out as
// they are, with one word changed, and where something else holds than what they were made for. A line per value of an
// option, or per policy.

#include "core/driver/options.h"
#include "tests/driver/driver_testing.h"
#include "tests/golden_texts.h"
#include "tests/pinned.h"
#include "tests/policy/random_graph.h"

namespace tessera::test {
namespace {

PinnedFile& optionPins = PinnedFile::named("pinned_options");

// As JSON. Of a text none: what it may be stands in tests of its own.
std::vector<std::string> valuesOf(const OptionInfo& info) {
  std::vector<std::string> out;
  switch (info.type) {
    case OptionType::Choice:
      for (const OptionChoice& choice : optionChoices(info)) out.push_back(jsonText(choice.id));
      break;
    case OptionType::Boolean: return {"true", "false"};
    case OptionType::Integer:
      for (const int64_t value :
           {info.min, info.min + info.step, std::min<int64_t>(info.max, info.min + 5 * info.step)})
        out.push_back(std::to_string(value));
      break;
    case OptionType::Number:
      for (const int64_t value : {info.min, info.min + info.step, (info.min + info.max) / 2, info.max})
        out.push_back(std::to_string(static_cast<double>(value) / 1000));
      break;
    default: break;
  }
  return out;
}

std::vector<std::string> drawnGraphs() {
  std::vector<std::string> out;
  for (const uint64_t seed : {3u, 8u, 12u, 19u, 24u})
    out.push_back(randomGraphText(seed, RandomGraphOptions{.images = seed % 4 == 0}));
  return out;
}

TEST(PinnedOptions, EveryValueOfEachOption) {
  if (smallTests()) GTEST_SKIP() << "skipped: other tests run options on other graphs";
  const std::vector<std::string> graphs = drawnGraphs();
  for (const OptionInfo& info : allOptions()) {
    if (info.id == "policy") continue;
    std::vector<std::string_view> policies = optionPolicies(info);
    if (policies.size() > 3) policies = {policies[0], policies[policies.size() / 2], policies.back()};
    if (policies.empty()) policies = {"Greedy"};
    for (const std::string& value : valuesOf(info)) {
      Fingerprint run, passes;
      for (const std::string& graph : graphs) {
        Session session;
        for (const std::string_view policy : policies) {
          const std::string options = "{\"policy\":" + jsonText(policy) +
                                      ",\"tensor-l1-usage-cap\":0.2,\"exact-rounds\":3" + ",\"trace\":true," +
                                      jsonText(info.id) + ":" + value + "}";
          run.add(apiRun(session, graph, options));
        }
        passes.add(apiPasses(session, graph, "{" + jsonText(info.id) + ":" + value + "}"));
      }
      optionPins.expect(std::string(info.id) + " " + value, "run " + digits(run) + " passes " + digits(passes));
    }
  }
}

std::string planOf(Session& session, const std::string& graph, const std::string& options) {
  const Json made(apiExport(session, graph, options, "plan"));
  return std::string(made["content"].asString().value_or(""));
}

TEST(PinnedOptions, PlansOfPolicies) {
  if (smallTests()) GTEST_SKIP() << "skipped: other tests carry out plans";
  for (const char* policy : {"Greedy", "DFSharding2", "Beam", "Exact", "BFInterleaved"}) {
    Fingerprint as, other, broken;
    int refused = 0;
    const std::string options = "{\"policy\":\"" + std::string(policy) + "\",\"tensor-l1-usage-cap\":0.1}";
    for (const std::string& graph : drawnGraphs()) {
      Session session;
      const std::string plan = planOf(session, graph, options);
      const auto carriedOut = [&](const std::string& text, const std::string& more) {
        return apiRun(session, graph, "{\"plan\":" + text + more + "}");
      };
      as.add(carriedOut(plan, ""));
      for (const char* more : {",\"device\":\"p150\"", ",\"tensor-l1-usage-cap\":0.03", ",\"max-legal-layouts\":1",
                               ",\"enable-fusing-pass\":false", ",\"l1-release\":\"2026-04\"", ",\"max-grid-rows\":3"})
        other.add(carriedOut(plan, more));
      for (uint64_t seed = 1; seed <= 40; ++seed) {
        const std::string answer =
            carriedOut(seed % 2 == 0 ? variedText(plan, seed * 104729) : brokenText(plan, seed * 104729), "");
        refused += answer.find("\"error\"") != std::string::npos;
        broken.add(answer);
      }
    }
    optionPins.expect("plans of " + std::string(policy), "as they are " + digits(as) + ", elsewhere " + digits(other) +
                                                             ", changed " + digits(broken) + ", " +
                                                             std::to_string(refused) + " refused");
  }
}

}  // namespace
}  // namespace tessera::test
