// The report folder for ttnn-visualizer, read back through the SQLite library.

#include <dirent.h>
#include <sqlite3.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/support/json_value.h"
#include "tests/cli/cli_testing.h"

namespace tessera::test {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows query(const std::string& path, const std::string& sql) {
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  Rows rows;
  auto add = [](void* to, int count, char** cells, char**) {
    std::vector<std::string> row;
    for (int i = 0; i < count; ++i) row.push_back(cells[i] ? cells[i] : "");
    static_cast<Rows*>(to)->push_back(std::move(row));
    return 0;
  };
  char* problem = nullptr;
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), add, &rows, &problem), SQLITE_OK) << (problem ? problem : "");
  sqlite3_free(problem);
  sqlite3_close(db);
  return rows;
}

// A report of the sample, and the run that it is of.
class VisualizerReport : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "tessera_visualizer_" + std::to_string(::getpid());
    TearDown();
    const std::string graph = std::string(TESSERA_SOURCE_DIR) + "/web/public/samples/residual-block.mlir";
    outcome_ = runTessera({"run", graph, "--visualizer", folder_, "--json"});
    database_ = folder_ + "/db.sqlite";
  }
  void TearDown() override {
    for (const char* file : {"/db.sqlite", "/config.json"}) std::remove((folder_ + file).c_str());
    ::rmdir(folder_.c_str());
  }
  std::string folder_, database_;
  Outcome outcome_;
};

TEST_F(VisualizerReport, HasEveryOpWithItsTensors) {
  EXPECT_EQ(outcome_.code, 0) << outcome_.err;
  Json report(outcome_.out);
  JsonValue rows = report["run"].get("rows");
  const Rows operations = query(database_, "SELECT operation_id, name FROM operations ORDER BY operation_id");
  ASSERT_EQ(operations.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(operations[i][1], rows.at(i).get("op").asString());
  EXPECT_EQ(query(database_,
                  "SELECT * FROM input_tensors JOIN operations USING (operation_id) WHERE tensor_id NOT IN "
                  "(SELECT tensor_id FROM tensors) AND name != 'ttcore.load_cached'")
                .size(),
            0u)
      << "what an op reads is a tensor with a place";
  EXPECT_GT(query(database_, "SELECT * FROM tensors WHERE memory_config LIKE '%SHARDED%shape={%'").size(), 0u);
  EXPECT_GT(
      query(database_, "SELECT * FROM captured_graph WHERE captured_graph LIKE '%circular_buffer_allocate%'").size(),
      0u);
}

TEST_F(VisualizerReport, ItsBuffersAreThoseOfTheRun) {
  Json report(outcome_.out);
  JsonValue rows = report["run"].get("rows");
  std::map<std::string, std::string> used;
  for (const auto& row : query(database_,
                               "SELECT operation_id, SUM(max_size_per_bank) FROM buffers WHERE buffer_type = 1 "
                               "GROUP BY operation_id"))
    used[row[0]] = row[1];
  for (size_t i = 0; i < rows.size(); ++i) {
    const int64_t tensors = *rows.at(i).get("l1").get("tensors").asInteger();
    const auto found = used.find(std::to_string(i + 1));
    const int64_t sum = found == used.end() ? 0 : std::stoll(found->second);
    // An operand that the op frees is there before its result is, never beside it.
    if (*rows.at(i).get("freedOperand").asInteger() < 0) EXPECT_EQ(sum, tensors) << "step " << i;
    else EXPECT_GT(sum, tensors) << "step " << i;
  }
}

TEST_F(VisualizerReport, HasTheColumnsThatThePublishedQueriesName) {
  for (const char* columns :
       {"device_id, num_x_cores, worker_l1_size, l1_bank_size, address_at_first_l1_cb_buffer, cb_limit FROM devices",
        "operation_id, name, value FROM operation_arguments", "tensor_id, device_id, address FROM device_tensors",
        "operation_id, stack_trace FROM stack_traces", "operation_id, source_unique_id FROM edges",
        "operation_id, error_message FROM errors", "operation_id, page_address, page_size FROM buffer_pages",
        "tensor_id, golden_tensor_id, actual_pcc FROM local_tensor_comparison_records",
        "key, value FROM report_metadata"})
    query(database_, std::string("SELECT ") + columns);
  std::ifstream file(folder_ + "/config.json");
  Json config(std::string(std::istreambuf_iterator<char>(file), {}));
  EXPECT_TRUE(config["report_name"].isString());
}

TEST_F(VisualizerReport, IsNotWrittenOverAnother) {
  const std::string graph = std::string(TESSERA_SOURCE_DIR) + "/web/public/samples/residual-block.mlir";
  const Outcome again = runTessera({"run", graph, "--visualizer", folder_});
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("is there already"), std::string::npos);
  EXPECT_EQ(runTessera({"run", graph, "--visualizer", "/nowhere/at/all"}).code, 2);
}

