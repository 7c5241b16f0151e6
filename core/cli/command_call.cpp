// tessera call: one of the calls that the page makes, with the same arguments and the same answer.

#include <cstdio>

#include "core/cli/command.h"
#include "core/driver/api.h"

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
};

}  // namespace

int callCommand(std::span<const std::string> arguments) {
  if (arguments.size() < 2 || arguments.size() > 3) return usage("call takes a name, a file and perhaps JSON");
  for (const Call& call : kCalls) {
    if (call.name != arguments[0]) continue;
    std::string text;
    if (!readFile(arguments[1], text)) return usage("cannot read `" + arguments[1] + "`");
    Session session;
    put(stdout, call.answer(session, text, arguments.size() > 2 ? arguments[2] : "") + "\n");
    return kExitFine;
  }
  return usage("unknown call `" + arguments[0] + "`");
}

}  // namespace tessera
