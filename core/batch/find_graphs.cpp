#include "core/batch/find_graphs.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/driver/read_file.h"

namespace tessera {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMostGraphs = 100'000;
constexpr int kMostDepth = 16;  // of folders within folders

class GraphFinder {
 public:
  FoundGraphs find(std::span<const std::string> paths) {
    for (const std::string& path : paths) {
      if (out_.mistake.empty() && !add(path)) addPattern(path);
    }
    if (out_.mistake.empty() && files_.empty()) out_.mistake = "no graph given";
    for (const std::string& path : files_) {
      if (!out_.mistake.empty()) break;
      read(path);
    }
    nameGraphs(out_.graphs);
    return std::move(out_);
  }

 private:
  // False when there is no such file or folder.
  bool add(const std::string& path) {
    std::error_code none;
    const fs::file_status status = fs::status(path, none);
    if (fs::is_directory(status)) addFolder(path);
    else if (fs::exists(status)) addFile(path);
    else return false;
    return true;
  }

  void missing(const std::string& path) { out_.mistake = "cannot read `" + path + "`: no such file or folder"; }

  void addFile(const std::string& path) {
    std::error_code none;
    const fs::path real = fs::canonical(path, none);
    if (!known_.insert({none ? path : real.string(), true}).second) return;
    files_.push_back(path);
    if (files_.size() > kMostGraphs) out_.mistake = "more than " + std::to_string(kMostGraphs) + " graphs";
  }

  void addFolder(const std::string& path) {
    std::error_code problem;
    std::vector<std::string> found;
    fs::recursive_directory_iterator at(path, fs::directory_options::skip_permission_denied, problem), end;
    for (; !problem && at != end; at.increment(problem)) {
      const bool hidden = at->path().filename().string().rfind(".", 0) == 0;
      if (at->is_directory(problem) && (hidden || at.depth() >= kMostDepth)) at.disable_recursion_pending();
      const std::string ending = at->path().extension().string();
      const bool wanted = ending == ".mlir" || (ending == ".json" && holdsGraph(at->path().string()));
      if (!hidden && wanted && at->is_regular_file(problem)) found.push_back(at->path().string());
      if (found.size() > kMostGraphs) break;
    }
    if (problem) out_.mistake = "cannot read the folder `" + path + "`: " + problem.message();
    else if (found.empty()) out_.mistake = "no graph in the folder `" + path + "`: looked for *.mlir and *.json";
    std::sort(found.begin(), found.end());
    for (const std::string& file : found) addFile(file);
  }

  bool holdsGraph(const std::string& path) {
    std::string text;
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (!file) return true;  // to be a row that says so
    text.resize(kGraphBeginning);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    const bool graph = looksLikeGraphJson(text);
    if (!graph) out_.skipped.push_back(path);
    return graph;
  }

  // What matches is a name and no pattern, whatever it looks like: a link to nowhere may be called `*`.
  void addPattern(const std::string& pattern) {
    if (pattern.find_first_of("*?[") == std::string::npos) return missing(pattern);
    glob_t found{};
    if (::glob(pattern.c_str(), 0, nullptr, &found) != 0) {
      out_.mistake = "nothing matches `" + pattern + "`";
      return;
    }
    for (size_t i = 0; i < found.gl_pathc && out_.mistake.empty(); ++i) {
      if (!add(found.gl_pathv[i])) missing(found.gl_pathv[i]);
    }
    ::globfree(&found);
  }

  // A file that cannot be read stays: it is a row that says so.
  void read(const std::string& path) {
    std::string text;
    const bool read = readFile(path, text);
    StudyGraph graph = describeGraph(path, text);
    if (!read) graph.bytes = graph.ops = 0;
    out_.graphs.push_back(std::move(graph));
  }

  FoundGraphs out_;
  std::vector<std::string> files_;
  std::map<std::string, bool> known_;
};

}  // namespace

FoundGraphs findGraphs(std::span<const std::string> paths) { return GraphFinder().find(paths); }

}  // namespace tessera
