#pragma once
// Runs of one graph as one page that opens from disk, with the views of the page that need no engine.

#include <span>
#include <string>

#include "core/report/report.h"

namespace tessera {

// Writes the page: the runs' reports in the template (web/scripts/report_page.mjs), else a plain page with their plans.
// `source`: path of the graph. Empty, or what went wrong.
std::string writeReportPage(const std::string& path, const std::string& source, std::span<const Report* const> reports);

}  // namespace tessera
