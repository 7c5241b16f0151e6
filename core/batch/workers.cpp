#include "core/batch/workers.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <map>
#include <memory>
#include <new>

#include "core/batch/run_group.h"

namespace tessera {

namespace {

constexpr int kMemoryExit = 77;  // a worker that ran out of memory
constexpr int kTickMilliseconds = 200;
constexpr int64_t kMostPatience = 20;  // a run may take so many times its processor time, on a machine that is busy

int64_t nowMilliseconds() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

volatile std::sig_atomic_t interruptAsked = 0;
void askInterrupt(int) { interruptAsked = 1; }

// While a study runs: an interrupt ends it in order, a write that fails is an error and no signal.
class StudySignals {
 public:
  StudySignals() {
    interruptAsked = 0;
    struct sigaction action {};
    action.sa_handler = askInterrupt;
    ::sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < kAsked.size(); ++i) ::sigaction(kAsked[i], &action, &before_[i]);
    action.sa_handler = SIG_IGN;
    for (size_t i = 0; i < kIgnored.size(); ++i) ::sigaction(kIgnored[i], &action, &before_[kAsked.size() + i]);
  }
  ~StudySignals() {
    for (size_t i = 0; i < kAsked.size(); ++i) ::sigaction(kAsked[i], &before_[i], nullptr);
    for (size_t i = 0; i < kIgnored.size(); ++i) ::sigaction(kIgnored[i], &before_[kAsked.size() + i], nullptr);
  }
  StudySignals(const StudySignals&) = delete;
  StudySignals& operator=(const StudySignals&) = delete;

 private:
  static constexpr std::array<int, 2> kAsked = {SIGINT, SIGTERM};
  static constexpr std::array<int, 2> kIgnored = {SIGPIPE, SIGXFSZ};
  std::array<struct sigaction, 4> before_{};
};

// Processor time of another process; 0 when it is gone.
int64_t processorMilliseconds(pid_t pid) {
  clockid_t clock{};
  timespec spent{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &spent) != 0) return 0;
  return int64_t{spent.tv_sec} * 1000 + spent.tv_nsec / 1'000'000;
}

int64_t dataBytesOfProcess() {
  std::FILE* file = std::fopen("/proc/self/status", "r");
  if (!file) return 0;
  char line[256];
  int64_t bytes = 0;
  while (std::fgets(line, sizeof line, file)) {
    if (std::strncmp(line, "VmData:", 7) == 0) bytes = std::strtoll(line + 7, nullptr, 10) * 1024;
  }
  std::fclose(file);
  return bytes;
}

[[noreturn]] void outOfMemory() { ::_exit(kMemoryExit); }

// The runs of one group that a worker is to do, the first one first.
struct Task {
  std::vector<size_t> runs;
  int64_t work = 0;
};

struct Worker {
  pid_t pid = -1;
  int pipe = -1;
  Task task;
  size_t done = 0;        // runs of the task
  int64_t since = 0;      // when the run at hand began
  int64_t processor = 0;  // and the processor time that had been spent by then
  bool tooLong = false;   // it was ended for that
};

class WorkerPool {
 public:
  WorkerPool(const Study& study, const KeptRuns& kept, const WorkerSettings& settings)
      : study_(study), kept_(kept), settings_(settings) {}

  std::string run(const std::vector<size_t>& missing) {
    addTasks(missing);
    const auto most = static_cast<size_t>(std::max(settings_.processes, 1));
    while (problem_.empty() && !(tasks_.empty() && workers_.empty())) {
      while (problem_.empty() && !tasks_.empty() && workers_.size() < most) start();
      listen();
      if (settings_.tick) settings_.tick();
      if (interruptAsked) problem_ = kInterrupted;
    }
    for (auto& worker : workers_) end(*worker);
    return problem_;
  }

 private:
  // The longest first, so that none of the processes has to be waited for at the end.
  void addTasks(const std::vector<size_t>& missing) {
    std::map<size_t, std::vector<size_t>> groups;
    for (size_t run : missing) groups[study_.runs[run].group].push_back(run);
    for (auto& [group, runs] : groups) {
      left_[group] = runs.size();
      const int64_t work = study_.groups[group].work;
      if (!study_.arguments.alone) tasks_.push_back({std::move(runs), work});
      else
        for (size_t run : runs) tasks_.push_back({{run}, work});
    }
    std::stable_sort(tasks_.begin(), tasks_.end(), [](const Task& a, const Task& b) { return a.work > b.work; });
  }

