// The catalog, field by field beside the tables it is made from, and what calls answer when there was no run.

#include "core/driver/options.h"
#include "core/ops/table/op_table.h"
#include "core/policy/policy.h"
#include "core/report/report.h"
#include "tests/driver/driver_testing.h"

namespace tessera::test {
namespace {

std::string textOf(JsonValue object, std::string_view name) {
  return std::string(object.get(name).asString().value_or("no text"));
}

TEST(Catalog, DevicesAndPoliciesAreThoseOfTheTables) {
  const Json catalog(apiCatalog()), lab(apiLabCatalog()), version(apiVersion());
  for (const Json* one : {&catalog, &lab, &version}) {
    EXPECT_EQ((*one)["schema"].asInteger(), kReportSchema);
    EXPECT_EQ((*one)["tessera"].asString(), TESSERA_VERSION);
  }
  for (const Json* one : {&catalog, &lab}) {
    for (size_t i = 0; i < allDevices().size(); ++i) {
      const DeviceSpec& device = allDevices()[i];
      const JsonValue shown = (*one)["devices"].at(i);
      EXPECT_EQ(textOf(shown, "id"), device.id);
      EXPECT_EQ(textOf(shown, "title"), device.title);
      EXPECT_EQ(textOf(shown, "arch"), device.arch == Arch::WormholeB0 ? "wormhole_b0" : "blackhole");
      EXPECT_EQ(shown.get("grid").at(0).asInteger(), device.grid.rows);
      EXPECT_EQ(shown.get("grid").at(1).asInteger(), device.grid.cols);
      EXPECT_EQ(shown.get("l1Size").asInteger(), device.l1Size.count);
      EXPECT_EQ(shown.get("l1Base").asInteger(), device.l1UnreservedBase.count);
      EXPECT_EQ(shown.get("usableL1").asInteger(), device.usableL1().count);
      EXPECT_EQ(shown.get("dramBanks").asInteger(), device.dramBanks);
      EXPECT_EQ(shown.get("dramBankSize").asInteger(), device.dramBankSize.count);
      EXPECT_EQ(shown.get("clockMhz").asInteger(), device.clockMhz);
      ASSERT_EQ(shown.get("sources").size(), device.sources.size());
      const JsonValue source = shown.get("sources").at(0);
      EXPECT_EQ(textOf(source, "what"), device.sources[0].what);
      EXPECT_EQ(textOf(source, "value"), device.sources[0].value);
      EXPECT_EQ(textOf(source, "source"), device.sources[0].source);
      EXPECT_EQ(textOf(source, "date"), device.sources[0].date);
    }
  }
  EXPECT_FALSE(lab["policies"].present());
  for (size_t i = 0; i < allPolicies().size(); ++i) {
    const PolicyInfo& policy = allPolicies()[i];
    const JsonValue shown = catalog["policies"].at(i);
    EXPECT_EQ(textOf(shown, "id"), policy.id);
    EXPECT_EQ(textOf(shown, "title"), policy.title);
    EXPECT_EQ(textOf(shown, "description"), policy.description);
    std::vector<std::string> traits;
    for (const auto& trait : kPolicyTraits) {
      if (policy.has(trait.value)) traits.emplace_back(trait.id);
    }
    ASSERT_EQ(shown.get("traits").size(), traits.size());
    for (size_t t = 0; t < traits.size(); ++t) EXPECT_EQ(shown.get("traits").at(t).asString(), traits[t]);
  }
}

TEST(Catalog, OptionsHaveTheirBoundsAndChoices) {
  const Json catalog(apiCatalog());
  const char* const types[] = {"choice", "integer", "number", "boolean", "text"};
  for (size_t i = 0; i < allOptions().size(); ++i) {
    const OptionInfo& info = allOptions()[i];
    const JsonValue shown = catalog["options"].at(i);
    SCOPED_TRACE(info.id);
    EXPECT_EQ(textOf(shown, "id"), info.id);
    EXPECT_EQ(textOf(shown, "title"), info.title);
    EXPECT_EQ(textOf(shown, "help"), optionHelp(info));
    EXPECT_EQ(textOf(shown, "type"), types[static_cast<int>(info.type)]);
    const double unit = info.type == OptionType::Number ? 1000 : 1;
    EXPECT_DOUBLE_EQ(*shown.get("min").asNumber() * unit, static_cast<double>(info.min));
    EXPECT_DOUBLE_EQ(*shown.get("max").asNumber() * unit, static_cast<double>(info.max));
    EXPECT_DOUBLE_EQ(*shown.get("step").asNumber() * unit, static_cast<double>(info.step));
    EXPECT_EQ(shown.get("workload").asBool(), info.workload);
    EXPECT_EQ(shown.get("draft").asInteger().value_or(-1), info.draft);
    const auto choices = optionChoices(info);
    ASSERT_EQ(shown.get("choices").size(), choices.size());
    for (size_t c = 0; c < choices.size(); ++c) {
      EXPECT_EQ(textOf(shown.get("choices").at(c), "id"), choices[c].id);
      EXPECT_EQ(textOf(shown.get("choices").at(c), "title"), choices[c].title);
    }
  }
}

TEST(Catalog, OpsAndDiagnosticsAreThoseOfTheTables) {
  const Json catalog(apiCatalog());
  for (size_t i = 0; i < allFamilyTitles().size(); ++i) {
    EXPECT_EQ(textOf(catalog["families"].at(i), "id"), familyName(static_cast<Family>(i)));
    EXPECT_EQ(textOf(catalog["families"].at(i), "title"), allFamilyTitles()[i]);
  }
  size_t row = 0;
  for (const OpInfo& info : allOps()) {
    if (info.kind == OpKind::Opaque) continue;
    const JsonValue shown = catalog["ops"].at(row++);
    EXPECT_EQ(textOf(shown, "name"), info.name);
    EXPECT_EQ(textOf(shown, "family"), familyName(info.family));
    EXPECT_EQ(textOf(shown, "operands"), info.roles);
  }
  const char* const severities[] = {"note", "warning", "error"};
  row = 0;
  for (const DiagInfo& info : allDiagKinds()) {
    const JsonValue shown = catalog["diagnostics"].at(row++);
    EXPECT_EQ(textOf(shown, "kind"), info.name);
    EXPECT_EQ(textOf(shown, "severity"), severities[static_cast<int>(info.severity)]);
    EXPECT_EQ(textOf(shown, "format"), info.format);
  }
}

// Without a run every call says why, as a check of the text does.
TEST(AnswersWithoutARun, SayWhatIsWrong) {
  const std::string text = "func.func @main(";
  Session session;
  const std::string lint = apiLint(text);
  const Json passes(tessera::apiPasses(session, text, "")), regret(tessera::apiRegret(session, text, ""));
  EXPECT_EQ(passes["schema"].asInteger(), kReportSchema);
  EXPECT_TRUE(passes["passes"].isArray());
  EXPECT_TRUE(passes["provenance"].isArray());
  EXPECT_EQ(passes["passes"].size() + passes["provenance"].size(), 0u);
  EXPECT_EQ(regret["schema"].asInteger(), kReportSchema);
  EXPECT_TRUE(regret["regrets"].present());
  EXPECT_FALSE(regret["regrets"].isArray());
  const Json checked(lint);
  for (const Json* one : {&passes, &regret}) EXPECT_EQ(kinds((*one)["lint"]), kinds(checked.document.root()));
  EXPECT_NE(kinds(checked.document.root()), "");
  const Json check(tessera::apiCheckPasses(session, text, ""));
  EXPECT_EQ(check["checks"].size(), 0u);
  EXPECT_EQ(check["schema"].asInteger(), kReportSchema);
  // With a run there are passes, and their texts where they are asked for.
  const Json done(tessera::apiPasses(session, kRelu, "")), texts(tessera::apiPasses(session, kRelu, "{\"ir\":true}"));
  EXPECT_FALSE(done["lint"].present());
  ASSERT_GT(done["passes"].size(), 3u);
  ASSERT_EQ(texts["passes"].size(), done["passes"].size());
  EXPECT_FALSE(done["ir"].present());
  EXPECT_NE(textOf(texts.document.root(), "ir").find("ttir.relu"), std::string::npos);
  for (size_t i = 0; i < done["passes"].size(); ++i) {
    EXPECT_FALSE(done["passes"].at(i).get("ir").present());
    EXPECT_NE(textOf(texts["passes"].at(i), "ir").find("func.func"), std::string::npos);
    for (const char* field : {"name", "title", "description", "stage"})
      EXPECT_NE(textOf(done["passes"].at(i), field), "no text") << field;
  }
  // The one op of the source became one op that is not a deallocation.
  ASSERT_GE(done["provenance"].size(), 1u);
  const JsonValue relu = done["provenance"].at(0);
  EXPECT_EQ(textOf(relu, "op"), "%0");
  EXPECT_EQ(textOf(relu, "name"), "ttir.relu");
  bool became = false;
  for (size_t i = 0; i < relu.get("became").size(); ++i) {
    became |= textOf(relu.get("became").at(i), "name") == "ttnn.relu";
    EXPECT_NE(textOf(relu.get("became").at(i), "name"), "ttnn.deallocate");
  }
  EXPECT_TRUE(became);
}

TEST(AnswersWithoutARun, AComparisonNeedsAListOfRuns) {
  const Json none(apiCompare(kRelu, "{\"runs\": 3}")), broken(apiCompare(kRelu, "{")),
      good(apiCompare(kRelu, "{\"runs\":[{}]}"));
  for (const Json* one : {&none, &broken}) {
    ASSERT_EQ((*one)["runs"].size(), 1u);
    EXPECT_NE(kinds((*one)["runs"].at(0)), "");
  }
  EXPECT_EQ(kinds(none["runs"].at(0)), "BadOption");
  ASSERT_EQ(good["runs"].size(), 1u);
  EXPECT_EQ(kinds(good["runs"].at(0)).find("BadOption"), std::string::npos);
  EXPECT_EQ(good["schema"].asInteger(), kReportSchema);
}

}  // namespace
}  // namespace tessera::test
