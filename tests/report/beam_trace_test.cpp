// A beam trace by hand: what the page is given of it, figure by figure, and which entries the way back takes.

#include "core/report/beam_trace_json.h"

#include "tests/driver/driver_testing.h"

namespace tessera::test {
namespace {

TraceScore scoreOf(int64_t cores) { return {true, false, 10 * cores, true, cores, 100 * cores}; }

TraceOp opAt(int64_t index, const std::vector<std::string>& beam) {
  TraceOp op;
  op.opIndex = index;
  op.opName = "op" + std::to_string(index);
  for (size_t i = 0; i < beam.size(); ++i)
    op.beam.push_back({static_cast<int64_t>(i), beam[i], scoreOf(8 - static_cast<int64_t>(i))});
  return op;
}

// How entry `entry` of the beam came about.
void evaluate(TraceOp& op, size_t entry, const std::vector<std::string>& inputs) {
  TraceEvaluation one;
  one.hint = "hint";
  one.inputs = inputs;
  one.valid = true;
  one.score = op.beam[entry].score;
  one.output = op.beam[entry].outputLayout;
  op.evaluations.push_back(one);
}

TraceInputSet set(int64_t operand, bool beam, bool reshard, std::vector<std::string> layouts) {
  return {operand, beam, reshard, std::move(layouts)};
}

// Ops 10 and 20 are read by 30, which reads 10 resharded in its second entry; 10 is read by 40, too.
DecisionTrace trace() {
  DecisionTrace trace;
  trace.functionName = "main";
  trace.beamWidth = 4;
  TraceOp first = opAt(10, {"a", "b", "c"}), second = opAt(20, {"a", "d"}), third = opAt(30, {"e", "f"}),
          last = opAt(40, {"g"});
  third.inputCandidateSets = {set(0, true, false, {"a", "b", "c"}), set(0, true, true, {"r"}),
                              set(1, true, false, {"a", "d"}), set(2, false, false, {"w"})};
  evaluate(third, 0, {"c", "d", "w"});
  evaluate(third, 1, {"r", "a", "w"});
  last.inputCandidateSets = {set(0, true, false, {"a", "b", "c"})};
  evaluate(last, 0, {"b"});
  trace.forwardPass = {first, second, third, last};
  trace.edges = {{10, 30, 0, 0, false, ""}, {20, 30, 1, 0, false, ""}, {10, 40, 0, 0, true, "r"}};
  return trace;
}

std::string linksOf(const TracedEntry& entry) {
  std::string text;
  for (const TracedLink& link : entry.links)
    text += (text.empty() ? "" : " ") + std::to_string(link.operand) + ":" + std::to_string(link.producerOpIndex) +
            "." + (link.reshard.empty() ? std::to_string(link.slot) : link.reshard);
  return text;
}

std::string chosen(const std::vector<TracedBeam>& beams) {
  std::string text;
  for (const TracedBeam& beam : beams) text += (text.empty() ? "" : " ") + std::to_string(beam.chosen);
  return text;
}

TEST(BeamTrace, EntriesPointToWhatTheyRead) {
  const std::vector<TracedBeam> beams = inferBeams(trace());
  ASSERT_EQ(beams.size(), 4u);
  ASSERT_EQ(beams[2].entries.size(), 2u);
  EXPECT_EQ(linksOf(beams[2].entries[0]), "0:10.2 1:20.1");
  EXPECT_EQ(linksOf(beams[2].entries[1]), "0:10.r 1:20.0");
  EXPECT_EQ(linksOf(beams[3].entries[0]), "0:10.1");
  EXPECT_EQ(linksOf(beams[0].entries[0]), "");
}

// From the end: 40 takes its best and points to entry 1 of op 10; 30, its best, points to entry 2 of it and to 1 of
// op 20. Of the two the later reader is heard, unless a fork says otherwise.
TEST(BeamTrace, TheWayBackFollowsTheLastReaderUnlessAForkSaysOtherwise) {
  EXPECT_EQ(chosen(inferBeams(trace())), "1 1 0 0");
  DecisionTrace forked = trace();
  TraceFork fork;
  fork.opIndex = 10;
  fork.chosenCandidateIndex = 2;
  forked.forkResolutions = {fork};
  EXPECT_EQ(chosen(inferBeams(forked)), "2 1 0 0");
  forked.forkResolutions[0].chosenCandidateIndex = 3;  // it has three
  EXPECT_EQ(chosen(inferBeams(forked)), "1 1 0 0");
  forked.forkResolutions[0].chosenCandidateIndex = -1;
  EXPECT_EQ(chosen(inferBeams(forked)), "1 1 0 0");
  forked.forkResolutions[0] = fork;
  forked.forkResolutions[0].opIndex = 99;
  EXPECT_EQ(chosen(inferBeams(forked)), "1 1 0 0");
  forked.forkResolutions[0].opIndex = 30;
  forked.forkResolutions[0].chosenCandidateIndex = 1;  // op 20 is then read by its first
  EXPECT_EQ(chosen(inferBeams(forked)), "1 0 1 0");
}

// Entries alike in layout and score take the evaluations in order; an edge from a later op is none.
TEST(BeamTrace, EntriesThatAreAlikeTakeEvaluationsInOrder) {
  DecisionTrace twice = trace();
  TraceOp& third = twice.forwardPass[2];
  third.beam[1] = third.beam[0];
  third.evaluations.clear();
  evaluate(third, 0, {"a", "a", "w"});
  evaluate(third, 0, {"b", "d", "w"});
  third.evaluations[0].valid = false;
  evaluate(third, 0, {"c", "a", "w"});
  twice.edges.push_back({40, 30, 2, 0, false, ""});
  const std::vector<TracedBeam> beams = inferBeams(twice);
  EXPECT_EQ(linksOf(beams[2].entries[0]), "0:10.1 1:20.1");
  EXPECT_EQ(linksOf(beams[2].entries[1]), "0:10.2 1:20.0");
}

std::string listOf(JsonValue list) {
  std::string text;
  for (size_t i = 0; i < list.size(); ++i) {
    const JsonValue one = list.at(i);
    text += (i > 0 ? " " : "") + (one.isString()  ? std::string(*one.asString())
                                  : one.isArray() ? "[" + listOf(one) + "]"
                                                  : std::to_string(one.asInteger().value_or(-99)));
  }
  return text;
}

TEST(BeamTrace, TheJsonHasEveryFigureInItsPlace) {
  DecisionTrace given = trace();
  given.forwardPass[2].crossProductSize = 17;
  given.forwardPass[2].usedDramFallback = true;
  given.forwardPass[2].opLocation = "here";
  given.forwardPass[3].isInplace = true;
  TraceEvaluation refused;
  refused.hint = "other";
  refused.failureReason = "too large";
  refused.inputs = {"b", "d", "w"};
  given.forwardPass[2].evaluations.insert(given.forwardPass[2].evaluations.end(), {refused, refused});
  given.finalChoices = {{30, "op30", "f"}, {10, "op10", "c"}};
  TraceFork fork;
  fork.opIndex = 10;
  fork.chosenCandidateIndex = 2;
  fork.consumerOpIndices = {30, 99, 40};
  given.forkResolutions = {fork};
  TraceSpills spills{1000, 4, 2, 300, 3, {}};
  spills.events.push_back({30, "op30", "evict", 900, 400, 50, "%v", "why"});
  given.spillManagement = spills;
  std::vector<TracedBeam> beams = inferBeams(given);
  beams[2].entries[1].minCores = 6;
  beams[2].entries[1].reshards = kReshardShare * 3 / 2;
  beams[2].entries[1].time = 77;
  JsonWriter w;
  writeBeamTrace(w, given, beams, [](int64_t index) { return index + 1; });
  const Json json(w.take());
  EXPECT_EQ(json["function"].asString(), "main");
  EXPECT_EQ(json["beamWidth"].asInteger(), 4);
  std::vector<std::string> layouts;
  for (size_t i = 0; i < json["layouts"].size(); ++i) layouts.emplace_back(*json["layouts"].at(i).asString());
  const auto named = [&](JsonValue number) {
    const int64_t at = number.asInteger().value_or(-99);
    return at < 0 ? std::to_string(at) : layouts.at(static_cast<size_t>(at));
  };
  const JsonValue op = json["ops"].at(2);
  EXPECT_EQ(op.get("index").asInteger(), 30);
  EXPECT_EQ(op.get("row").asInteger(), 31);
  EXPECT_EQ(op.get("op").asString(), "op30");
  EXPECT_EQ(op.get("location").asString(), "here");
  EXPECT_EQ(op.get("combinations").asInteger(), 17);
  EXPECT_EQ(op.get("tries").asInteger(), 4);
  EXPECT_EQ(op.get("fallback").asBool(), true);
  EXPECT_EQ(op.get("inPlace").asBool(), false);
  EXPECT_EQ(json["ops"].at(3).get("inPlace").asBool(), true);
  EXPECT_EQ(named(op.get("final")), "f");
  EXPECT_EQ(named(json["ops"].at(0).get("final")), "c");
  EXPECT_EQ(named(json["ops"].at(1).get("final")), "-1");
  const JsonValue inputs = op.get("inputs");
  ASSERT_EQ(inputs.size(), 4u);
  EXPECT_EQ(inputs.at(0).get("from").asString(), "beam");
  EXPECT_EQ(inputs.at(1).get("from").asString(), "reshard");
  EXPECT_EQ(inputs.at(3).get("from").asString(), "fixed");
  EXPECT_EQ(inputs.at(2).get("operand").asInteger(), 1);
  ASSERT_EQ(inputs.at(0).get("layouts").size(), 3u);
  EXPECT_EQ(named(inputs.at(0).get("layouts").at(2)), "c");
  // Evaluations that differ in nothing but their inputs are one candidate: here the two that were refused.
  const JsonValue candidates = op.get("candidates");
  ASSERT_EQ(candidates.size(), 3u);
  EXPECT_EQ(candidates.at(2).get("count").asInteger(), 2);
  EXPECT_EQ(candidates.at(2).get("output").asInteger(), -1);
  EXPECT_EQ(json["reasons"].at(static_cast<size_t>(*candidates.at(2).get("reason").asInteger())).asString(),
            "too large");
  EXPECT_FALSE(candidates.at(2).get("score").present());
  EXPECT_EQ(candidates.at(0).get("reason").asInteger(), -1);
  EXPECT_EQ(named(candidates.at(1).get("output")), "f");
  EXPECT_EQ(named(candidates.at(1).get("inputs").at(0)), "r");
  EXPECT_EQ(op.get("candidatesLeftOut").asInteger(), 0);
  const JsonValue beam = op.get("beam");
  EXPECT_EQ(listOf(beam.at(1).get("score")), "1 0 70 1 7 700") << "L1, sharded, DRAM bytes, reshard, cores, L1 bytes";
  EXPECT_EQ(named(beam.at(0).get("output")), "e");
  EXPECT_EQ(listOf(beam.at(0).get("links")), "[0 0 2 -1] [1 1 1 -1]");
  EXPECT_FALSE(beam.at(0).get("minCores").present());
  EXPECT_FALSE(beam.at(0).get("pathReshards").present());
  EXPECT_EQ(beam.at(1).get("minCores").asInteger(), 6);
  EXPECT_EQ(beam.at(1).get("pathReshards").asNumber(), 1.5);
  EXPECT_EQ(beam.at(1).get("pathTime").asInteger(), 77);
  EXPECT_EQ(named(beam.at(1).get("links").at(0).at(3)), "r");
  EXPECT_EQ(op.get("chosen").asInteger(), 0);
  ASSERT_EQ(json["edges"].size(), 3u);
  EXPECT_EQ(listOf(json["edges"].at(1)), "1 2 1 -1");
  EXPECT_EQ(named(json["edges"].at(2).at(3)), "r");
  EXPECT_EQ(json["forks"].at(0).get("at").asInteger(), 0);
  EXPECT_EQ(json["forks"].at(0).get("slot").asInteger(), 2);
  EXPECT_EQ(listOf(json["forks"].at(0).get("consumers")), "2 3");
  const JsonValue moves = json["spills"], event = moves.get("events").at(0);
  EXPECT_EQ(moves.get("budget").asInteger(), 1000);
  EXPECT_EQ(moves.get("steps").asInteger(), 4);
  EXPECT_EQ(moves.get("total").asInteger(), 2);
  EXPECT_EQ(moves.get("finalOccupied").asInteger(), 300);
  EXPECT_EQ(moves.get("finalLive").asInteger(), 3);
  EXPECT_EQ(event.get("at").asInteger(), 2);
  EXPECT_EQ(event.get("position").asInteger(), 30);
  EXPECT_EQ(event.get("row").asInteger(), 31);
  EXPECT_EQ(event.get("action").asString(), "evict");
  EXPECT_EQ(event.get("before").asInteger(), 900);
  EXPECT_EQ(event.get("after").asInteger(), 400);
  EXPECT_EQ(event.get("needed").asInteger(), 50);
  EXPECT_EQ(event.get("victim").asString(), "%v");
  EXPECT_EQ(event.get("details").asString(), "why");
}

// Of an op 96 candidates are told, the others are counted.
// Edges, links and forks of ops that the trace does not list are left out, as are edges that lead back.
TEST(BeamTrace, EdgesJoinOpsThatAreListedInTheirOrder) {
  DecisionTrace given = trace();
  given.edges = {{99, 30, 0, 0, false, ""}, {10, 99, 1, 0, false, ""}, {30, 10, 2, 0, false, ""},
                 {20, 20, 3, 0, false, ""}, {10, 20, 4, 0, false, ""}, {30, 40, 5, 0, false, "r"}};
  TraceFork fork;
  fork.opIndex = 99;
  given.forkResolutions = {fork};
  std::vector<TracedBeam> beams = inferBeams(given);
  TracedLink nowhere = {};
  nowhere.producerOpIndex = 99;
  beams[3].entries[0].links = {nowhere};
  JsonWriter w;
  writeBeamTrace(w, given, beams, [](int64_t index) { return index; });
  const Json json(w.take());
  EXPECT_EQ(listOf(json["edges"]), "[0 1 4 -1] [2 3 5 -1]");
  EXPECT_EQ(json["forks"].size(), 0u);
  EXPECT_EQ(json["ops"].at(3).get("beam").at(0).get("links").size(), 0u);
}

TEST(BeamTrace, CandidatesBeyondTheMostAreCounted) {
  DecisionTrace many = trace();
  TraceOp& op = many.forwardPass[1];
  for (int i = 0; i < 99; ++i) {
    TraceEvaluation one;
    one.hint = "hint" + std::to_string(i);
    op.evaluations.insert(op.evaluations.end(), {one, one});
  }
  JsonWriter w;
  writeBeamTrace(w, many, {}, [](int64_t) { return -1; });
  const Json json(w.take());
  const JsonValue told = json["ops"].at(1);
  EXPECT_EQ(told.get("candidates").size(), 96u);
  EXPECT_EQ(told.get("candidatesLeftOut").asInteger(), 6);
  EXPECT_EQ(told.get("tries").asInteger(), 198);
  EXPECT_EQ(told.get("chosen").asInteger(), -1);
}

}  // namespace
}  // namespace tessera::test
