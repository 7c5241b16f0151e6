#pragma once
// Plans that come to the command line as text.

#include <memory>
#include <string>

#include "core/support/json_value.h"

namespace tessera {

// Pinned: the document's values point into it.
struct PlanFile {
  SourceBuffer source;
  Diagnostics diagnostics;  // of the text as JSON
  JsonDocument document;

  PlanFile(std::string name, std::string text);
  PlanFile(const PlanFile&) = delete;
  PlanFile& operator=(const PlanFile&) = delete;
};

// Null when the file cannot be read; "-" is standard input.
std::unique_ptr<PlanFile> readPlanFile(const std::string& path);

}  // namespace tessera
