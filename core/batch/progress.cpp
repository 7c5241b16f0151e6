#include "core/batch/progress.h"

#include <algorithm>
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

std::string timeLeftText(int64_t spentMs, int64_t workDone, int64_t work) {
  const bool known = workDone > 0 && spentMs > 1000 && work > workDone;
  if (!known) return "";
  const double rest = static_cast<double>(work - workDone) / static_cast<double>(workDone);
  return "  about " + clockText(static_cast<int64_t>(static_cast<double>(spentMs) * rest / 1000)) + " left";
}

std::string progressBar(int64_t workDone, int64_t work, size_t done, size_t runs) {
  constexpr size_t kWidth = 24;
  const double part = work > 0 ? static_cast<double>(workDone) / static_cast<double>(work) : 1;
  const size_t filled = std::min(static_cast<size_t>(part * static_cast<double>(kWidth)), kWidth);
  return "[" + std::string(filled, '#') + std::string(kWidth - filled, '.') + "] " + std::to_string(done) + "/" +
         std::to_string(runs);
}

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

std::string StudyProgress::leftText() const { return timeLeftText(millisecondsNow() - start_, workDone_, work_); }

void StudyProgress::tick() {
  const int64_t now = millisecondsNow();
  if (!terminal_ || now - drawn_ < 150) return;
  drawn_ = now;
  draw();
}

void StudyProgress::draw() {
  constexpr size_t kMostText = 100;
  std::string line = progressBar(workDone_, work_, done_, runs_) + leftText() + "  " + now_;
  line.resize(std::min(line.size(), kMostText));
  std::fputs(("\r" + line + "\x1b[K").c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace tessera
