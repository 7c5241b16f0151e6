#pragma once
// A study in the page: strings in, one JSON string out, never failing. A desk knows the study and what is finished of
// it; runs are done elsewhere, each by apiStudyRun in whatever worker is free.

#include <map>
#include <string>

#include "core/study/study_rows.h"

namespace tessera {

class Session;

class StudyDesk {
 public:
  // Request: {"arguments": as in study.json, each member may be absent, "graphs": [{"path","hash","bytes","lines"}],
  // "build": what tells this program from others}.
  // {"mistake":"","graphs":[names],"runs":[{"key","path","graph","device","values","policy","listed","group","work",
  // "options":{"device","policy",...}}]}, runs of one group behind each other. What was finished stays known.
  std::string begin(const std::string& requestJson);
  // What apiStudyRun said. {"kept":true} when it is a run of this key.
  std::string keep(const std::string& key, const std::string& text);
  // A run that did not end; `status`: "time limit", "crashed", ...
  std::string fail(const std::string& key, const std::string& status, const std::string& reason);
  // {"study": study.json of what is finished, "costs": microseconds that deciding took, by run, "missing": runs}
  std::string study() const;
  // `name`: "runs.csv", "spills.csv", "study.json" or "study.html"; `page`: what the last one is filled into.
  // {"text":...}, null when there is no such file.
  std::string file(const std::string& name, const std::string& page) const;

 private:
  StudyResults results(const TakeLines& lines) const;

  Study study_;
  std::map<std::string, KeptRun> kept_;  // by key
};

// Of a file: {"graph":true,"hash","bytes","lines"}; "graph" is false for JSON files that hold none.
std::string apiStudyGraph(const std::string& path, const std::string& text);
// One run; `requestJson`: {"key","options":{...},"plan": in place of the policy's}. The text of a kept run.
std::string apiStudyRun(Session& session, const std::string& name, const std::string& text,
                        const std::string& requestJson);

}  // namespace tessera
