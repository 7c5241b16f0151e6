#include "core/study/graphs.h"

#include <algorithm>
#include <map>

#include "core/support/fingerprint.h"

namespace tessera {

namespace {

// Lines of MLIR that begin with a result, members "op" of JSON.
int64_t countOpLines(std::string_view text) {
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

// The folders of a path and its file, without `.` and with `..` carried out; "/" first when it is absolute.
std::vector<std::string> partsOf(std::string_view path) {
  std::vector<std::string> parts;
  if (!path.empty() && path[0] == '/') parts.emplace_back("/");
  for (size_t at = 0; at < path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    const bool backward = part == ".." && !parts.empty() && parts.back() != ".." && parts.back() != "/";
    if (backward) parts.pop_back();
    else if (!part.empty() && part != ".") parts.emplace_back(part);
    at = end + 1;
  }
  return parts;
}

// The last `level` parts of the path; level 0: the last one without its ending.
std::string nameAt(const std::string& path, size_t level) {
  const std::vector<std::string> parts = partsOf(path);
  if (parts.empty()) return path;
  if (level == 0) {
    const size_t dot = parts.back().rfind('.');
    return dot == std::string::npos || dot == 0 ? parts.back() : parts.back().substr(0, dot);
  }
  std::string name;
  for (size_t i = parts.size() - std::min(level, parts.size()); i < parts.size(); ++i)
    name += (name.empty() || name.back() == '/' ? "" : "/") + parts[i];
  return name;
}

}  // namespace

std::string contentHash(std::string_view text) {
  Fingerprint forward, backward;
  forward.add(text);
  backward.add(static_cast<int64_t>(text.size()));
  backward.add(text);
  return forward.text() + backward.text();
}

StudyGraph describeGraph(std::string path, std::string_view text) {
  return {"", std::move(path), contentHash(text), static_cast<int64_t>(text.size()), countOpLines(text)};
}

void nameGraphs(std::vector<StudyGraph>& graphs) {
  std::vector<size_t> left(graphs.size());
  for (size_t i = 0; i < left.size(); ++i) left[i] = i;
  constexpr size_t kMostParts = 64;
  for (size_t level = 0; !left.empty() && level <= kMostParts; ++level) {
    std::map<std::string, int> counts;
    for (size_t i : left) ++counts[graphs[i].name = nameAt(graphs[i].path, level)];
    std::erase_if(left, [&](size_t i) { return counts[graphs[i].name] == 1; });
  }
  std::sort(graphs.begin(), graphs.end(), [](const StudyGraph& a, const StudyGraph& b) { return a.name < b.name; });
}

bool looksLikeGraphJson(std::string_view beginning) {
  const std::string_view text = beginning.substr(0, kGraphBeginning);
  const size_t first = text.find_first_not_of("\xEF\xBB\xBF \t\r\n");  // of what readers of a graph pass over
  return text.find("\"tessera-graph\"") != std::string_view::npos ||
         (text.find("\"version\"") != std::string_view::npos && text.find("\"schema\"") == std::string_view::npos &&
          text[first] == '{');
}

}  // namespace tessera
