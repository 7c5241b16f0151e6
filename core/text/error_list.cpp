#include "core/text/error_list.h"

#include "core/support/check.h"
#include "core/support/stable_sort.h"

namespace tessera::text {

void ErrorList::add(DiagKind kind, Span span, std::initializer_list<std::string_view> arguments) {
  if (pending_.size() >= kMaxPending) return;
  Pending& added = pending_.emplace_back(Pending{kind, span, {}});
  for (std::string_view argument : arguments) added.arguments.emplace_back(argument.substr(0, kMaxArgumentBytes));
}

void ErrorList::flush(Diagnostics& diags) {
  stableSort(pending_, [](const Pending& a, const Pending& b) { return a.span.begin < b.span.begin; });
  for (const Pending& error : pending_) {
    const auto& arguments = error.arguments;
    TESSERA_CHECK(arguments.size() <= 2, "a syntax diagnostic takes at most two arguments");
    std::string_view first = arguments.empty() ? std::string_view{} : std::string_view(arguments[0]);
    std::string_view second = arguments.size() < 2 ? std::string_view{} : std::string_view(arguments[1]);
    diags.report(error.kind, error.span, {first, second});
  }
  pending_.clear();
}

}  // namespace tessera::text