// Element types and memory layouts by the library's names and numbers, and what an op could not do.
TEST_F(VisualizerReport, NamesTypesLayoutsAndErrorsAsTheLibrary) {
  const std::vector<std::array<std::string, 3>> types = {
      {"bfp_bf8", "bf16", "BFLOAT8_B"}, {"bfp_bf4", "bf16", "BFLOAT4_B"}, {"f32", "f32", "FLOAT32"},
      {"u32", "ui32", "UINT32"},        {"u16", "ui16", "UINT16"},        {"u8", "ui8", "UINT8"},
      {"si32", "si32", "INT32"},        {"bf16", "bf16", "BFLOAT16"}};
  const std::string map = " = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), ";
  std::string text = "#dram = #ttnn.buffer_type<dram>\n#l1 = #ttnn.buffer_type<l1>\n", arguments;
  for (size_t i = 0; i < types.size(); ++i) {
    const std::string name = "#t" + std::to_string(i);
    text += name + map + "<1x1>, memref<1x2048x!ttcore.tile<32x32, " + types[i][0] + ">, #dram>, <interleaved>>\n";
    arguments += (i > 0 ? ", %a" : "%a") + std::to_string(i) + ": tensor<32x65536x" + types[i][1] + ", " + name + ">";
  }
  const std::string shard =
      "x!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>, core_ranges = "
      "<[#ttnn.core_range<(0,0), (1,0)>]>>\n";
  text += "#v" + map + "<1x2>, memref<1x1" + shard + "#w" + map + "<1x2>, memref<1x1024" + shard;
  text += "func.func @main(" + arguments + ", %b: tensor<32x64xbf16, #v>) -> tensor<32x65536xbf16, #w> {\n" +
          "  %0 = \"ttnn.relu\"(%a7) : (tensor<32x65536xbf16, #t7>) -> tensor<32x65536xbf16, #w>\n"
          "  return %0 : tensor<32x65536xbf16, #w>\n}\n";
  const TemporaryFile graph(text);
  const std::string folder = folder_ + "_types", database = folder + "/db.sqlite";
  const Outcome run = runTessera({"run", graph.path(), "--visualizer", folder, "--policy", "AsWritten"});
  const Rows tensors = query(database, "SELECT dtype, memory_config FROM tensors ORDER BY tensor_id");
  ASSERT_EQ(tensors.size(), types.size() + 1) << run.err;
  for (size_t i = 0; i < types.size(); ++i) EXPECT_EQ(tensors[i][0], "DataType." + types[i][2]);
  EXPECT_NE(tensors.back()[1].find("WIDTH_SHARDED"), std::string::npos) << tensors.back()[1];
  EXPECT_EQ(query(database, "SELECT DISTINCT buffer_type, buffer_layout FROM buffers ORDER BY buffer_type"),
            (Rows{{"0", "0"}, {"1", "3"}}));
  const Rows errors = query(database, "SELECT operation_id, operation_name, error_type, error_message FROM errors");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ((std::vector(errors[0].begin(), errors[0].end() - 1)),
            (std::vector<std::string>{"1", "ttnn.relu", "RuntimeError"}));
  EXPECT_EQ(errors[0][3].rfind("Out of Memory: ", 0), 0u) << errors[0][3];
  for (const char* file : {"/db.sqlite", "/config.json"}) std::remove((folder + file).c_str());
  ::rmdir(folder.c_str());
}

