#pragma once
// The runs of a group, one after the other in one session, in the process that calls it. What the session knows of the
// graph and of the op model serves all of them.

#include <cstdint>
#include <vector>

#include "core/study/kept_runs.h"
#include "core/study/study.h"

namespace tessera {

// What a worker tells about its runs, in messages that a pipe never cuts.
enum class WorkerWord : int32_t { Started, Done, CannotWrite };
struct WorkerMessage {
  WorkerWord word = WorkerWord::Started;
  uint32_t run = 0;
  char text[240] = {};  // CannotWrite: why
};

struct GroupRequest {
  const Study& study;
  const std::vector<size_t>& runs;  // of one group
  const KeptRuns& kept;
  bool withOps = false;
  int pipe = -1;  // where messages go
};

// False when a finished run cannot be kept.
bool runGroup(const GroupRequest& request);

// The rows of a finished run in the words of spills.csv and ops.csv.
std::string lossLines(const RunOutcome& run, const std::vector<Loss>& losses);
std::string opLines(const RunOutcome& run);
std::vector<std::string_view> lossColumns();
std::vector<std::string_view> opColumns();
// One field of a line: quoted where it has to be, always on one line.
std::string csvField(std::string_view text);

}  // namespace tessera
