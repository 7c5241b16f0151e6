// tessera study: many graphs under many policies, devices and settings; one table. `tessera study merge` puts the parts
// of a study together.

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "core/batch/against.h"
#include "core/batch/find_graphs.h"
#include "core/batch/merge.h"
#include "core/batch/new_file.h"
#include "core/batch/program.h"
#include "core/batch/progress.h"
#include "core/batch/workers.h"
#include "core/batch/write_study.h"
#include "core/cli/command.h"
#include "core/policy/policy.h"

namespace tessera {

namespace {

struct StudyCall {
  std::vector<std::string> paths;
  std::string folder = "study";
  StudyArguments arguments;
  StudyShard shard;
  int64_t processes = 0;  // 0: as many as the machine has processors
  bool withOps = false;
  std::string against;
  int64_t thresholdPpm = 10'000;
  bool failWhenWorse = false;
};

int studyFails(const std::string& why, int code = kExitUsage) {
  put(stderr, "tessera study: " + why + "\n");
  return code;
}

// "a,b\,c" is two values: a comma behind a backslash stands for itself.
std::vector<std::string> splitValues(const std::string& text) {
  std::vector<std::string> values(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',') values.back() += text[++i];
    else if (text[i] == ',') values.emplace_back();
    else values.back() += text[i];
  }
  std::erase(values, "");
  return values;
}

// Digits with at most `decimals` behind a point, times 10^decimals; nothing when it is no such number or too large.
std::optional<int64_t> numberIn(const std::string& text, int decimals, int64_t least, int64_t most) {
  char* end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= 0 && value < 1e12)) return {};
  for (int i = 0; i < decimals; ++i) value *= 10;
  const auto number = static_cast<int64_t>(value + 0.5);
  return number >= least && number <= most ? std::optional(number) : std::nullopt;
}

std::string takeShard(const std::string& text, StudyShard& shard) {
  constexpr int64_t kMostParts = 100'000;
  const size_t slash = text.find('/');
  const auto of = slash == std::string::npos ? std::nullopt : numberIn(text.substr(slash + 1), 0, 1, kMostParts);
  const auto part = of ? numberIn(text.substr(0, slash), 0, 1, *of) : std::nullopt;
  if (!part) return "--shard is K/N, the K-th of N parts";
  shard = {static_cast<int32_t>(*part), static_cast<int32_t>(*of)};
  return "";
}

std::string takePolicies(const std::string& value, StudyArguments& out) {
  out.policies = splitValues(value);
  if (out.policies == std::vector<std::string>{"all"}) {
    out.policies.clear();
    for (const PolicyInfo& policy : allPolicies()) out.policies.emplace_back(policy.id);
  }
  for (size_t i = 0; i < out.policies.size(); ++i) {
    if (std::count(out.policies.begin(), out.policies.end(), out.policies[i]) > 1)
      return "policy `" + out.policies[i] + "` is named twice";
  }
  return out.policies.empty() ? "no values for policies" : "";
}

std::string takeValue(const std::string& id, const std::string& value, StudyCall& out) {
  StudyArguments& arguments = out.arguments;
  auto number = [&](int64_t& to, int decimals, int64_t least, int64_t most) -> std::string {
    const auto read = numberIn(value, decimals, least, most);
    if (!read) return "`--" + id + " " + value + "` is no number that it takes";
    to = *read;
    return "";
  };
  if (id == "out") return out.folder = value, "";
  if (id == "policies") return takePolicies(value, arguments);
  if (id == "devices") {
    arguments.devices = splitValues(value);
    return arguments.devices.empty() ? "no values for devices" : "";
  }
  if (id == "set") {
    const size_t equals = value.find('=');
    if (equals == std::string::npos) return "--set needs option=value,value";
    arguments.axes.push_back({value.substr(0, equals), splitValues(value.substr(equals + 1))});
    return "";
  }
  if (id == "j" || id == "jobs") return number(out.processes, 0, 1, 1024);
  if (id == "time-limit") return number(arguments.milliseconds, 3, 1, 86'400'000);
  if (id == "memory-limit") {
    std::string mistake = number(arguments.memoryBytes, 0, 1, 1 << 20);
    arguments.memoryBytes <<= 20;
    return mistake;
  }
  if (id == "shard") return takeShard(value, out.shard);
  if (id == "against") return out.against = value, "";
  if (id == "threshold") return number(out.thresholdPpm, 4, 0, 1'000'000'000);
  arguments.options.push_back({id, {value}});  // makeStudy says when there is no such option
  return "";
}

// Empty when all is well, else what is wrong.
std::string parseStudyArguments(std::span<const std::string> arguments, StudyCall& out) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const bool joinedJobs =
        argument.size() > 3 && argument.rfind("--j", 0) == 0 && argument[3] >= '0' && argument[3] <= '9';
    std::string mistake;
    if (argument == "--ops") out.withOps = true;
    else if (argument == "--alone") out.arguments.alone = true;
    else if (argument == "--no-optimum") out.arguments.optimum = false;
    else if (argument == "--fail") out.failWhenWorse = true;
    else if (joinedJobs) mistake = takeValue("j", argument.substr(3), out);
    else if (argument == "-j" || argument.rfind("--", 0) == 0) {
      std::string id, value;
      if (argument == "-j") {
        if (i + 1 == arguments.size()) return "`-j` needs a value";
        id = "j", value = arguments[++i];
      } else if (!splitOption(arguments, i, id, value)) {
        return "`" + argument + "` needs a value";
      }
      mistake = takeValue(id, value, out);
    } else {
      out.paths.push_back(argument);
    }
    if (!mistake.empty()) return mistake;
  }
  if (out.folder.empty()) return "`-o` needs a folder";
  if (out.failWhenWorse && out.against.empty()) return "--fail needs --against";
  return out.paths.empty() && out.against.empty() ? "no graph given" : "";
}

