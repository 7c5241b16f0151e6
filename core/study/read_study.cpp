// study.json back to the study it speaks of. Whatever stands in the file is checked against what this program makes of
// the same arguments.

#include "core/study/study_rows.h"

namespace tessera {

namespace {

class StudyReader {
 public:
  Study read(const std::string& name, std::string text) {
    const SourceBuffer source(name, std::move(text));
    Diagnostics diagnostics;
    const JsonDocument document = JsonDocument::parse(source, diagnostics);
    const JsonValue root = document.root();
    if (!root.present()) {
      fail(diagnostics.all().empty() ? "is empty" : "is no JSON: " + diagnostics.all().front().message);
    } else if (root.get("schema").asInteger() != kStudySchema || !root.get("runs").isArray()) {
      fail("is no study of version " + std::to_string(kStudySchema));
    }
    if (!study_.mistake.empty()) return prefixed(name);
    if (!root.get("arguments").isObject()) fail("has no arguments");
    readArguments(root.get("arguments"));
    readGraphs(root.get("graphs"));
    StudyProgram program{textOf(root.get("program").get("version")), textOf(root.get("program").get("build"))};
    StudyShard shard;
    if (const JsonValue part = root.get("shard"); part.present()) {
      shard.part = static_cast<int32_t>(numberOf(part.get("part"), 1, kMostParts));
      shard.of = static_cast<int32_t>(numberOf(part.get("of"), 1, kMostParts));
      if (shard.part > shard.of) fail("has a shard that is none");
    }
    if (!study_.mistake.empty()) return prefixed(name);
    study_ = makeStudy(std::move(study_.arguments), std::move(study_.graphs), std::move(program), shard);
    if (study_.mistake.empty()) checkKeys(root.get("runs"));
    return prefixed(name);
  }

  // What is absent keeps its default.
  StudyArguments arguments(JsonValue object, std::string& mistake) {
    readArguments(object);
    if (mistake.empty()) mistake = study_.mistake;
    return std::move(study_.arguments);
  }

 private:
  static constexpr int64_t kMostParts = 100'000;

  void fail(const std::string& why) {
    if (study_.mistake.empty()) study_.mistake = why;
  }
  Study prefixed(const std::string& name) {
    if (!study_.mistake.empty()) study_.mistake = "`" + name + "`: " + study_.mistake;
    return std::move(study_);
  }
  std::string textOf(JsonValue value) {
    if (!value.isString()) fail("lacks a text where one has to be");
    return std::string(value.asString().value_or(""));
  }
  int64_t numberOf(JsonValue value, int64_t least, int64_t most) {
    const std::optional<int64_t> number = value.asInteger();
    if (!number || *number < least || *number > most) fail("lacks a number where one has to be");
    return number ? std::min(std::max(*number, least), most) : least;
  }
  std::vector<std::string> textsOf(JsonValue list) {
    std::vector<std::string> texts;
    if (!list.isArray()) fail("lacks a list where one has to be");
    for (size_t i = 0; i < list.size(); ++i) texts.push_back(textOf(list.at(i)));
    return texts;
  }
  std::vector<StudyAxis> axesOf(JsonValue list) {
    std::vector<StudyAxis> axes;
    if (!list.isArray()) fail("lacks a list where one has to be");
    for (size_t i = 0; i < list.size(); ++i) {
      axes.push_back({textOf(list.at(i).get("option")), textsOf(list.at(i).get("values"))});
      if (axes.back().values.empty()) fail("has an option without values");
    }
    return axes;
  }

  void readArguments(JsonValue object) {
    StudyArguments& out = study_.arguments;
    auto present = [&](const char* name) { return object.get(name).present(); };
    if (present("policies")) out.policies = textsOf(object.get("policies"));
    for (size_t i = 0; i < object.get("outside").size(); ++i) {
      const JsonValue one = object.get("outside").at(i);
      out.outside.push_back({textOf(one.get("name")), textOf(one.get("hash"))});
    }
    if (present("devices")) out.devices = textsOf(object.get("devices"));
    if (present("axes")) out.axes = axesOf(object.get("axes"));
    if (present("options")) out.options = axesOf(object.get("options"));
    out.optimum = object.get("optimum").asBool().value_or(true);
    out.alone = object.get("alone").asBool().value_or(false);
    if (present("timeLimit")) out.milliseconds = numberOf(object.get("timeLimit"), 1, INT64_MAX);
    if (present("memoryLimit")) out.memoryBytes = numberOf(object.get("memoryLimit"), 1, INT64_MAX);
  }

  void readGraphs(JsonValue list) {
    if (!list.isArray()) fail("has no list of graphs");
    for (size_t i = 0; i < list.size() && study_.mistake.empty(); ++i) {
      const JsonValue one = list.at(i);
      study_.graphs.push_back({textOf(one.get("name")), "", textOf(one.get("hash")),
                               numberOf(one.get("bytes"), 0, INT64_MAX), numberOf(one.get("lines"), 0, INT64_MAX)});
    }
  }

  // Its runs are those of the shard, in this order and by these keys.
  void checkKeys(JsonValue runs) {
    size_t at = 0;
    for (const StudyRun& run : study_.runs) {
      if (!run.listed || !study_.mine(run)) continue;
      if (runs.at(at).get("key").asString() != run.key)
        return fail("run " + std::to_string(at) +
                    " is not that of its arguments: another version of the program "
                    "made it, or it was changed");
      ++at;
    }
    if (at != runs.size()) fail("has more runs than its arguments give");
  }

  Study study_;
};

}  // namespace

StudyArguments readStudyArguments(JsonValue object, std::string& mistake) {
  return StudyReader().arguments(object, mistake);
}

Study readStudy(const std::string& name, std::string text) { return StudyReader().read(name, std::move(text)); }

}  // namespace tessera
