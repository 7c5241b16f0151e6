// tessera call: one of the calls that the page makes, with the same arguments and the same answer; or many of them, a
// line of standard input for each, which share nothing but the process.

#include <cstdio>

#include "core/cli/command.h"
#include "core/cli/run_figures.h"
#include "core/driver/api.h"
#include "core/support/json_value.h"

namespace tessera {

namespace {

struct Call {
  std::string_view name;
  std::string (*answer)(Session& session, const std::string& text, const std::string& json);
};
constexpr Call kCalls[] = {
    {"lint", [](Session& session, const std::string& text, const std::string&) { return apiLint(session, text); }},
    {"run", apiRun},
    {"compare", apiCompare},
    {"passes", apiPasses},
    {"regret", apiRegret},
    {"check-passes", apiCheckPasses},
    {"execute-plan", apiExecutePlan},
    {"problem", apiProblem},
    {"log-dump", [](Session&, const std::string& text, const std::string&) { return apiLogDump(text); }},
    {"decision-trace", [](Session&, const std::string& text, const std::string&) { return apiDecisionTrace(text); }},
    {"export",  // of a run with the default options; in place of JSON stands what to export
     [](Session& session, const std::string& text, const std::string& what) {
       return apiExport(session, text, "", what);
     }},
    {"layout", [](Session&, const std::string& request, const std::string&) { return apiLayout(request); }},
    {"figures", runFigures},  // native only
};
constexpr size_t kMostLine = 2 * kMaxSourceBytes;  // bytes of a question

const Call* findCall(std::string_view name) {
  for (const Call& call : kCalls) {
    if (call.name == name) return &call;
  }
  return nullptr;
}

// False at the end of the input, and when a line is too long.
bool readLine(std::FILE* from, std::string& line) {
  line.clear();
  for (int c = std::fgetc(from); c != EOF; c = std::fgetc(from)) {
    if (c == '\n') return true;
    if (line.size() == kMostLine) return false;
    line += static_cast<char>(c);
  }
  return !line.empty();
}

// Every line is [name, text, JSON]. An answer is a line as well, empty when the question cannot be read.
int answerLines() {
  std::string line;
  while (readLine(stdin, line)) {
    const SourceBuffer source("question", line);
    Diagnostics diags;
    const JsonDocument document = JsonDocument::parse(source, diags);
    const JsonValue question = document.root();
    const Call* call = findCall(question.at(0).asString().value_or(""));
    std::string answer;
    if (question.isArray() && call != nullptr) {
      Session session;
      answer = call->answer(session, std::string(question.at(1).asString().value_or("")),
                            std::string(question.at(2).asString().value_or("")));
    }
    put(stdout, answer + "\n");
    std::fflush(stdout);
  }
  return kExitFine;
}

}  // namespace

int callCommand(std::span<const std::string> arguments) {
  if (arguments.size() == 1 && arguments[0] == "--lines") return answerLines();
  if (arguments.size() < 2 || arguments.size() > 3) return usage("call takes a name, a file and perhaps JSON");
  const Call* call = findCall(arguments[0]);
  if (call == nullptr) return usage("unknown call `" + arguments[0] + "`");
  std::string text;
  if (!readFile(arguments[1], text)) return usage("cannot read `" + arguments[1] + "`");
  Session session;
  put(stdout, call->answer(session, text, arguments.size() > 2 ? arguments[2] : "") + "\n");
  return kExitFine;
}

}  // namespace tessera
