// tessera profile: what a profile of the device holds, without a graph.

#include <cstdio>

#include "core/cli/command.h"
#include "core/evaluate/profile_match.h"

namespace tessera {

int profileCommand(std::span<const std::string> arguments) {
  if (arguments.size() != 1) return usage("profile takes a file");
  std::string text;
  if (!readFile(arguments[0], text)) return usage("cannot read `" + arguments[0] + "`");
  const Profile profile = readProfile(text);
  if (!profile.problem.empty()) {
    put(stderr, "tessera: `" + arguments[0] + "` is no profile: " + profile.problem + "\n");
    return kExitDiagnostics;
  }
  put(stdout, profileText(profile));
  return kExitFine;
}

}  // namespace tessera
