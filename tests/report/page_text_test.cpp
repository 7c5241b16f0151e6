// Text in a page: whatever it holds, the page stays HTML in UTF-8.

#include "core/report/page_text.h"

#include <gtest/gtest.h>

namespace tessera::test {
namespace {

TEST(PageText, MarkupIsText) { EXPECT_EQ(htmlText("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;"); }

TEST(PageText, BrokenUtf8IsReplaced) {
  EXPECT_EQ(htmlText("gr\xC3\xB6\xC3\x9F"
                     "er"),
            "gr\xC3\xB6\xC3\x9F"
            "er");
  EXPECT_EQ(htmlText("a\xFF<"), "a\xEF\xBF\xBD&lt;");
  EXPECT_EQ(htmlText("a\xC3"), "a\xEF\xBF\xBD");
}

}  // namespace
}  // namespace tessera::test
