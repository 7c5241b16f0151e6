#pragma once
// Runs a solver of another origin on a text, where one is installed. Development only: nothing of it ships.

#include <unistd.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace tessera::testing_solver {

inline bool installed(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

// Writes `text` to a file that ends in `ending` and returns what "program BEFORE file AFTER" prints.
inline std::string run(const std::string& program, const std::string& text, const std::string& ending,
                       const std::string& after) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("tessera_oracle_" + std::to_string(::getpid()) + ending);
  std::ofstream(file) << text;
  const std::string command = program + " " + file.string() + " " + after + " 2>&1";
  std::string output;
  if (FILE* pipe = popen(command.c_str(), "r")) {
    std::array<char, 4096> buffer;
    while (size_t got = fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), got);
    pclose(pipe);
  }
  std::filesystem::remove(file);
  return output;
}

// The number behind the last occurrence of `label`; false when there is none.
inline bool numberAfter(const std::string& output, const std::string& label, double& number) {
  const size_t where = output.rfind(label);
  if (where == std::string::npos) return false;
  const char* begin = output.c_str() + where + label.size();
  char* end = nullptr;
  number = std::strtod(begin, &end);
  return end != begin;
}

}  // namespace tessera::testing_solver
