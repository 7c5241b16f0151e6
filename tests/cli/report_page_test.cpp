#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/driver/api.h"
#include "core/driver/session.h"
#include "tests/cli/cli_testing.h"

namespace tessera::test {
namespace {

std::string textOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class ReportPage : public ::testing::Test {
 protected:
  // What the call writes, with the template in place of the one that the page's build made.
  std::string page(std::vector<std::string> call, const std::string& pattern) {
    const TemporaryFile out(""), templateFile(pattern);
    ::setenv("TESSERA_REPORT_TEMPLATE", pattern.empty() ? "/none" : templateFile.path().c_str(), 1);
    call.insert(call.end(), {"--html", out.path()});
    EXPECT_EQ(runTessera(call).code, kExitFine);
    ::unsetenv("TESSERA_REPORT_TEMPLATE");
    return textOf(out.path());
  }
};

TEST_F(ReportPage, HoldsTheReportThatTheEngineGives) {
  const TemporaryFile graph(kRelu);
  const std::string data = page({"run", graph.path(), "--policy", "DRAM"}, "{{REPORT_DATA}}");
  Session session;
  std::string report = apiRun(session, kRelu, "{\"policy\":\"DRAM\"}");
  for (size_t at = report.find('<'); at != std::string::npos; at = report.find('<', at))
    report.replace(at, 1, "\\u003c");
  EXPECT_EQ(data.substr(data.find("\"runs\":[") + 7), "[" + report + "]}");
}

TEST_F(ReportPage, HoldsAllRunsOfAComparison) {
  const TemporaryFile graph(kRelu);
  const std::string data = page({"compare", graph.path(), "--policies", "DRAM,Greedy"}, "{{REPORT_DATA}}");
  const Json json(data);
  ASSERT_EQ(json["runs"].size(), 2u);
  EXPECT_EQ(json["runs"].at(0).get("policy").get("id").asString(), "DRAM");
  EXPECT_EQ(json["runs"].at(1).get("policy").get("id").asString(), "Greedy");
}

TEST_F(ReportPage, NamesAreTextsAndNoPlaces) {
  const std::string odd = ::testing::TempDir() + "<script>{{REPORT_TEXT}}";
  std::ofstream(odd) << kRelu;
  const std::string filled = page({"run", odd}, "{{REPORT_NAME}}|{{REPORT_TEXT}}|{{REPORT_DATA}}");
  EXPECT_EQ(filled.rfind("&lt;script&gt;{{REPORT_TEXT}}|%0  ttnn.relu", 0), 0u) << filled;
  EXPECT_EQ(filled.find("<script"), std::string::npos);
  std::remove(odd.c_str());
}

TEST_F(ReportPage, IsPlainWithoutATemplate) {
  const TemporaryFile graph(kRelu);
  const std::string plain = page({"run", graph.path()}, "");
  EXPECT_EQ(plain.rfind("<!doctype html>", 0), 0u);
  EXPECT_NE(plain.find("<pre tabindex=\"0\">%0  ttnn.relu"), std::string::npos);
  EXPECT_EQ(plain.find("{{REPORT"), std::string::npos);
}

TEST_F(ReportPage, AFileThatCannotBeWrittenIsTold) {
  const TemporaryFile graph(kRelu);
  const Outcome outcome = runTessera({"run", graph.path(), "--html", "/none/report.html"});
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_NE(outcome.err.find("/none/report.html"), std::string::npos);
}

}  // namespace
}  // namespace tessera::test
