#include "core/study/find_graphs.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/driver/read_file.h"
#include "core/support/fingerprint.h"

namespace tessera {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMostGraphs = 100'000;
constexpr int kMostDepth = 16;  // of folders within folders

class GraphFinder {
 public:
  FoundGraphs find(std::span<const std::string> paths) {
    for (const std::string& path : paths) {
      if (out_.mistake.empty()) add(path);
    }
    if (out_.mistake.empty() && files_.empty()) out_.mistake = "no graph given";
    for (const std::string& path : files_) {
      if (!out_.mistake.empty()) break;
      read(path);
    }
    giveNames();
    std::sort(out_.graphs.begin(), out_.graphs.end(),
              [](const StudyGraph& a, const StudyGraph& b) { return a.name < b.name; });
    return std::move(out_);
  }

 private:
  void add(const std::string& path) {
    std::error_code none;
    const fs::file_status status = fs::status(path, none);
    if (fs::is_directory(status)) addFolder(path);
    else if (fs::exists(status)) addFile(path);
    else if (path.find_first_of("*?[") != std::string::npos) addPattern(path);
    else out_.mistake = "cannot read `" + path + "`: no such file or folder";
  }

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

  // Among the JSON files of a folder there are others than graphs: a graph names its functions, and `version` or
  // `format` near its beginning.
  bool holdsGraph(const std::string& path) {
    std::string text;
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (!file) return true;  // to be a row that says so
    text.resize(4096);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    const bool graph = text.find("\"tessera-graph\"") != std::string::npos ||
                       (text.find("\"version\"") != std::string::npos && text.find("\"schema\"") == std::string::npos &&
                        text[0] == '{');
    if (!graph) out_.skipped.push_back(path);
    return graph;
  }

  void addPattern(const std::string& pattern) {
    glob_t found{};
    if (::glob(pattern.c_str(), 0, nullptr, &found) != 0) {
      out_.mistake = "nothing matches `" + pattern + "`";
      return;
    }
    for (size_t i = 0; i < found.gl_pathc && out_.mistake.empty(); ++i) add(found.gl_pathv[i]);
    ::globfree(&found);
  }

  // A file that cannot be read stays: it is a row that says so.
  void read(const std::string& path) {
    StudyGraph graph;
    graph.path = path;
    std::string text;
    if (readFile(path, text)) {
      graph.bytes = static_cast<int64_t>(text.size());
      graph.ops = countOps(text);
    }
    graph.hash = contentHash(text);
    out_.graphs.push_back(std::move(graph));
  }

  // Lines of MLIR that begin with a result, members "op" of JSON.
  static int64_t countOps(std::string_view text) {
    int64_t ops = 1;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      const size_t first = text.find_first_not_of(" \t", at);
      ops += first < end && text[first] == '%';
      at = end + 1;
    }
    for (size_t at = 0; (at = text.find("\"op\"", at)) != std::string_view::npos; at += 4) ++ops;
    return ops;
  }

  // The last `level` parts of the path; level 0: the last one without its ending.
  static std::string nameAt(const std::string& path, size_t level) {
    const fs::path whole = fs::path(path).lexically_normal();
    if (level == 0) return whole.stem().string();
    std::vector<std::string> parts;
    for (const fs::path& part : whole) parts.push_back(part.string());
    std::string name;
    for (size_t i = parts.size() - std::min(level, parts.size()); i < parts.size(); ++i)
      name += (name.empty() || name.back() == '/' ? "" : "/") + parts[i];
    return name;
  }

  void giveNames() {
    std::vector<size_t> left(out_.graphs.size());
    for (size_t i = 0; i < left.size(); ++i) left[i] = i;
    constexpr size_t kMostParts = 64;
    for (size_t level = 0; !left.empty() && level <= kMostParts; ++level) {
      std::map<std::string, int> counts;
      for (size_t i : left) ++counts[out_.graphs[i].name = nameAt(out_.graphs[i].path, level)];
      std::erase_if(left, [&](size_t i) { return counts[out_.graphs[i].name] == 1; });
    }
  }

  FoundGraphs out_;
  std::vector<std::string> files_;
  std::map<std::string, bool> known_;
};

}  // namespace

std::string contentHash(std::string_view text) {
  Fingerprint forward, backward;
  forward.add(text);
  backward.add(static_cast<int64_t>(text.size()));
  backward.add(text);
  return forward.text() + backward.text();
}

FoundGraphs findGraphs(std::span<const std::string> paths) { return GraphFinder().find(paths); }

}  // namespace tessera
