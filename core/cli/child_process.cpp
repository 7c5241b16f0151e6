#include "core/cli/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

namespace tessera {

namespace {

constexpr size_t kKeptErrors = 4096;

int64_t nowMilliseconds() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

std::string secondsText(int64_t milliseconds) {
  std::string text = std::to_string(milliseconds / 1000);
  if (milliseconds % 1000) text += "." + std::to_string(milliseconds % 1000 / 100);
  return text + " s";
}

// Both ends of a pipe; what is left open is closed.
struct Pipe {
  std::array<int, 2> ends = {-1, -1};
  bool open() { return ::pipe2(ends.data(), O_CLOEXEC) == 0; }
  void close(size_t end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
  ~Pipe() { close(0), close(1); }
};

class Child {
 public:
  Child(const std::string& input, const ChildLimits& limits)
      : input_(input), limits_(limits), deadline_(nowMilliseconds() + limits.milliseconds) {}

  ChildAnswer run(const std::string& command) {
    if (!in_.open() || !out_.open() || !err_.open()) return failed("cannot make a pipe");
    pid_ = ::fork();
    if (pid_ < 0) return failed("cannot start a process");
    if (pid_ == 0) become(command);
    ::setpgid(pid_, pid_);  // here, too: the time may be over before the child has run
    in_.close(0), out_.close(1), err_.close(1);
    for (int end : {in_.ends[1], out_.ends[0], err_.ends[0]}) ::fcntl(end, F_SETFL, O_NONBLOCK);
    while (answer_.problem.empty() && (out_.ends[0] >= 0 || err_.ends[0] >= 0)) talk();
    in_.close(1);
    finish();
    return std::move(answer_);
  }

 private:
  ChildAnswer failed(const char* what) {
    answer_.problem = std::string(what) + ": " + std::strerror(errno);
    return std::move(answer_);
  }

  // In the new process. Nothing here allocates.
  [[noreturn]] void become(const std::string& command) {
    ::setpgid(0, 0);
    ::dup2(in_.ends[0], 0), ::dup2(out_.ends[1], 1), ::dup2(err_.ends[1], 2);
    const rlimit memory = {static_cast<rlim_t>(limits_.memoryBytes), static_cast<rlim_t>(limits_.memoryBytes)};
    ::setrlimit(RLIMIT_DATA, &memory);
    const rlimit noCore = {0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }

  // Waits until the child reads or writes, once.
  void talk() {
    const int64_t left = deadline_ - nowMilliseconds();
    if (left <= 0) {
      answer_.problem = "gave no answer within " + secondsText(limits_.milliseconds) + " and was stopped";
      return;
    }
    std::array<pollfd, 3> ends = {pollfd{in_.ends[1], POLLOUT, 0}, pollfd{out_.ends[0], POLLIN, 0},
                                  pollfd{err_.ends[0], POLLIN, 0}};
    if (::poll(ends.data(), ends.size(), static_cast<int>(std::min<int64_t>(left, 1000))) <= 0) return;
    if (ends[0].revents != 0) feed();
    if (ends[1].revents != 0) read(out_, answer_.out);
    if (ends[2].revents != 0) read(err_, answer_.err);
    if (answer_.out.size() > limits_.outputBytes)
      answer_.problem = "answered with more than " + std::to_string(limits_.outputBytes) + " bytes and was stopped";
    if (answer_.err.size() > 2 * kKeptErrors) answer_.err.erase(0, answer_.err.size() - kKeptErrors);
  }

  // A child that does not read its input is no mistake.
  void feed() {
    const ssize_t wrote = ::write(in_.ends[1], input_.data() + fed_, input_.size() - fed_);
    if (wrote > 0) fed_ += static_cast<size_t>(wrote);
    const bool again = wrote < 0 && (errno == EAGAIN || errno == EINTR);
    if (fed_ == input_.size() || (wrote < 0 && !again)) in_.close(1);
  }

  static void read(Pipe& pipe, std::string& to) {
    std::array<char, 65'536> bytes;
    const ssize_t got = ::read(pipe.ends[0], bytes.data(), bytes.size());
    if (got > 0) to.append(bytes.data(), static_cast<size_t>(got));
    else if (got == 0 || (errno != EAGAIN && errno != EINTR)) pipe.close(0);
  }

  // The group dies with it, whatever it has started.
  void finish() {
    int status = 0;
    pid_t ended = 0;
    while (answer_.problem.empty() && (ended = ::waitpid(pid_, &status, WNOHANG)) == 0) {
      if (nowMilliseconds() > deadline_)
        answer_.problem = "did not end within " + secondsText(limits_.milliseconds) + " and was stopped";
      else ::usleep(1000);
    }
    ::kill(-pid_, SIGKILL);
    if (ended == 0) ::waitpid(pid_, &status, 0);
    if (!answer_.problem.empty()) return;
    if (WIFSIGNALED(status)) answer_.problem = "was ended by signal " + std::to_string(WTERMSIG(status));
    else if (WEXITSTATUS(status) == 127) answer_.problem = "cannot be run";
    else if (WEXITSTATUS(status) != 0) answer_.problem = "ended with exit code " + std::to_string(WEXITSTATUS(status));
  }

  const std::string& input_;
  const ChildLimits& limits_;
  const int64_t deadline_;
  Pipe in_, out_, err_;
  pid_t pid_ = -1;
  size_t fed_ = 0;
  ChildAnswer answer_;
};

// Writing to a child that has gone must not end the program.
class IgnoredPipeSignal {
 public:
  IgnoredPipeSignal() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~IgnoredPipeSignal() { std::signal(SIGPIPE, before_); }
  IgnoredPipeSignal(const IgnoredPipeSignal&) = delete;
  IgnoredPipeSignal& operator=(const IgnoredPipeSignal&) = delete;

 private:
  void (*before_)(int);
};

}  // namespace

ChildAnswer runChild(const std::string& command, const std::string& input, const ChildLimits& limits) {
  IgnoredPipeSignal ignored;
  return Child(input, limits).run(command);
}

}  // namespace tessera
