#include "core/evaluate/eval_json.h"

#include "core/driver/read_file.h"

namespace tessera {

EvalJson::EvalJson(const EvalRequest& request, std::string_view list, EvalResult& result) {
  std::string text;
  if (!readFile(request.file, text)) {
    result.problem = "cannot read `" + request.file + "`";
    return;
  }
  source_ = SourceBuffer(request.file, std::move(text));
  Diagnostics diagnostics;
  document_ = JsonDocument::parse(source_, diagnostics);
  rows_ = list.empty() ? document_.root() : document_.root().get(list);
  if (diagnostics.hasErrors()) result.problem = renderDiagnostic(diagnostics.all().front(), source_);
  else if (!rows_.isArray())
    result.problem =
        "`" + request.file + (list.empty() ? "` is no list of rows" : "` has no list `" + std::string(list) + "`");
}

}  // namespace tessera
