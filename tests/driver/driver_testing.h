#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/driver/api.h"
#include "core/support/json_value.h"

namespace tessera::test {

// JSON text that stays parsed as long as this lives.
struct Json {
  SourceBuffer source;
  Diagnostics diags;
  JsonDocument document;

  explicit Json(std::string text) : source("answer.json", std::move(text)), document(JsonDocument::parse(source, diags)) {
    EXPECT_FALSE(diags.hasErrors()) << source.text().substr(0, 300);
  }
  Json(const Json&) = delete;
  JsonValue operator[](std::string_view name) const { return document.root().get(name); }
};

inline const std::string kRelu =
    "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
    "  %0 = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  return %0 : tensor<64x64xbf16>\n}\n";

// Kinds of the diagnostics of an answer, in order, separated by spaces.
inline std::string kinds(JsonValue answer) {
  std::string text;
  JsonValue list = answer.get("diagnostics");
  for (size_t i = 0; i < list.size(); ++i) text += (i ? " " : "") + std::string(list.at(i).get("kind").asString().value_or("?"));
  return text;
}

}  // namespace tessera::test
