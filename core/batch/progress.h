#pragma once
// How far a study is: a bar with an estimate on a terminal, a line per finished group elsewhere.

#include <string>

#include "core/batch/kept_runs.h"
#include "core/study/study.h"

namespace tessera {

// "  about 1:05 left": what the rest of the work takes when it goes on as it did for `spentMs` milliseconds; nothing
// before a second is over, and when nothing is done or left.
std::string timeLeftText(int64_t spentMs, int64_t workDone, int64_t work);
// "[####....] 3/12" for the part of the work that is done.
std::string progressBar(int64_t workDone, int64_t work, size_t done, size_t runs);

class StudyProgress {
 public:
  // `runs` of the study are to be done; `work`: what they are estimated to take together.
  StudyProgress(const Study& study, size_t runs, int64_t work, bool terminal);
  ~StudyProgress();  // clears the bar
  StudyProgress(const StudyProgress&) = delete;
  StudyProgress& operator=(const StudyProgress&) = delete;

  void finished(const StudyRun& run, const KeptRun* failed, bool groupDone);
  void tick();

 private:
  void say(const std::string& line);
  void draw();
  std::string leftText() const;

  const Study& study_;
  const size_t runs_;
  const int64_t work_;
  const bool terminal_;
  const int64_t start_;
  int64_t drawn_ = 0;
  size_t done_ = 0;
  int64_t workDone_ = 0;
  std::string now_;
};

}  // namespace tessera
