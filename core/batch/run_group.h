#pragma once
// The runs of a group, one after the other in one session, in the process that calls it. What the session knows of the
// graph and of the op model serves all of them.

#include <cstdint>
#include <vector>

#include "core/batch/kept_runs.h"
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

}  // namespace tessera
