#include <string>
#include <vector>

#include "core/cli/cli.h"

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  return tessera::runCommandLine(arguments);
}