// What writers that were ended left behind.
void removeLeftovers(const std::string& folder) {
  std::error_code problem;
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
    if (entry.path().extension() == ".new") found.push_back(entry.path());
  }
  for (const auto& path : found) {
    const std::string writer = path.stem().extension().string();  // ".1234"
    const auto process = numberIn(writer.empty() ? "" : writer.substr(1), 0, 1, INT32_MAX);
    if (process && !std::filesystem::exists("/proc/" + std::to_string(*process)))
      std::filesystem::remove(path, problem);
  }
}

// Of the shard: what is not kept, or has to be tried again.
std::vector<size_t> missingRuns(const Study& study, const KeptRuns& kept, bool withOps) {
  std::vector<size_t> missing;
  for (size_t i = 0; i < study.runs.size(); ++i) {
    if (!study.mine(study.runs[i])) continue;
    const std::optional<KeptRun> found = kept.find(study.runs[i].key);
    const bool lacksOps = found && withOps && found->row && !found->ops;
    if (!found || !found->final() || lacksOps) missing.push_back(i);
  }
  return missing;
}

int64_t workOfRuns(const Study& study, const std::vector<size_t>& runs) {
  int64_t work = 0;
  for (size_t run : runs) {
    const StudyGroup& group = study.groups[study.runs[run].group];
    work += group.work / static_cast<int64_t>(group.runs.size());
  }
  return work;
}

// Does what is missing. An exit code.
int doRuns(const Study& study, const StudyCall& call, const KeptRuns& kept) {
  const std::vector<size_t> missing = missingRuns(study, kept, call.withOps);
  size_t mine = 0;
  for (const StudyRun& run : study.runs) mine += study.mine(run);
  if (missing.size() < mine)
    put(stderr, std::to_string(mine - missing.size()) + " of " + std::to_string(mine) + " runs are kept from before\n");
  size_t done = 0;
  std::string problem;
  {
    StudyProgress progress(study, missing.size(), workOfRuns(study, missing), ::isatty(STDERR_FILENO) == 1);
    WorkerSettings settings;
    settings.processes = static_cast<int32_t>(
        call.processes > 0 ? call.processes : std::max<int64_t>(std::thread::hardware_concurrency(), 1));
    settings.withOps = call.withOps;
    settings.finished = [&](const StudyRun& run, const KeptRun* failed, bool groupDone) {
      ++done;
      progress.finished(run, failed, groupDone);
    };
    settings.tick = [&] { progress.tick(); };
    problem = runStudy(study, missing, kept, settings);
  }
  if (problem.empty()) return kExitFine;
  return studyFails(problem + "; " + std::to_string(mine - missing.size() + done) + " of " + std::to_string(mine) +
                        " runs are kept in `" + kept.folders()[0] + "`, the same call goes on from there",
                    kExitDiagnostics);
}

// Beside an older study; an exit code.
int compareWithOld(const StudyCall& call) {
  std::string before, after;
  const std::string now = call.folder + "/study.json";
  if (!readFile(call.against, before)) return studyFails("cannot read `" + call.against + "`");
  if (!readFile(now, after)) return studyFails("cannot read `" + now + "`");
  const StudyDifference found = compareStudies(call.against, before, now, after, call.thresholdPpm);
  if (!found.problem.empty()) return studyFails(found.problem);
  put(stdout, found.text);
  return call.failWhenWorse && found.worse > 0 ? kExitDiagnostics : kExitFine;
}

int mergeCommand(std::span<const std::string> arguments) {
  StudyCall call;
  std::string mistake = parseStudyArguments(arguments, call);
  if (!mistake.empty()) return studyFails(mistake);
  const Merged merged = mergeStudies(call.paths, call.folder);
  if (!merged.problem.empty()) return studyFails(merged.problem, kExitDiagnostics);
  put(stdout, merged.summary + std::to_string(merged.runs) + " runs in " + call.folder + "\n");
  return kExitFine;
}

}  // namespace

int studyCommand(std::span<const std::string> arguments) {
  if (!arguments.empty() && arguments[0] == "merge") return mergeCommand(arguments.subspan(1));
  StudyCall call;
  const std::string mistake = parseStudyArguments(arguments, call);
  if (!mistake.empty()) return studyFails(mistake + "; `tessera help` lists the arguments");
  if (call.paths.empty()) return compareWithOld(call);
  FoundGraphs found = findGraphs(call.paths);
  if (!found.mistake.empty()) return studyFails(found.mistake);
  for (const std::string& path : found.skipped) put(stderr, "`" + path + "` holds no graph, it is left out\n");
  const Study study = makeStudy(call.arguments, std::move(found.graphs), thisProgram(), call.shard);
  if (!study.mistake.empty()) return studyFails(study.mistake);
  const std::string keptIn = keptFolder(call.folder);
  for (const std::string& made : {keptIn, call.folder}) {
    if (std::string problem = makeFolder(made); !problem.empty()) return studyFails(problem);
  }
  removeLeftovers(keptIn);
  removeLeftovers(call.folder);
  const KeptRuns kept({keptIn});
  if (int code = doRuns(study, call, kept); code != kExitFine) return code;
  const auto [problem, results] = writeStudy(study, kept, call.folder, call.withOps);
  if (!problem.empty()) return studyFails(problem + "; all runs are kept in `" + keptIn + "`", kExitDiagnostics);
  put(stdout,
      summaryText(study, results.rows) + std::to_string(results.rows.size()) + " runs in " + call.folder + "\n");
  return call.against.empty() ? kExitFine : compareWithOld(call);
}

}  // namespace tessera
