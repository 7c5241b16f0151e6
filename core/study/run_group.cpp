#include "core/study/run_group.h"

#include <unistd.h>

#include <cstdlib>
#include <ctime>

#include "core/driver/pipeline.h"
#include "core/driver/read_file.h"
#include "core/policy/policy.h"

namespace tessera {

namespace {

int64_t processorMicroseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1000;
}

// Most memory since then; where the kernel does not allow it, since the process began.
void forgetPeakMemory() {
  std::FILE* file = std::fopen("/proc/self/clear_refs", "w");
  if (!file) return;
  std::fputs("5", file);
  std::fclose(file);
}

int64_t peakMemoryKilobytes() {
  std::FILE* file = std::fopen("/proc/self/status", "r");
  if (!file) return 0;
  char line[256];
  int64_t peak = 0;
  while (std::fgets(line, sizeof line, file)) {
    if (std::string_view(line).substr(0, 6) == "VmHWM:") peak = std::strtoll(line + 6, nullptr, 10);
  }
  std::fclose(file);
  return peak;
}

// The first mistake with its place.
std::string firstError(const Diagnostics& diagnostics, const SourceBuffer& source) {
  for (const Diagnostic& one : diagnostics.all()) {
    if (one.severity != Severity::Error) continue;
    if (one.span.end == 0) return one.message;
    const LineColumn at = source.lineColumn(one.span.begin);
    return "line " + std::to_string(at.line) + ", column " + std::to_string(at.column) + ": " + one.message;
  }
  return "it was not run";
}

class GroupRunner {
 public:
  explicit GroupRunner(const GroupRequest& request) : request_(request) {}

  bool run() {
    const Study& study = request_.study;
    const StudyGraph& graph = study.graphs[study.groups[study.runs[request_.runs.front()].group].graph];
    std::string text;
    std::string problem;
    if (!readFile(graph.path, text)) problem = "cannot be read";
    else if (contentHash(text) != graph.hash) problem = "changed while the study ran";
    for (size_t index : request_.runs) {
      tell({WorkerWord::Started, static_cast<uint32_t>(index)});
      KeptRun kept;
      if (problem.empty()) {
        session_.load(graph.name, text);
        runOne(study.runs[index], kept);
      } else {
        kept.status = RunStatus::Refused;
        kept.reason = problem;
      }
      const std::string failure = request_.kept.keep(study.runs[index].key, kept);
      if (!failure.empty()) {
        WorkerMessage message{WorkerWord::CannotWrite, static_cast<uint32_t>(index)};
        failure.copy(message.text, sizeof message.text - 1);
        tell(message);
        return false;
      }
      tell({WorkerWord::Done, static_cast<uint32_t>(index)});
    }
    return true;
  }

 private:
  void tell(const WorkerMessage& message) const {
    // Without a reader there is nobody to tell; the worker is ended soon.
    if (request_.pipe >= 0 && ::write(request_.pipe, &message, sizeof message) < 0) return;
  }

  void runOne(const StudyRun& one, KeptRun& kept) {
    const StudyGroup& group = request_.study.groups[one.group];
    forgetPeakMemory();
    const int64_t start = processorMicroseconds();
    Diagnostics diagnostics;
    Options options = group.options;
    setOption(options, "policy", one.policy, diagnostics);
    const std::unique_ptr<FinishedRun> finished = prepareRun(session_, options, diagnostics);
    if (finished->problem) {
      const int64_t before = processorMicroseconds();
      RunOutcome outcome = decideRun(session_, *finished);
      kept.policyTime = processorMicroseconds() - before;
      finishRun(*finished, std::move(outcome));
    }
    if (finished->report.run) measure(*finished->report.run, kept);
    else kept.status = RunStatus::Refused;
    if (!kept.row) kept.reason = firstError(finished->diagnostics, finished->loaded->source);
    kept.runTime = processorMicroseconds() - start;
    kept.memory = peakMemoryKilobytes();
  }

  void measure(const RunOutcome& run, KeptRun& kept) const {
    const std::vector<Loss> losses = findLosses(run);
    kept.row = rowOf(run, losses);
    kept.losses = lossLines(run, losses);
    if (request_.withOps) kept.ops = opLines(run);
    if (run.log.exact) kept.bound = KeptBound{run.log.exact->time, run.log.exact->lowerBound, run.log.exact->proven};
  }

  const GroupRequest& request_;
  Session session_;
};

}  // namespace

bool runGroup(const GroupRequest& request) { return GroupRunner(request).run(); }

}  // namespace tessera
