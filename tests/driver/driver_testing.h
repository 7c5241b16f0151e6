#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "core/driver/api.h"
#include "core/driver/session.h"
#include "core/report/report.h"
#include "core/support/json_value.h"
#include "core/support/json_writer.h"

namespace tessera::test {

// JSON text that stays parsed as long as this lives.
struct Json {
  SourceBuffer source;
  Diagnostics diags;
  JsonDocument document;

  explicit Json(std::string text)
      : source("answer.json", std::move(text)), document(JsonDocument::parse(source, diags)) {
    EXPECT_FALSE(diags.hasErrors()) << source.text().substr(0, 300);
  }
  Json(const Json&) = delete;
  JsonValue operator[](std::string_view name) const { return document.root().get(name); }
};

// The text as a string of JSON.
inline std::string jsonText(std::string_view text) {
  JsonWriter w;
  w.value(text);
  return w.take();
}

inline const std::string kRelu =
    "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
    "  %0 = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  return %0 : tensor<64x64xbf16>\n}\n";

// A copy of the run's program of its own, which a test may change.
inline CarriedOut& ownProgram(RunOutcome& run) {
  auto own = std::make_shared<CarriedOut>(*run.program);
  run.program = own;
  return *own;
}

// The calls of the page, in one session for all tests of a program: no answer may depend on an earlier call.
inline Session& sharedSession() {
  static Session session;
  return session;
}
inline std::string apiLint(const std::string& text) { return tessera::apiLint(sharedSession(), text); }
inline std::string apiRun(const std::string& text, const std::string& options) {
  return tessera::apiRun(sharedSession(), text, options);
}
inline std::string apiCompare(const std::string& text, const std::string& runs) {
  return tessera::apiCompare(sharedSession(), text, runs);
}
inline std::string apiPasses(const std::string& text, const std::string& options) {
  return tessera::apiPasses(sharedSession(), text, options);
}
inline std::string apiCheckPasses(const std::string& text, const std::string& options) {
  return tessera::apiCheckPasses(sharedSession(), text, options);
}
inline std::string apiExport(const std::string& text, const std::string& options, const std::string& what) {
  return tessera::apiExport(sharedSession(), text, options, what);
}

// Kinds of the diagnostics of an answer, in order, separated by spaces.
inline std::string kinds(JsonValue answer) {
  std::string text;
  JsonValue list = answer.get("diagnostics");
  for (size_t i = 0; i < list.size(); ++i)
    text += (i ? " " : "") + std::string(list.at(i).get("kind").asString().value_or("?"));
  return text;
}

}  // namespace tessera::test
