#include "core/study/study.h"

#include <algorithm>

#include "core/policy/policy.h"
#include "core/support/fingerprint.h"

namespace tessera {

namespace {

constexpr size_t kMostStudyRuns = 1'000'000;
constexpr int64_t kOutsideWork = 4;  // as workOf

// Of a policy, in multiples of the cheapest: the one with a bound runs all others and then searches.
int64_t workOf(const PolicyInfo& policy) {
  if (policy.has(kLowerBound)) return 24;
  return policy.has(kBeamSearch) ? 4 : policy.has(kFloor) ? 1 : 2;
}

const PolicyInfo* boundPolicy() {
  for (const PolicyInfo& policy : allPolicies()) {
    if (policy.has(kLowerBound)) return &policy;
  }
  return nullptr;
}

std::string keyOf(const Study& study, const StudyGroup& group, const Options& options, const OutsidePolicy* outside) {
  std::string key;
  for (int64_t round : {0, 1}) {
    Fingerprint print;
    print.add(round);
    print.add(kStudySchema);
    print.add(study.program.version);
    print.add(study.program.build);
    print.add(study.graphs[group.graph].hash);
    for (const OptionValue& value : optionValues(options.resolved())) {
      print.add(value.id);
      print.add(value.json);
    }
    print.add(options.policyGiven);
    print.add(options.memoryLayoutAnalysisEnabled);
    print.add(study.arguments.alone);
    if (outside) print.add(outside->name), print.add(outside->hash);
    key += print.text();
  }
  return key;
}

class StudyMaker {
 public:
  explicit StudyMaker(Study& study) : study_(study), arguments_(study.arguments) {}

  void make() {
    for (const std::string& id : arguments_.policies) {
      if (!findPolicy(id)) return fail("unknown policy `" + id + "`");
    }
    for (const OutsidePolicy& outside : arguments_.outside) {
      if (findPolicy(outside.name)) return fail("there is a policy `" + outside.name + "` already");
    }
    const PolicyInfo* bound = boundPolicy();
    const auto& ids = arguments_.policies;
    addsBound_ = arguments_.optimum && bound && std::find(ids.begin(), ids.end(), bound->id) == ids.end();
    Options options;
    for (const StudyAxis& axis : arguments_.options) {
      if (!set(options, axis.option, axis.values[0])) return;
    }
    const size_t each = ids.size() + arguments_.outside.size();
    size_t runs = study_.graphs.size() * arguments_.devices.size() * each;
    for (const StudyAxis& axis : arguments_.axes) {
      if (axis.values.empty()) return fail("no values for " + axis.option);
      runs = std::min(runs, kMostStudyRuns + 1) * std::min(axis.values.size(), kMostStudyRuns);
    }
    if (runs > kMostStudyRuns) return fail("more than " + std::to_string(kMostStudyRuns) + " runs");
    for (size_t graph = 0; graph < study_.graphs.size(); ++graph) {
      for (const std::string& device : arguments_.devices) addGroups(graph, device, options);
    }
    share();
  }

 private:
  void fail(const std::string& mistake) {
    if (study_.mistake.empty()) study_.mistake = mistake;
  }

  bool set(Options& options, const std::string& id, const std::string& value) {
    Diagnostics diagnostics;
    if (id == "policy" || id == "device") fail("`" + id + "` is no option here: give --policies and --devices");
    else if (!setOption(options, id, value, diagnostics)) fail(diagnostics.all().back().message);
    return study_.mistake.empty();
  }

  // All combinations of the axes' values, the last one fastest.
  void addGroups(size_t graph, const std::string& device, const Options& base) {
    std::vector<size_t> at(arguments_.axes.size(), 0);
    while (study_.mistake.empty()) {
      StudyGroup group;
      group.graph = graph;
      group.device = device;
      group.options = base;
      Diagnostics diagnostics;
      if (!setOption(group.options, "device", device, diagnostics)) return fail(diagnostics.all().back().message);
      for (size_t i = 0; i < at.size(); ++i) {
        group.values.push_back(arguments_.axes[i].values[at[i]]);
        if (!set(group.options, arguments_.axes[i].option, group.values.back())) return;
      }
      addRuns(std::move(group));
      size_t i = at.size();
      while (i > 0 && ++at[i - 1] == arguments_.axes[i - 1].values.size()) at[--i] = 0;
      if (i == 0) return;
    }
  }

  void addRuns(StudyGroup group) {
    auto add = [&](const std::string& id, bool listed) {
      Diagnostics diagnostics;
      Options options = group.options;
      if (!setOption(options, "policy", id, diagnostics)) return fail(diagnostics.all().back().message);
      group.runs.push_back(study_.runs.size());
      group.work += study_.graphs[group.graph].ops * workOf(*findPolicy(id));
      study_.runs.push_back({study_.groups.size(), id, keyOf(study_, group, options, nullptr), listed});
    };
    for (const std::string& id : arguments_.policies) add(id, true);
    for (const OutsidePolicy& outside : arguments_.outside) {
      group.runs.push_back(study_.runs.size());
      group.work += study_.graphs[group.graph].ops * kOutsideWork;
      study_.runs.push_back({study_.groups.size(), outside.name, keyOf(study_, group, group.options, &outside), true});
    }
    if (addsBound_) add(std::string(boundPolicy()->id), false);
    study_.groups.push_back(std::move(group));
  }

  // The longest group goes to the part that has least to do.
  void share() {
    std::vector<size_t> order(study_.groups.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return study_.groups[a].work > study_.groups[b].work; });
    std::vector<int64_t> work(static_cast<size_t>(study_.shard.of), 0);
    for (size_t group : order) {
      const auto least = std::min_element(work.begin(), work.end());
      *least += study_.groups[group].work;
      study_.groups[group].part = static_cast<int32_t>(least - work.begin()) + 1;
    }
  }

  Study& study_;
  const StudyArguments& arguments_;
  bool addsBound_ = false;
};

}  // namespace

std::string Study::label(const StudyRun& run) const {
  const StudyGroup& group = groups[run.group];
  std::string text = graphs[group.graph].name + " " + group.device;
  for (size_t i = 0; i < group.values.size(); ++i) text += " " + arguments.axes[i].option + "=" + group.values[i];
  return text + " " + run.policy;
}

std::vector<std::string> Study::policies() const {
  std::vector<std::string> names = arguments.policies;
  for (const OutsidePolicy& outside : arguments.outside) names.push_back(outside.name);
  return names;
}

Study makeStudy(StudyArguments arguments, std::vector<StudyGraph> graphs, StudyProgram program, StudyShard shard) {
  Study study;
  study.arguments = std::move(arguments);
  study.graphs = std::move(graphs);
  study.program = std::move(program);
  study.shard = shard;
  if (study.arguments.policies.empty()) {
    for (const PolicyInfo& policy : allPolicies()) {
      if (!policy.has(kAsItStands)) study.arguments.policies.emplace_back(policy.id);
    }
  }
  if (study.arguments.devices.empty()) study.arguments.devices.push_back(Options().device);
  StudyMaker(study).make();
  return study;
}

}  // namespace tessera
