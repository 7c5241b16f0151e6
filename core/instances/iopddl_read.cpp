// Reads a contest instance without building a document of it: the large ones hold millions of numbers.

#include <algorithm>
#include <string>

#include "core/instances/iopddl.h"
#include "core/solve/live_intervals.h"

namespace tessera {

namespace {

// Lists of numbers and where each begins in the file.
struct Lists {
  std::vector<std::vector<int64_t>> rows;
  std::vector<uint32_t> places;
  uint32_t begin = 0;  // of all

  size_t size() const { return rows.size(); }
  std::vector<int64_t>& operator[](size_t i) { return rows[i]; }
  const std::vector<int64_t>& operator[](size_t i) const { return rows[i]; }
};

struct Mistake {
  std::string text;  // empty: none
  uint32_t place = 0;
};

constexpr int kMaxDepth = 64;
constexpr size_t kMaxNodes = 1'000'000;
constexpr size_t kMaxRows = 4'000'000;  // of a list of lists: an empty row takes more memory than it has text
constexpr size_t kMaxStrategies = 4096;
constexpr int64_t kForbiddenInFile = 1'000'000'000'000'000'000;
constexpr int64_t kMaxUsage = int64_t{1} << 42;  // times 10^6 nodes still fits 64 bits

class Reader {
 public:
  Reader(const SourceBuffer& source, Diagnostics& diagnostics) : text_(source.text()), diagnostics_(diagnostics) {}

  bool fail(const std::string& what) {
    if (!failed_)
      diagnostics_.report(DiagKind::JsonSyntax, {static_cast<uint32_t>(at_), static_cast<uint32_t>(at_)}, {what});
    failed_ = true;
    return false;
  }
  bool failed() const { return failed_; }
  uint32_t place() const { return static_cast<uint32_t>(at_); }

  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  bool expect(char wanted) { return take(wanted) || fail(std::string("expected `") + wanted + "`"); }
  bool atEnd() { return peek() == '\0' && at_ >= text_.size(); }

  bool string(std::string& out) {
    if (!expect('"')) return false;
    out.clear();
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;  // names need no decoding
      out += text_[at_++];
    }
    return expect('"');
  }

  // Integers; larger ones than 64 bits are taken as the largest, which means forbidden.
  bool integer(int64_t& out) {
    peek();
    const bool negative = at_ < text_.size() && text_[at_] == '-';
    if (negative) ++at_;
    const size_t begin = at_;
    int64_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      const int64_t digit = text_[at_] - '0';
      value = value > (INT64_MAX - digit) / 10 ? INT64_MAX : value * 10 + digit;
    }
    if (at_ == begin) return fail("expected an integer");
    if (at_ < text_.size() && (text_[at_] == '.' || text_[at_] == 'e' || text_[at_] == 'E'))
      return fail("expected an integer, not a fraction");
    out = negative ? -value : value;
    return true;
  }

  template <class Each>
  bool object(Each each) {
    if (!expect('{')) return false;
    if (take('}')) return true;
    std::string key;
    do {
      if (!string(key) || !expect(':') || !each(key)) return false;
    } while (take(','));
    return expect('}');
  }

  // [[1, 2], [3], ...]
  bool lists(Lists& out) {
    peek();
    out = {{}, {}, static_cast<uint32_t>(at_)};
    if (!expect('[')) return false;
    if (take(']')) return true;
    do {
      peek();
      out.places.push_back(static_cast<uint32_t>(at_));
      if (!expect('[')) return false;
      if (out.rows.size() == kMaxRows) return fail("more than " + std::to_string(kMaxRows) + " rows");
      std::vector<int64_t>& row = out.rows.emplace_back();
      if (take(']')) continue;
      do {
        if (!integer(row.emplace_back())) return false;
      } while (take(','));
      if (!expect(']')) return false;
    } while (take(','));
    return expect(']');
  }

  // Skips a value of an unknown key; counts brackets instead of recursing.
  bool skip() {
    std::string ignored;
    int depth = 0;
    do {
      const char c = peek();
      if (c == '\0') return fail("unexpected end");
      if (c == '"') {
        if (!string(ignored)) return false;
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      if (depth > kMaxDepth) return fail("nesting too deep");
      if (depth < 0) return fail("unexpected bracket");
      ++at_;
      if (depth == 0 && c != '}' && c != ']')
        while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '}' && text_[at_] != ']') ++at_;
    } while (depth > 0);
    return true;
  }

 private:
  std::string_view text_;
  Diagnostics& diagnostics_;
  size_t at_ = 0;
  bool failed_ = false;
};

struct Raw {
  std::string name;
  Lists intervals, costs, usages, edges, edgeCosts;
  int64_t limit = -1;
  uint32_t limitPlace = 0;
};

bool readRaw(Reader& in, Raw& raw) {
  const auto nodes = [&](const std::string& key) {
    if (key == "intervals") return in.lists(raw.intervals);
    if (key == "costs") return in.lists(raw.costs);
    if (key == "usages") return in.lists(raw.usages);
    return in.skip();
  };
  const auto edges = [&](const std::string& key) {
    if (key == "nodes") return in.lists(raw.edges);
    if (key == "costs") return in.lists(raw.edgeCosts);
    return in.skip();
  };
  const auto problem = [&](const std::string& key) {
    if (key == "name") return in.string(raw.name);
    if (key == "nodes") return in.object(nodes);
    if (key == "edges") return in.object(edges);
    if (key == "usage_limit") {
      raw.limitPlace = in.place();
      return in.integer(raw.limit);
    }
    return in.skip();
  };
  const auto top = [&](const std::string& key) { return key == "problem" ? in.object(problem) : in.skip(); };
  return in.object(top) && (in.atEnd() || in.fail("text after the end"));
}

