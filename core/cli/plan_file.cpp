#include "core/cli/plan_file.h"

#include "core/driver/read_file.h"

namespace tessera {

PlanFile::PlanFile(std::string name, std::string text)
    : source(std::move(name), std::move(text)), document(JsonDocument::parse(source, diagnostics)) {}

std::unique_ptr<PlanFile> readPlanFile(const std::string& path) {
  std::string text;
  if (!readFile(path, text) || text.size() > kMaxSourceBytes) return nullptr;
  return std::make_unique<PlanFile>(path == "-" ? "<stdin>" : path, std::move(text));
}

}  // namespace tessera
