// The page's study, in the module tessera_full, which the page loads when a study is run.

#include <emscripten/bind.h>

#include "core/driver/api.h"
#include "core/driver/session.h"
#include "core/study/desk.h"

namespace {

using Text = std::string;

tessera::StudyDesk& desk() {
  static tessera::StudyDesk one;
  return one;
}
tessera::Session& session() {
  static tessera::Session kept;
  return kept;
}

Text studyBegin(Text request) { return desk().begin(request); }
Text studyKeep(Text key, Text text) { return desk().keep(key, text); }
Text studyFail(Text key, Text status, Text reason) { return desk().fail(key, status, reason); }
Text study() { return desk().study(); }
Text studyFile(Text name, Text page) { return desk().file(name, page); }
Text studyRun(Text name, Text text, Text request) { return tessera::apiStudyRun(session(), name, text, request); }
Text problem(Text text, Text options) { return tessera::apiProblem(session(), text, options); }

}  // namespace

EMSCRIPTEN_BINDINGS(tessera_study) {
  emscripten::function("studyGraph", &tessera::apiStudyGraph);
  emscripten::function("studyBegin", &studyBegin);
  emscripten::function("studyKeep", &studyKeep);
  emscripten::function("studyFail", &studyFail);
  emscripten::function("study", &study);
  emscripten::function("studyFile", &studyFile);
  emscripten::function("studyRun", &studyRun);
  emscripten::function("problem", &problem);
}