bool tooLarge(int64_t cost) { return cost < -kMaxTotalCost || (cost > kMaxTotalCost && cost < kForbiddenInFile); }

Mistake mistakeInNode(const Raw& raw, size_t v) {
  const std::string node = "node " + std::to_string(v);
  if (raw.intervals[v].size() != 2 || raw.intervals[v][0] < 0 || raw.intervals[v][1] < 0)
    return {node + ": an interval is two times that are not negative", raw.intervals.places[v]};
  if (raw.costs[v].empty() || raw.costs[v].size() > kMaxStrategies)
    return {node + ": 1 to " + std::to_string(kMaxStrategies) + " strategies are read", raw.costs.places[v]};
  if (raw.usages[v].size() != raw.costs[v].size())
    return {node + ": as many usages as costs are needed", raw.usages.places[v]};
  for (int64_t cost : raw.costs[v])
    if (tooLarge(cost))
      return {node + ": a cost is too large and yet below 10^18, which means forbidden", raw.costs.places[v]};
  for (int64_t usage : raw.usages[v])
    if (usage < 0 || usage > kMaxUsage) return {node + ": a usage is negative or too large", raw.usages.places[v]};
  return {};
}

Mistake mistakeInEdge(const Raw& raw, size_t e) {
  const auto count = static_cast<int64_t>(raw.costs.size());
  const std::string edge = "edge " + std::to_string(e);
  const std::vector<int64_t>& ends = raw.edges[e];
  const uint32_t place = raw.edges.places[e];
  if (ends.size() != 2 || ends[0] == ends[1]) return {edge + ": an edge joins two different nodes", place};
  for (int64_t end : ends)
    if (end < 0 || end >= count) return {edge + ": there is no node " + std::to_string(end), place};
  const size_t pairs = raw.costs[static_cast<size_t>(ends[0])].size() * raw.costs[static_cast<size_t>(ends[1])].size();
  if (raw.edgeCosts[e].size() != pairs)
    return {edge + ": one cost per pair of strategies is needed", raw.edgeCosts.places[e]};
  for (int64_t cost : raw.edgeCosts[e])
    if (tooLarge(cost))
      return {edge + ": a cost is too large and yet below 10^18, which means forbidden", raw.edgeCosts.places[e]};
  return {};
}

// The first rule beyond the syntax that the instance breaks.
Mistake mistakeIn(const Raw& raw) {
  const size_t count = raw.costs.size();
  if (count == 0) return {"`nodes.costs` is empty", raw.costs.begin};
  if (count > kMaxNodes) return {"more than " + std::to_string(kMaxNodes) + " nodes", raw.costs.begin};
  for (const Lists* lists : {&raw.intervals, &raw.usages})
    if (lists->size() != count) return {"`intervals`, `costs` and `usages` have different lengths", lists->begin};
  if (raw.limit < 0) return {"`usage_limit` is missing or negative", raw.limitPlace};
  for (size_t v = 0; v < count; ++v)
    if (Mistake mistake = mistakeInNode(raw, v); !mistake.text.empty()) return mistake;
  if (raw.edges.size() != raw.edgeCosts.size())
    return {"`edges.nodes` and `edges.costs` have different lengths", raw.edgeCosts.begin};
  for (size_t e = 0; e < raw.edges.size(); ++e)
    if (Mistake mistake = mistakeInEdge(raw, e); !mistake.text.empty()) return mistake;
  return {};
}

std::vector<Cost> readCosts(const std::vector<int64_t>& from) {
  std::vector<Cost> costs;
  for (int64_t cost : from) costs.push_back(cost >= kForbiddenInFile ? kForbidden : cost);
  return costs;
}

}  // namespace

std::optional<IopddlProblem> readIopddl(const SourceBuffer& source, Diagnostics& diagnostics) {
  Reader in(source, diagnostics);
  Raw raw;
  if (!readRaw(in, raw)) return std::nullopt;
  Mistake mistake = mistakeIn(raw);
  IopddlProblem problem;
  if (mistake.text.empty()) {
    problem.name = raw.name;
    problem.usageLimit = raw.limit;
    for (size_t v = 0; v < raw.costs.size(); ++v) {
      problem.nodes.push_back({raw.intervals[v][0], raw.intervals[v][1], std::move(raw.usages[v])});
      problem.costs.addVariable(readCosts(raw.costs[v]));
    }
    for (size_t e = 0; e < raw.edges.size(); ++e)
      problem.costs.addFactor({static_cast<int>(raw.edges[e][0]), static_cast<int>(raw.edges[e][1])},
                              readCosts(raw.edgeCosts[e]));
    if (!problem.costs.costsFit()) mistake = {"the costs add up to more than 57 bits", raw.costs.begin};
  }
  if (mistake.text.empty()) return problem;
  diagnostics.report(DiagKind::BadInstance, {mistake.place, mistake.place}, {mistake.text});
  return std::nullopt;
}

Cost evaluateIopddl(const IopddlProblem& problem, const std::vector<int>& values) {
  std::vector<std::pair<int64_t, int64_t>> events;
  for (size_t v = 0; v < problem.nodes.size(); ++v) {
    const IopddlProblem::Node& node = problem.nodes[v];
    if (node.begin >= node.end) continue;
    const int64_t usage = node.usages[static_cast<size_t>(values[v])];
    events.emplace_back(node.begin, usage);
    events.emplace_back(node.end, -usage);
  }
  if (greatestLoad(std::move(events)) > problem.usageLimit) return kForbidden;
  return problem.costs.evaluate(values);
}

}  // namespace tessera
