#include "core/cli/visualizer_report.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <cstdio>
#include <vector>

#include "core/support/json_writer.h"

namespace tessera {

namespace {

constexpr int64_t kMostBufferRows = 20'000'000;  // a row per buffer and step
constexpr int64_t kDevice = 0;

constexpr const char* kTables =
    "CREATE TABLE devices (device_id int, num_y_cores int, num_x_cores int, num_y_compute_cores int, "
    "num_x_compute_cores int, worker_l1_size int, l1_num_banks int, l1_bank_size int, address_at_first_l1_bank int, "
    "address_at_first_l1_cb_buffer int, num_banks_per_storage_core int, num_compute_cores int, num_storage_cores int, "
    "total_l1_memory int, total_l1_for_tensors int, total_l1_for_interleaved_buffers int, "
    "total_l1_for_sharded_buffers int, cb_limit int);"
    "CREATE TABLE operations (operation_id int UNIQUE, name text, duration float);"
    "CREATE TABLE operation_arguments (operation_id int, name text, value text);"
    "CREATE TABLE tensors (tensor_id int UNIQUE, shape text, dtype text, layout text, memory_config text, device_id "
    "int, "
    "address int, buffer_type int);"
    "CREATE TABLE device_tensors (tensor_id int, device_id int, address int);"
    "CREATE TABLE buffers (operation_id int, device_id int, address int, max_size_per_bank int, buffer_type int, "
    "buffer_layout int);"
    "CREATE TABLE captured_graph (operation_id int, captured_graph text);"
    "CREATE TABLE nodes (operation_id int, unique_id int, node_operation_id int, name text);"
    "CREATE TABLE edges (operation_id int, source_unique_id int, sink_unique_id int, source_output_index int, "
    "sink_input_index int, key int);"
    "CREATE TABLE report_metadata (key text UNIQUE, value text);"
    "CREATE TABLE errors (operation_id int, operation_name text, error_type text, error_message text, stack_trace "
    "text, "
    "timestamp text);"
    "CREATE TABLE source_files (id INTEGER PRIMARY KEY, path text UNIQUE NOT NULL, contents text);"
    "CREATE TABLE stack_traces (operation_id int, stack_trace text, source_file_id int);"
    "CREATE TABLE input_tensors (operation_id int, input_index int, tensor_id int);"
    "CREATE TABLE output_tensors (operation_id int, output_index int, tensor_id int);"
    "CREATE TABLE local_tensor_comparison_records (tensor_id int, golden_tensor_id int, matches int, desired_pcc "
    "float, "
    "actual_pcc float);"
    "CREATE TABLE global_tensor_comparison_records (tensor_id int, golden_tensor_id int, matches int, desired_pcc "
    "float, "
    "actual_pcc float);"
    "CREATE TABLE buffer_pages (operation_id int, device_id int, address int, core_y int, core_x int, bank_id int, "
    "page_index int, page_address int, page_size int, buffer_type int);";

// A database that is being written; the first mistake is kept and ends it.
class Writer {
 public:
  explicit Writer(const std::string& path) {
    if (sqlite3_open(path.c_str(), &db_) != SQLITE_OK) fail();
    execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;");
    execute(kTables);
  }
  Writer(const Writer&) = delete;
  ~Writer() {
    for (Statement& statement : statements_) sqlite3_finalize(statement.compiled);
    sqlite3_close(db_);
  }
  std::string finish() {
    execute("COMMIT;");
    return problem_;
  }

  // One row of a table; numbers and texts in the order of its columns.
  template <class... Cells>
  void row(const char* table, const Cells&... cells) {
    sqlite3_stmt* statement = insertInto(table, sizeof...(cells));
    if (!statement) return;
    int column = 0;
    (bind(statement, ++column, cells), ...);
    if (sqlite3_step(statement) != SQLITE_DONE) fail();
    sqlite3_reset(statement);
  }

 private:
  struct Statement {
    const char* table;
    sqlite3_stmt* compiled;
  };

