#pragma once
// What the calls of the page are asked: a text, and a run of it as JSON.

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "core/driver/pipeline.h"
#include "core/support/json_value.h"

namespace tessera {

inline constexpr const char* kApiSourceName = "input";
inline constexpr std::string_view kPlanKey = "plan";  // of a run: a plan to be carried out in place of a policy's

// The document of an object; nothing when the text is blank. Mistakes have no place: those in the options text are not
// places in the source.
JsonDocument parseRequest(const SourceBuffer& source, Diagnostics& diags);

// The run of an object of options, on the session's last source: where none is named, the policy is the one that the
// graph suggests; with the key `plan`, that plan is carried out. Never fails, as prepareRun.
std::unique_ptr<FinishedRun> runAsked(Session& session, JsonValue run, const Diagnostics& diags);

// What every call about one run is given: a source text and the options of the run, in JSON.
struct RunRequest {
  RunRequest(Session& session, const std::string& text, const std::string& optionsJson,
             std::initializer_list<std::string_view> alsoAllowed = {});

  std::unique_ptr<FinishedRun> run();

  Session& session;
  SourceBuffer source;
  Diagnostics diags;  // about the options
  JsonDocument document;
  const LoadedGraph& loaded;
  Options options;
};

}  // namespace tessera
