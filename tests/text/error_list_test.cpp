// Mistakes are reported in the order of where they begin, those of one place in the order in which they were found.
#include "core/text/error_list.h"

#include <gtest/gtest.h>

namespace tessera::text {
namespace {

std::string flushed(ErrorList& errors) {
  Diagnostics diags;
  errors.flush(diags);
  std::string places;
  for (const Diagnostic& d : diags.all())
    places += std::to_string(d.span.begin) + "-" + std::to_string(d.span.end) + " ";
  return places;
}

TEST(ErrorList, IsSortedByWhereMistakesBegin) {
  ErrorList errors;
  errors.add(DiagKind::UnterminatedBracket, {40, 41}, {"{"});
  errors.add(DiagKind::UnexpectedToken, {8, 10}, {"a", "b"});
  errors.add(DiagKind::UnterminatedString, {5, 30});
  errors.add(DiagKind::UnexpectedToken, {8, 9}, {"c", "d"});
  EXPECT_EQ(flushed(errors), "5-30 8-10 8-9 40-41 ");
  EXPECT_EQ(flushed(errors), "") << "reported once";
}

TEST(ErrorList, TakesBackWhatWasAddedSince) {
  ErrorList errors;
  errors.add(DiagKind::UnterminatedString, {5, 30});
  const size_t before = errors.size();
  errors.add(DiagKind::UnterminatedString, {1, 2});
  errors.truncate(before);
  errors.truncate(7);
  EXPECT_EQ(flushed(errors), "5-30 ");
}

}  // namespace
}  // namespace tessera::text