  void fail() {
    if (problem_.empty()) problem_ = sqlite3_errmsg(db_);
  }
  void execute(const char* sql) {
    if (problem_.empty() && sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }
  sqlite3_stmt* insertInto(const char* table, size_t columns) {
    if (!problem_.empty()) return nullptr;
    for (const Statement& known : statements_) {
      if (known.table == std::string_view(table)) return known.compiled;
    }
    std::string sql = std::string("INSERT INTO ") + table + " VALUES (";
    for (size_t i = 0; i < columns; ++i) sql += i == 0 ? "?" : ",?";
    sqlite3_stmt* compiled = nullptr;
    if (sqlite3_prepare_v2(db_, (sql + ")").c_str(), -1, &compiled, nullptr) != SQLITE_OK) fail();
    if (compiled) statements_.push_back({table, compiled});
    return compiled;
  }
  static void bind(sqlite3_stmt* statement, int column, int64_t value) { sqlite3_bind_int64(statement, column, value); }
  static void bind(sqlite3_stmt* statement, int column, double value) { sqlite3_bind_double(statement, column, value); }
  static void bind(sqlite3_stmt* statement, int column, const std::string& value) {
    sqlite3_bind_text(statement, column, value.c_str(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
  }

  sqlite3* db_ = nullptr;
  std::vector<Statement> statements_;
  std::string problem_;
};

// As the library's enumerations number them.
int64_t bufferTypeNumber(DeviceMemory space) {
  return space == DeviceMemory::Dram ? 0 : space == DeviceMemory::L1 ? 1 : 3;
}

int64_t memoryLayoutNumber(TensorMemoryLayout memory) {
  switch (memory) {
    case TensorMemoryLayout::HeightSharded: return 2;
    case TensorMemoryLayout::WidthSharded: return 3;
    case TensorMemoryLayout::BlockSharded: return 4;
    default: return 0;
  }
}

std::string libraryDtype(DType dtype) {
  switch (dtype) {
    case DType::BF16: return "DataType.BFLOAT16";
    case DType::BFP8: return "DataType.BFLOAT8_B";
    case DType::BFP4: return "DataType.BFLOAT4_B";
    case DType::F32: return "DataType.FLOAT32";
    case DType::U32: return "DataType.UINT32";
    case DType::U16: return "DataType.UINT16";
    case DType::U8: return "DataType.UINT8";
    case DType::I32: return "DataType.INT32";
    default: return "DataType.INVALID";
  }
}

std::string upperCase(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

// The library's own print of a memory configuration.
std::string memoryConfigText(const TensorLayout& layout) {
  std::string shard = "std::nullopt";
  if (layout.sharded()) {
    const int64_t tile = layout.page == PageLayout::Tile ? 32 : 1;
    shard = "ShardSpec(grid={[(x=0,y=0) - (x=" + std::to_string(layout.grid.cols - 1) +
            ",y=" + std::to_string(layout.grid.rows - 1) + ")]},shape={" + std::to_string(layout.shardRows * tile) +
            ", " + std::to_string(layout.shardCols * tile) +
            "},orientation=ShardOrientation::ROW_MAJOR,mode=ShardMode::PHYSICAL,physical_shard_shape=std::nullopt)";
  }
  return "MemoryConfig(memory_layout=TensorMemoryLayout::" + upperCase(tensorMemoryLayoutName(layout.memory)) +
         ",buffer_type=BufferType::" + upperCase(bufferTypeName(layout.buffer)) + ",shard_spec=" + shard + ")";
}

std::string shapeText(const Shape& shape) {
  std::string text;
  for (int64_t dim : shape) text += (text.empty() ? "" : ", ") + std::to_string(dim);
  return "Shape([" + text + "])";
}

void writeDeviceRow(Writer& db, const DeviceSpec& device) {
  const int64_t cores = device.grid.volume(), usable = device.usableL1().count, base = device.l1UnreservedBase.count;
  const int64_t rows = device.grid.rows, cols = device.grid.cols, whole = usable * cores;
  db.row("devices", kDevice, rows, cols, rows, cols, device.l1Size.count, cores, usable, base, base, int64_t{1}, cores,
         int64_t{0}, device.l1Size.count * cores, whole, whole, whole, usable);
}

// Where each value first lies; values that share a buffer lie in its.
IdVec<ValueId, const SimBuffer*> placesOf(const RunOutcome& run) {
  IdVec<ValueId, const SimBuffer*> places;
  places.resize(run.program->applied.graph.values.size());
  for (const SimBuffer& buffer : run.program->sim.buffers) {
    if (buffer.value.valid() && !places[buffer.value]) places[buffer.value] = &buffer;
  }
  return places;
}

void writeTensors(Writer& db, const RunOutcome& run) {
  const Graph& graph = run.program->applied.graph;
  const IdVec<ValueId, const SimBuffer*> places = placesOf(run);
  for (ValueId value : graph.values.ids()) {
    const SimBuffer* place = places[value];
    if (!place || !graph.values[value].type.isTensor()) continue;
    const TensorType& type = *graph.values[value].type.tensor;
    if (!type.layout) continue;
    const bool tiles = type.layout->page == PageLayout::Tile;
    db.row("tensors", static_cast<int64_t>(value.index), shapeText(type.shape), libraryDtype(type.layout->dtype),
           std::string(tiles ? "Layout.TILE" : "Layout.ROW_MAJOR"), memoryConfigText(*type.layout), kDevice,
           place->address, bufferTypeNumber(place->space));
    db.row("device_tensors", static_cast<int64_t>(value.index), kDevice, place->address);
  }
}

// What the library would have recorded while the op ran: its circular buffers.
std::string capturedGraph(const SimStep& step, const std::string& name) {
  JsonWriter w;
  int64_t counter = 0;
  auto begin = [&](const char* type) {
    w.beginObject();
    w.field("counter", counter++);
    w.field("node_type", type);
    w.key("params");
    w.beginObject();
  };
  auto end = [&] {
    w.endObject();
    w.key("connections");
    w.beginArray();
    w.integer(counter);
    w.endArray();
    w.endObject();
  };
  w.beginArray();
  begin("capture_start"), end();
  begin("function_start"), w.field("name", std::string_view(name)), end();
  for (const SimCircularBuffer& buffer : step.circularBuffers) {
    begin("circular_buffer_allocate");
    for (auto [key, value] : {std::pair<const char*, int64_t>{"address", buffer.address}, {"size", buffer.bytes}})
      w.field(key, std::string_view(std::to_string(value)));
    end();
  }
  begin("circular_buffer_deallocate_all"), end();
  begin("function_end"), w.field("name", std::string_view(name)), end();
  begin("capture_end"), end();
  w.endArray();
  return w.take();
}

void writeOperations(Writer& db, const RunOutcome& run) {
  const Graph& graph = run.program->applied.graph;
  for (size_t i = 0; i < run.program->sim.steps.size(); ++i) {
    const SimStep& step = run.program->sim.steps[i];
    const Op& op = graph.ops[step.op];
    const auto id = static_cast<int64_t>(i) + 1;
    db.row("operations", id, op.name, static_cast<double>(step.time.total().count) * 1e-9);
    db.row("captured_graph", id, capturedGraph(step, op.name));
    if (!op.loc.empty()) db.row("stack_traces", id, op.loc, int64_t{0});
    if (!step.verdictText.empty())
      db.row("errors", id, op.name, std::string("RuntimeError"), step.verdictText, op.loc, std::string());
    for (size_t k = 0; k < op.operands.size(); ++k) {
      if (!graph.values[op.operands[k]].type.isTensor()) continue;  // the device
      db.row("input_tensors", id, static_cast<int64_t>(k), static_cast<int64_t>(op.operands[k].index));
    }
    for (size_t k = 0; k < op.results.size(); ++k)
      db.row("output_tensors", id, static_cast<int64_t>(k), static_cast<int64_t>(op.results[k].index));
  }
}

// Every buffer alive at every op. "" or what went wrong.
std::string writeBuffers(Writer& db, const RunOutcome& run) {
  const Graph& graph = run.program->applied.graph;
  int64_t rows = 0;
  for (const SimBuffer& buffer : run.program->sim.buffers) {
    if (buffer.aliasOf < 0) rows += buffer.to - std::max(buffer.from, 0) + 1;
  }
  if (rows > kMostBufferRows) return "a table of " + std::to_string(rows) + " buffers is too large";
  for (const SimBuffer& buffer : run.program->sim.buffers) {
    if (buffer.aliasOf >= 0) continue;
    int64_t memory = 0;
    if (buffer.value.valid() && graph.values[buffer.value].type.isTensor()) {
      const TensorType& type = *graph.values[buffer.value].type.tensor;
      if (type.layout) memory = memoryLayoutNumber(type.layout->memory);
    }
    for (int32_t step = std::max(buffer.from, 0); step <= buffer.to; ++step)
      db.row("buffers", int64_t{step} + 1, kDevice, buffer.address, buffer.bytes, bufferTypeNumber(buffer.space),
             memory);
  }
  return "";
}

std::string configJson(const std::string& name) {
  JsonWriter w;
  w.beginObject();
  w.field("cache_path", "");
  w.field("enable_detailed_buffer_report", true);
  w.field("enable_graph_report", true);
  w.field("enable_fast_runtime_mode", false);
  w.field("enable_logging", true);
  w.field("report_name", std::string_view(name));
  w.field("report_path", "");
  w.endObject();
  return w.take() + "\n";
}

// What went wrong; "" when nothing did.
std::string writeDatabase(const std::string& file, const Report& report) {
  const RunOutcome& run = *report.run;
  Writer db(file);
  writeDeviceRow(db, *report.device);
  writeTensors(db, run);
  writeOperations(db, run);
  std::string problem = writeBuffers(db, run);
  db.row("report_metadata", std::string("schema_version"), std::string("1"));
  db.row("report_metadata", std::string("note"), std::string("Simulated by Tessera; nothing ran on a device."));
  const std::string mistake = db.finish();
  return problem.empty() ? mistake : problem;
}

}  // namespace

std::string writeVisualizerReport(const std::string& folder, const Report& report) {
  const std::string database = folder + "/db.sqlite";
  struct stat found {};
  if (stat(folder.c_str(), &found) != 0 && mkdir(folder.c_str(), 0777) != 0) return "cannot make `" + folder + "`";
  if (stat(database.c_str(), &found) == 0) return "`" + database + "` is there already";
  std::FILE* config = std::fopen((folder + "/config.json").c_str(), "w");
  if (!config) return "cannot write to `" + folder + "`";
  const std::string text = configJson("Tessera: " + std::string(report.run->policy->title));
  std::fwrite(text.data(), 1, text.size(), config);
  std::fclose(config);
  std::string problem = writeDatabase(database, report);
  if (!problem.empty()) std::remove(database.c_str());  // half of a report keeps no other call from writing one
  return problem;
}

}  // namespace tessera
