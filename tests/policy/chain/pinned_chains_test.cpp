// Chains that meet: several sharded chains whose results one op joins, forks between them, caches written in place.
// What the chain generation goes through on them, all events with their figures, under several shares of L1.

#include "core/report/chain_trace_json.h"
#include "tests/pinned.h"
#include "tests/policy/chain/chain_testing.h"
#include "tests/policy/random_graph.h"

namespace tessera::test {
namespace {

PinnedFile& pins = PinnedFile::named("pinned_chains");

class MeetingChains {
 public:
  explicit MeetingChains(uint64_t seed) : random_(seed), side_(kSides[seed % 4]), text_(shapeText()) {}

  std::string write() {
    std::vector<std::string> ends;
    const int64_t chains = 2 + random_.below(3);
    for (int64_t c = 0; c < chains; ++c) ends.push_back(chain(argument(), 1 + random_.below(4)));
    if (random_.oneIn(2)) cache();
    while (ends.size() > 1) {
      const size_t a = take(ends.size()), b = (a + 1 + take(ends.size() - 1)) % ends.size();
      const std::string met = join(ends[a], ends[b]);
      const std::string joined = chain(met, random_.below(3));
      const std::string left = ends[a];
      ends.erase(ends.begin() + static_cast<std::ptrdiff_t>(std::max(a, b)));
      ends.erase(ends.begin() + static_cast<std::ptrdiff_t>(std::min(a, b)));
      ends.push_back(random_.oneIn(4) ? join(joined, left) : joined);  // read once more, behind the join
    }
    std::vector<std::string> returned = {ends[0]};
    if (!kept_.empty()) returned.push_back(kept_);
    return text_.returning(returned);
  }

 private:
  static constexpr int64_t kSides[] = {512, 1024, 256, 2048};
  std::string shapeText() const { return std::to_string(side_) + "x" + std::to_string(side_); }
  size_t take(size_t count) { return static_cast<size_t>(random_.below(static_cast<int64_t>(count))); }
  std::string fresh() { return "%" + std::to_string(count_++); }

  std::string argument() {
    const std::string name = "%arg" + std::to_string(arguments_++);
    text_.arg(name);
    return name;
  }

  std::string chain(std::string from, int64_t length) {
    const char* const kUnary[] = {"ttnn.relu", "ttnn.exp", "ttnn.gelu", "ttnn.neg"};
    for (int64_t i = 0; i < length; ++i) {
      const std::string to = fresh();
      if (random_.oneIn(3)) text_.matmul(to, from, argument());
      else if (random_.oneIn(4)) text_.op(to, "ttnn.add", {from, argument()});
      else text_.op(to, kUnary[random_.below(4)], {from});
      if (random_.oneIn(9)) kept_ = to;
      from = to;
    }
    return from;
  }

  std::string join(const std::string& a, const std::string& b) {
    const std::string to = fresh();
    if (random_.oneIn(4)) text_.matmul(to, a, b);
    else text_.op(to, random_.oneIn(2) ? "ttnn.multiply" : "ttnn.add", {a, b});
    return to;
  }

  // Read before it is written and behind it; nothing of the rest reads it.
  void cache() {
    const std::string shape = "1x8x64x32", name = "%cache", x = "%row", before = fresh(), after = fresh();
    text_.arg(name, shape).arg(x, shape);
    text_.op(before, "ttnn.relu", {name}, shape);
    const std::string written = fresh();
    text_.op(written, "ttnn.add", {before, x}, shape);
    text_.op(after, "ttnn.exp", {written}, shape);
    kept_ = after;
  }

  SplitMix64 random_;
  int64_t side_;
  GraphText text_;
  int count_ = 0, arguments_ = 0;
  std::string kept_;
};

void addPlanTo(Fingerprint& print, const Plan& plan) {
  for (const OpId op : plan.order) print.add(int64_t{op.index});
  for (const ValueId value : plan.layout.ids()) print.add(plan.layout[value] ? layoutText(*plan.layout[value]) : "");
  for (const Reshard& reshard : plan.reshards)
    print.add(int64_t{reshard.consumer.index}), print.add(int64_t{reshard.operand}), print.add(layoutText(reshard.to));
  for (const Spill& spill : plan.spills)
    print.add(int64_t{spill.value.index}), print.add(int64_t{spill.before.index}), print.add(layoutText(spill.to));
}

TEST(PinnedChains, ThatMeet) {
  constexpr uint64_t kSeeds = 12;
  for (const std::string_view policy : {"DFSharding", "DFSharding2"}) {
    for (const int cap : {1000, 500, 250, 120, 60}) {
      Fingerprint plans, events;
      int64_t tried = 0, merged = 0, time = 0;
      for (uint64_t seed = 1; seed <= (smallTests() ? kSeeds / 6 : kSeeds); ++seed) {
        const auto run = runOn(graphOf(MeetingChains(seed).write()), policy, {.l1UsageCapPermille = cap},
                               allDevices()[seed % 5 == 0 ? 2 : 0]);
        expectSound(*run);
        time += run->sim.time.count;
        addPlanTo(plans, run->plan);
        if (!run->log.chain) continue;
        for (const ChainEvent& event : run->log.chain->events) {
          tried += event.kind == ChainEventKind::MergeTried;
          merged += event.kind == ChainEventKind::MergeApplied;
        }
        IdVec<OpId, int32_t> rows(run->graph.ops.size());
        for (const OpId op : run->graph.ops.ids()) rows[op] = op.index;
        JsonWriter w;
        writeChainTrace(w, *run->log.chain, run->graph, rows);
        events.add(w.take());
      }
      if (!smallTests())
        pins.expect(std::string(policy) + " " + std::to_string(cap),
                    std::to_string(time) + " ns, " + std::to_string(merged) + " of " + std::to_string(tried) +
                        " merged, plans " + digits(plans) + " events " + digits(events));
    }
  }
}

}  // namespace
}  // namespace tessera::test