  void start() {
    auto worker = std::make_unique<Worker>();
    worker->task = std::move(tasks_.front());
    tasks_.pop_front();
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
      problem_ = std::string("cannot make a pipe: ") + std::strerror(errno);
      return;
    }
    const pid_t parent = ::getpid();
    worker->since = nowMilliseconds();
    worker->pid = ::fork();
    if (worker->pid == 0) {
      ::close(ends[0]);
      become(worker->task, ends[1], parent);
    }
    ::close(ends[1]);
    worker->pipe = ends[0];
    if (worker->pid < 0) {
      problem_ = std::string("cannot start a process: ") + std::strerror(errno);
      ::close(ends[0]);
      return;
    }
    ::fcntl(worker->pipe, F_SETFL, O_NONBLOCK);
    workers_.push_back(std::move(worker));
  }

  // In the new process. It has a memory of its own: the limit is on what it takes beyond what it was born with.
  [[noreturn]] void become(const Task& task, int pipe, pid_t parent) const {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(0);
    ::signal(SIGINT, SIG_IGN);  // the parent says when to stop
    ::signal(SIGTERM, SIG_DFL);
    const rlimit noCore = {0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    const auto bytes = static_cast<rlim_t>(dataBytesOfProcess() + study_.arguments.memoryBytes);
    const rlimit memory = {bytes, bytes};
    ::setrlimit(RLIMIT_DATA, &memory);
    std::set_new_handler(outOfMemory);
    const bool fine = runGroup({study_, task.runs, kept_, settings_.withOps, pipe});
    ::_exit(fine ? 0 : 1);
  }

  void listen() {
    std::vector<pollfd> ends;
    for (const auto& worker : workers_) ends.push_back({worker->pipe, POLLIN, 0});
    if (::poll(ends.data(), ends.size(), static_cast<int>(std::min<int64_t>(limit() / 4 + 1, kTickMilliseconds))) < 0)
      return;
    for (size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].revents != 0) read(*workers_[i]);
    }
    for (const auto& worker : workers_) {
      if (worker->pid > 0 && !worker->tooLong && isTooLong(*worker)) {
        worker->tooLong = true;
        ::kill(worker->pid, SIGKILL);
      }
    }
    std::erase_if(workers_, [](const auto& worker) { return worker->pid <= 0; });
  }

  int64_t limit() const { return study_.arguments.milliseconds; }
  // The limit is on processor time, so that a busy machine gives the same rows.
  bool isTooLong(const Worker& worker) const {
    return processorMilliseconds(worker.pid) - worker.processor > limit() ||
           nowMilliseconds() - worker.since > kMostPatience * limit();
  }

  // All messages that are there; at the end of the pipe the worker is gone.
  void read(Worker& worker) {
    WorkerMessage message;
    ssize_t got = 0;
    while ((got = ::read(worker.pipe, &message, sizeof message)) == static_cast<ssize_t>(sizeof message))
      take(worker, message);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    int status = 0;
    while (::waitpid(worker.pid, &status, 0) < 0 && errno == EINTR) {
    }
    ::close(worker.pipe);
    worker.pid = -1;
    if (problem_.empty() && worker.done < worker.task.runs.size()) mourn(worker, status);
  }

  void take(Worker& worker, const WorkerMessage& message) {
    switch (message.word) {
      case WorkerWord::Started:
        worker.since = nowMilliseconds();
        worker.processor = processorMilliseconds(worker.pid);
        return;
      case WorkerWord::Done: report(worker.task.runs[worker.done++], nullptr); return;
      case WorkerWord::CannotWrite:
        problem_ = std::string(message.text, ::strnlen(message.text, sizeof message.text));
        return;
    }
  }

  void report(size_t run, const KeptRun* failed) {
    const size_t left = --left_[study_.runs[run].group];
    if (settings_.finished) settings_.finished(study_.runs[run], failed, left == 0);
  }

  // The run at hand becomes a row with its reason; what comes after it is done by another worker. A run that ran out of
  // memory after others is tried again alone: they leave something behind.
  void mourn(Worker& worker, int status) {
    const size_t at = worker.done;
    const std::vector<size_t>& runs = worker.task.runs;
    const bool memory = !worker.tooLong && WIFEXITED(status) && WEXITSTATUS(status) == kMemoryExit;
    if (memory && at > 0) {
      tasks_.push_front({{runs.begin() + static_cast<std::ptrdiff_t>(at) + 1, runs.end()}, 0});
      if (tasks_.front().runs.empty()) tasks_.pop_front();
      tasks_.push_front({{runs[at]}, 0});
      return;
    }
    KeptRun failed;
    if (worker.tooLong) {
      failed.status = RunStatus::TimeLimit;
      failed.reason = "took longer than " + decimalText(limit(), 3) + " s";
    } else if (memory) {
      failed.status = RunStatus::MemoryLimit;
      failed.reason = "took more than " + std::to_string(study_.arguments.memoryBytes >> 20) + " MB";
    } else {
      failed.status = RunStatus::Crashed;
      failed.reason = WIFSIGNALED(status) ? "its process was ended by signal " + std::to_string(WTERMSIG(status))
                                          : "its process ended with exit code " + std::to_string(WEXITSTATUS(status));
    }
    problem_ = kept_.keep(study_.runs[runs[at]].key, failed);
    if (!problem_.empty()) return;
    report(runs[at], &failed);
    Task rest{{runs.begin() + static_cast<std::ptrdiff_t>(at) + 1, runs.end()}, 0};
    if (!rest.runs.empty()) tasks_.push_front(std::move(rest));
  }

  static void end(Worker& worker) {
    if (worker.pid <= 0) return;
    ::kill(worker.pid, SIGKILL);
    while (::waitpid(worker.pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    ::close(worker.pipe);
  }

  const Study& study_;
  const KeptRuns& kept_;
  const WorkerSettings& settings_;
  std::deque<Task> tasks_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::map<size_t, size_t> left_;  // runs of a group that are not done
  std::string problem_;
};

}  // namespace

std::string runStudy(const Study& study, const std::vector<size_t>& missing, const KeptRuns& kept,
                     const WorkerSettings& settings) {
  StudySignals signals;
  return WorkerPool(study, kept, settings).run(missing);
}

}  // namespace tessera
