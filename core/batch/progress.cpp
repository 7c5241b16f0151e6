#include "core/batch/progress.h"

#include <chrono>
#include <cstdio>

namespace tessera {

namespace {

int64_t millisecondsNow() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

// "1:05" or "2:03:05"
std::string clockText(int64_t seconds) {
  auto two = [](int64_t n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  const std::string minutes =
      seconds >= 3600 ? std::to_string(seconds / 3600) + ":" + two(seconds / 60 % 60) : std::to_string(seconds / 60);
  return minutes + ":" + two(seconds % 60);
}

}  // namespace

StudyProgress::StudyProgress(const Study& study, size_t runs, int64_t work, bool terminal)
    : study_(study), runs_(runs), work_(work), terminal_(terminal), start_(millisecondsNow()) {}

StudyProgress::~StudyProgress() {
  if (terminal_ && drawn_ > 0) std::fputs("\r\x1b[K", stderr);
}

void StudyProgress::say(const std::string& line) {
  if (terminal_) std::fputs("\r\x1b[K", stderr);
  std::fputs((line + "\n").c_str(), stderr);
}

void StudyProgress::finished(const StudyRun& run, const KeptRun* failed, bool groupDone) {
  ++done_;
  now_ = study_.label(run);
  if (failed) say(now_ + ": " + failed->reason);
  const StudyGroup& group = study_.groups[run.group];
  workDone_ += group.work / static_cast<int64_t>(group.runs.size());
  if (groupDone && !terminal_)
    say(std::to_string(done_) + "/" + std::to_string(runs_) + "  " +
        now_.substr(0, now_.size() - run.policy.size() - 1) + leftText());
}

std::string StudyProgress::leftText() const {
  const int64_t spent = millisecondsNow() - start_;
  const bool known = workDone_ > 0 && spent > 1000 && work_ > workDone_;
  if (!known) return "";
  const double rest = static_cast<double>(work_ - workDone_) / static_cast<double>(workDone_);
  return "  about " + clockText(static_cast<int64_t>(static_cast<double>(spent) * rest / 1000)) + " left";
}

void StudyProgress::tick() {
  const int64_t now = millisecondsNow();
  if (!terminal_ || now - drawn_ < 150) return;
  drawn_ = now;
  draw();
}

void StudyProgress::draw() {
  constexpr size_t kWidth = 24, kMostText = 100;
  const size_t filled = work_ > 0 ? static_cast<size_t>(static_cast<double>(workDone_) / static_cast<double>(work_) *
                                                        static_cast<double>(kWidth))
                                  : kWidth;
  std::string line = "[" + std::string(std::min(filled, kWidth), '#') +
                     std::string(kWidth - std::min(filled, kWidth), '.') + "] " + std::to_string(done_) + "/" +
                     std::to_string(runs_) + leftText() + "  " + now_;
  line.resize(std::min(line.size(), kMostText));
  std::fputs(("\r" + line + "\x1b[K").c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace tessera
