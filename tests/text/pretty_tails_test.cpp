// What may stand behind an op in its own form: types, a place, a dictionary; the next op begins behind all of it.

#include "tests/text/text_helpers.h"

namespace tessera::text {
namespace {

TEST(PrettyTails, TheNextOpBeginsBehindThem) {
  for (const char* tail : {"", " : i32", " loc(\"here\")", " : i32 loc(\"here\")", " {a = 1 : i32}",
                           " {a = 1 : i32} : i32", " : i32 {a = 1 : i32}", " {a = 1 : i32} : i32 loc(\"here\")"}) {
    const Parsed parsed = parseClean("%0 = d.op %x, %y" + std::string(tail) + "\n%1 = \"d.next\"(%0) : (i32) -> i32\n");
    ASSERT_EQ(parsed.tree.ops.size(), 2u) << tail;
    EXPECT_EQ(parsed.op(0).name, "d.op") << tail;
    EXPECT_EQ(parsed.op(1).name, "d.next") << tail;
    EXPECT_EQ(parsed.op(0).uses.count, 2u) << tail;
    const bool placed = std::string(tail).find("loc") != std::string::npos;
    EXPECT_EQ(parsed.op(0).location.valid(), placed) << tail;
    const bool noted = std::string(tail).rfind(" {", 0) == 0;  // behind the types it belongs to the text
    EXPECT_EQ(parsed.tree.find(parsed.op(0).attrs, "a").valid(), noted) << tail;
    expectStable(parsed);
  }
}

// Arguments that the head of an op names are not printed again with the label of its first block.
TEST(PrettyTails, ALabelBehindArgumentsOfTheHead) {
  for (const char* name : {"d.op", "return", "%0 = d.op"}) {
    const Parsed parsed =
        parseClean(std::string(name) + " (%a = %x) : i32 {\n^7:\n  d.use %a : i32\n} more {\n^8:\n}\n");
    ASSERT_EQ(parsed.op(0).regions.count, 2u) << name;
    ASSERT_EQ(parsed.op(0).args.count, 1u) << name;
    EXPECT_EQ(printText(parsed.tree).find("^7("), std::string::npos) << name;
    EXPECT_NE(printText(parsed.tree).find("} more {"), std::string::npos) << name;
    expectStable(parsed);
  }
}

}  // namespace
}  // namespace tessera::text
