#include "core/batch/merge.h"

#include <filesystem>

#include "core/batch/new_file.h"
#include "core/batch/write_study.h"
#include "core/driver/read_file.h"

namespace tessera {

namespace {

// Why the parts do not belong together; "" when they do.
std::string differenceOf(const Study& a, const Study& b) {
  if (a.program.version != b.program.version || a.program.build != b.program.build)
    return "were made by different programs";
  if (!(a.arguments == b.arguments)) return "have different arguments";
  if (a.graphs.size() != b.graphs.size()) return "have different graphs";
  for (size_t i = 0; i < a.graphs.size(); ++i) {
    if (a.graphs[i].name != b.graphs[i].name || a.graphs[i].hash != b.graphs[i].hash)
      return "have different graphs: `" + a.graphs[i].name + "` and `" + b.graphs[i].name + "`";
  }
  return a.shard.of != b.shard.of ? "are of different numbers of parts" : "";
}

std::string partText(const StudyShard& shard) { return std::to_string(shard.part) + "/" + std::to_string(shard.of); }

// Fills `studies` with one study per part.
std::string readParts(std::span<const std::string> parts, std::vector<Study>& studies) {
  std::vector<std::string> folderOf;
  for (const std::string& part : parts) {
    const std::string path = part + "/study.json";
    std::string text;
    if (!readFile(path, text)) return "cannot read `" + path + "`: is it the folder of a finished part?";
    studies.push_back(readStudy(path, std::move(text)));
    if (!studies.back().mistake.empty()) return studies.back().mistake;
    const std::string difference = differenceOf(studies.front(), studies.back());
    if (!difference.empty()) return "`" + parts[0] + "` and `" + part + "` " + difference;
    folderOf.resize(static_cast<size_t>(studies.back().shard.of));
    std::string& holder = folderOf[static_cast<size_t>(studies.back().shard.part) - 1];
    if (!holder.empty()) return "`" + holder + "` and `" + part + "` are both part " + partText(studies.back().shard);
    holder = part;
  }
  for (size_t i = 0; i < folderOf.size(); ++i) {
    if (folderOf[i].empty())
      return "part " + std::to_string(i + 1) + "/" + std::to_string(folderOf.size()) + " is missing";
  }
  return "";
}

// What is kept stays kept: a further run of the whole study repeats nothing.
std::string copyKept(const Study& whole, const KeptRuns& from, const KeptRuns& to) {
  for (const StudyRun& run : whole.runs) {
    if (to.find(run.key)) continue;
    const std::optional<KeptRun> found = from.find(run.key);
    const std::string problem = found ? to.keep(run.key, *found) : "";
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace

Merged mergeStudies(std::span<const std::string> parts, const std::string& folder) {
  Merged out;
  std::vector<Study> studies;
  out.problem = readParts(parts, studies);
  if (!out.problem.empty()) return out;
  const Study whole = makeStudy(studies[0].arguments, studies[0].graphs, studies[0].program, {});
  std::vector<std::string> folders;
  bool withOps = true;
  for (const std::string& part : parts) {
    folders.push_back(keptFolder(part));
    withOps = withOps && std::filesystem::exists(part + "/ops.csv");
  }
  const KeptRuns kept(std::move(folders));
  out.problem = makeFolder(keptFolder(folder));
  if (out.problem.empty()) out.problem = copyKept(whole, kept, KeptRuns({keptFolder(folder)}));
  if (!out.problem.empty()) return out;
  const auto [problem, results] = writeStudy(whole, kept, folder, withOps);
  out.problem = problem;
  if (out.problem.empty() && !results.missing.empty())
    out.problem = std::to_string(results.missing.size()) + " runs are kept in none of the parts, the first is " +
                  whole.label(whole.runs[results.missing[0]]);
  out.runs = results.rows.size();
  out.summary = summaryText(whole, results.rows);
  return out;
}

}  // namespace tessera
