#include "core/batch/write_study.h"

#include <unistd.h>

#include <memory>

#include "core/batch/new_file.h"
#include "core/batch/page_template.h"
#include "core/study/study_html.h"

namespace tessera {

namespace {

std::string writeFile(const std::string& path, std::string_view text) {
  NewFile file(path);
  file.add(text);
  return file.finish();
}

}  // namespace

WrittenStudy writeStudy(const Study& study, const KeptRuns& kept, const std::string& folder, bool withOps) {
  WrittenStudy out;
  NewFile spills(folder + "/spills.csv");
  spills.add(lossHeader(study));
  std::unique_ptr<NewFile> ops;
  if (withOps) {
    ops = std::make_unique<NewFile>(folder + "/ops.csv");
    ops->add(opHeader(study));
  }
  out.results = collectStudy(
      study, [&](const std::string& key) { return kept.find(key); },
      [&](const StudyRun& run, const KeptRun& one) {
        spills.add(withRun(study, run, one.losses));
        if (ops && one.ops) ops->add(withRun(study, run, *one.ops));
      });
  const std::vector<StudyRow>& rows = out.results.rows;
  const std::string json = studyJson(study, rows);
  out.problem = spills.finish();
  if (out.problem.empty() && ops) out.problem = ops->finish();
  const std::pair<const char*, std::string> files[] = {
      {"/runs.csv", runsCsv(study, rows)},
      {"/timings.csv", timingsCsv(study, rows)},
      {"/study.html", studyHtml(study, rows, json, pageTemplate("study-report.html", "TESSERA_STUDY_TEMPLATE"))},
      {"/study.json", json}};
  for (const auto& [name, text] : files) {
    if (out.problem.empty()) out.problem = writeFile(folder + name, text);
  }
  return out;
}

}  // namespace tessera
