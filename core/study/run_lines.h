#pragma once
// The rows of a finished run in the words of spills.csv and ops.csv.

#include <string>
#include <string_view>
#include <vector>

#include "core/report/losses.h"

namespace tessera {

std::string lossLines(const RunOutcome& run, const std::vector<Loss>& losses);
std::string opLines(const RunOutcome& run);
std::vector<std::string_view> lossColumns();
std::vector<std::string_view> opColumns();
// One field of a line: quoted where it has to be, always on one line.
std::string csvField(std::string_view text);

}  // namespace tessera
