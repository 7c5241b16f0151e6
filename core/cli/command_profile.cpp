// tessera profile: what a profile of the device holds, without a graph.

#include <cstdio>

#include "core/cli/command.h"
#include "core/profile/profile.h"

namespace tessera {

int profileCommand(std::span<const std::string> arguments) {
  std::string file, text;
  bool json = false;
  for (const std::string& argument : arguments) {
    if (argument == "--json") json = true;
    else if (!file.empty() || argument.rfind("--", 0) == 0) return usage("profile takes a file");
    else file = argument;
  }
  if (file.empty()) return usage("profile takes a file");
  if (!readFile(file, text)) return usage("cannot read `" + file + "`");
  const Profile profile = readProfile(text);
  if (!profile.problem.empty()) {
    put(stderr, "tessera: `" + file + "` is no profile: " + profile.problem + "\n");
    return kExitDiagnostics;
  }
  put(stdout, json ? profileJson(profile, nullptr, {}) + "\n" : profileText(profile));
  return kExitFine;
}

}  // namespace tessera
