// tessera call: one of the calls that the page makes, with the same arguments and the same answer.

#include <cstdio>

#include "core/driver/api.h"
#include "core/driver/commands/command.h"

namespace tessera {

namespace {

struct Call {
  std::string_view name;
  std::string (*answer)(const std::string& text, const std::string& json);
};
constexpr Call kCalls[] = {
    {"lint", [](const std::string& text, const std::string&) { return apiLint(text); }},
    {"run", apiRun},
    {"compare", apiCompare},
    {"passes", apiPasses},
};

}  // namespace

int callCommand(std::span<const std::string> arguments) {
  if (arguments.size() < 2 || arguments.size() > 3) return usage("call takes a name, a file and perhaps JSON");
  for (const Call& call : kCalls) {
    if (call.name != arguments[0]) continue;
    std::string text;
    if (!readFile(arguments[1], text)) return usage("cannot read `" + arguments[1] + "`");
    put(stdout, call.answer(text, arguments.size() > 2 ? arguments[2] : "") + "\n");
    return kExitFine;
  }
  return usage("unknown call `" + arguments[0] + "`");
}

}  // namespace tessera