// Every row of every table for a small graph, in lines: a difference names its table.
TEST_F(VisualizerReport, PinnedRowsOfASmallGraph) {
  const TemporaryFile graph(
      "func.func @main(%x: tensor<128x256xbf16>, %w: tensor<256x64xbf16> {ttcore.argument_type = "
      "#ttcore.argument_type<parameter>}) -> (tensor<128x64xbf16>, tensor<64x128xbf16>) {\n"
      "  %0 = \"ttir.relu\"(%x) : (tensor<128x256xbf16>) -> tensor<128x256xbf16>\n"
      "  %1 = \"ttir.matmul\"(%0, %w) : (tensor<128x256xbf16>, tensor<256x64xbf16>) -> tensor<128x64xbf16>\n"
      "  %2 = \"ttir.add\"(%1, %1) : (tensor<128x64xbf16>, tensor<128x64xbf16>) -> tensor<128x64xbf16>\n"
      "  %3 = \"ttir.reshape\"(%2) <{shape = [64 : i32, 128 : i32]}> : (tensor<128x64xbf16>) -> "
      "tensor<64x128xbf16>\n  return %1, %3 : tensor<128x64xbf16>, tensor<64x128xbf16>\n}\n");
  const std::string folder = folder_ + "_small", database = folder + "/db.sqlite";
  ASSERT_EQ(runTessera({"run", graph.path(), "--visualizer", folder, "--policy", "Greedy"}).code, kExitFine);
  std::string actual;
  for (const auto& table : query(database, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")) {
    actual += table[0] + "\n";
    for (const auto& row : query(database, "SELECT * FROM " + table[0] + " ORDER BY rowid")) {
      for (const std::string& cell : row) actual += " | " + cell;
      actual += "\n";
    }
  }
  for (size_t at = actual.find(graph.path()); at != std::string::npos; at = actual.find(graph.path(), at))
    actual.replace(at, graph.path().size(), "graph.mlir");
  for (const char* file : {"/db.sqlite", "/config.json"}) std::remove((folder + file).c_str());
  ::rmdir(folder.c_str());
  const std::filesystem::path file = std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/visualizer.expected";
  if (std::getenv("UPDATE_GOLDEN")) std::ofstream(file, std::ios::binary) << actual;
  EXPECT_EQ(actual, readFile(file)) << "if this is meant, run scripts/update_golden";
}

// A bank of this device has 4 GB.
TEST_F(VisualizerReport, AddressesAbove31BitsAreWhole) {
  TearDown();
  const std::string t = "tensor<65536x65536xbf16>";
  const TemporaryFile graph("func.func @main(%a: " + t + ", %b: " + t + ") -> " + t +
                            " {\n  %0 = \"ttir.add\"(%a, %b) : (" + t + ", " + t + ") -> " + t +
                            "\n  return %0 : " + t + "\n}\n");
  const std::vector<std::string> call = {"run",      graph.path(), "--visualizer", folder_,
                                         "--policy", "DRAM",       "--device",     "p150"};
  const Outcome run = runTessera(call);
  ASSERT_EQ(run.code, kExitFine) << run.err;
  EXPECT_EQ(query(database_, "SELECT address FROM tensors ORDER BY tensor_id"),
            (Rows{{"0"}, {"1073741824"}, {"2147483648"}}));
}

// Index tables of a convolution lie in a region of their own, which the library's enumeration calls 3.
TEST(VisualizerRegions, SmallBuffersAreToldApart) {
  const TemporaryFile file(
      "func.func @main(%x: tensor<1x56x56x64xbf16>, %w: tensor<64x64x3x3xbf16>) -> tensor<1x56x56x64xbf16> {\n"
      "  %0 = \"ttir.conv2d\"(%x, %w) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, "
      "groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim "
      "= 2 : i64}> : (tensor<1x56x56x64xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x56x56x64xbf16>\n"
      "  return %0 : tensor<1x56x56x64xbf16>\n}\n");
  const std::string folder = ::testing::TempDir() + "tessera_small_" + std::to_string(::getpid());
  const auto typesOf = [&](const std::vector<std::string>& more) {
    std::filesystem::remove_all(folder);
    std::vector<std::string> call = {"run", file.path(), "--visualizer", folder, "--policy", "Greedy"};
    call.insert(call.end(), more.begin(), more.end());
    EXPECT_EQ(runTessera(call).code, kExitFine);
    std::string types;
    for (const auto& row :
         query(folder + "/db.sqlite", "SELECT DISTINCT buffer_type FROM buffers ORDER BY buffer_type"))
      types += row[0] + " ";
    std::filesystem::remove_all(folder);
    return types;
  };
  EXPECT_EQ(typesOf({}), "0 1 ");
  EXPECT_EQ(typesOf({"--l1-small-size", "32768"}), "0 1 3 ");
}

}  // namespace
}  // namespace tessera::test
