#include "core/batch/run_group.h"

#include <unistd.h>

#include <cstdlib>
#include <ctime>

#include "core/driver/read_file.h"
#include "core/study/measure.h"

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
        kept = runOne(study.runs[index]);
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

  KeptRun runOne(const StudyRun& one) {
    MeasureRequest asked;
    Diagnostics diagnostics;
    asked.options = request_.study.groups[one.group].options;
    setOption(asked.options, "policy", one.policy, diagnostics);
    asked.withOps = request_.withOps;
    asked.clock = processorMicroseconds;
    forgetPeakMemory();
    KeptRun kept = measureRun(session_, asked);
    kept.memory = peakMemoryKilobytes();
    return kept;
  }

  const GroupRequest& request_;
  Session session_;
};

}  // namespace

bool runGroup(const GroupRequest& request) { return GroupRunner(request).run(); }

}  // namespace tessera
