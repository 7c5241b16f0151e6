// Times of the op model beside measured ones (docs/fidelity.md): per data set the median and the 90th percentile of
// |model / measured - 1|, and the median ratio. Prints, asserts nothing.
//   bench_times FOLDER      FOLDER holds torp_exp_interleaved_n300.csv, torp_matmul_height_sharded_n150.csv,
//   gemm_flops.csv

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <unordered_map>

#include "core/ir/builder.h"
#include "core/ops/model/op_model.h"

namespace tessera {
namespace {

using Row = std::unordered_map<std::string, std::string>;

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out;
  std::stringstream in(line);
  for (std::string field; std::getline(in, field, ',');) out.push_back(field);
  return out;
}

// Rows by column name; the first line is the source.
std::vector<Row> readCsv(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::vector<std::string> names;
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    if (names.empty()) {
      names = fields(line);
      continue;
    }
    Row row;
    std::vector<std::string> values = fields(line);
    for (size_t i = 0; i < names.size() && i < values.size(); ++i) row[names[i]] = values[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

int64_t number(const Row& row, const char* name) {
  auto it = row.find(name);
  return it == row.end() ? 0 : static_cast<int64_t>(std::strtod(it->second.c_str(), nullptr));
}

struct Where {
  BufferType buffer = BufferType::DRAM;
  TensorMemoryLayout memory = TensorMemoryLayout::Interleaved;
  GridShape grid{1, 1};
};

struct Operand {
  Shape shape;
  DType dtype = DType::BF16;
  Where where;
};

// Nanoseconds with the fixed part, which stands for the start of a kernel too; nothing when a layout cannot be made.
std::optional<int64_t> modelTime(const DeviceSpec& device, OpKind kind, const std::vector<Operand>& operands,
                                 const Operand& result, AttrList attrs = {}) {
  Graph graph;
  GraphBuilder builder(graph);
  FuncId func = builder.addFunction("main");
  graph.forward = func;
  auto layoutOf = [&](const Operand& o) {
    LayoutRequest request{o.dtype, o.where.buffer, o.where.memory, PageLayout::Tile, o.where.grid};
    request.allowIdleCores = true;
    return makeLayout(o.shape, request, device);
  };
  std::vector<ValueId> values;
  std::vector<std::optional<TensorLayout>> layouts;
  for (const Operand& o : operands) {
    auto layout = layoutOf(o);
    if (!layout.ok()) return {};
    TensorType type;
    type.shape = o.shape;
    type.dtype = o.dtype;
    values.push_back(builder.addArgument(func, "a", {type, ""}));
    layouts.push_back(*layout);
  }
  auto out = layoutOf(result);
  if (!out.ok()) return {};
  TensorType type;
  type.shape = result.shape;
  type.dtype = result.dtype;
  OpSpec spec = makeOp(kind, values, {{type, ""}});
  spec.attrs = std::move(attrs);
  OpId op = builder.append(func, std::move(spec));
  OpConfig config{*out, {}};
  return OpModel(device).getOpRuntime({graph, op, layouts, config, Bytes(0)}).total().count;
}

struct Series {
  std::vector<double> ratios;
  void add(std::optional<int64_t> model, int64_t measured) {
    if (model && measured > 0) ratios.push_back(static_cast<double>(*model) / static_cast<double>(measured));
  }
  void print(const std::string& name) {
    if (ratios.empty()) return;
    std::vector<double> errors;
    for (double r : ratios) errors.push_back(r > 1 ? r - 1 : 1 - r);
    std::sort(ratios.begin(), ratios.end());
    std::sort(errors.begin(), errors.end());
    size_t n = ratios.size();
    std::printf("%-36s %6zu rows  median error %5.1f %%  p90 %6.1f %%  median model/measured %.2f\n", name.c_str(), n,
                100 * errors[n / 2], 100 * errors[n * 9 / 10], ratios[n / 2]);
  }
};

void exponentials(const std::string& folder) {
  struct Type {
    const char* column;
    DType dtype;
  };
  const DeviceSpec& device = *findDevice("n300");
  for (Type t : {Type{"bfloat16", DType::BF16}, Type{"bfloat8", DType::BFP8}, Type{"float32", DType::F32},
                 Type{"uint16", DType::U16}}) {
    for (bool l1 : {false, true}) {
      Series series;
      Where where = l1 ? Where{BufferType::L1, TensorMemoryLayout::Interleaved, device.grid} : Where{};
      for (const Row& row : readCsv(folder + "/torp_exp_interleaved_n300.csv")) {
        if (number(row, "suspect_row") || !number(row, t.column) || number(row, "input_L1") != l1) continue;
        Shape shape;
        for (const char* d : {"d3", "d2", "d1", "d0"}) {
          if (number(row, d) > 0) shape.insert(shape.begin(), number(row, d));
        }
        series.add(modelTime(device, OpKind::TtnnExp, {{shape, t.dtype, where}}, {shape, t.dtype, where}),
                   number(row, "median_ns"));
      }
      series.print(std::string("exp ") + t.column + (l1 ? " L1" : " DRAM"));
    }
  }
}

void shardedMatmuls(const std::string& folder) {
  const DeviceSpec& device = *findDevice("n150");
  Series series;
  for (const Row& row : readCsv(folder + "/torp_matmul_height_sharded_n150.csv")) {
    int64_t m = number(row, "m_size"), k = number(row, "k_size"), n = number(row, "n_size");
    Where height{
        BufferType::L1, TensorMemoryLayout::HeightSharded, {static_cast<int32_t>(number(row, "num_cores")), 1}};
    series.add(modelTime(device, OpKind::TtnnMatmul, {{{m, k}, DType::BF16, height}, {{k, n}, DType::BF16, {}}},
                         {{m, n}, DType::BF16, height}),
               number(row, "duration"));
  }
  series.print("matmul height sharded");
}

// Products as the library does them by itself, from DRAM to DRAM.
void products(const std::string& folder) {
  for (const char* board : {"n150", "p150"}) {
    const DeviceSpec* device = findDevice(board);
    Series series;
    for (const Row& row : readCsv(folder + "/gemm_flops.csv")) {
      if (row.count("board") == 0 || row.at("board") != board || row.at("out_storage") != "DRAM" ||
          row.at("in0_storage") != "DRAM")
        continue;
      int64_t m = number(row, "m"), k = number(row, "k"), n = number(row, "n");
      DType dtype = row.at("dtype") == "BFLOAT16"    ? DType::BF16
                    : row.at("dtype") == "BFLOAT8_B" ? DType::BFP8
                                                     : DType::BFP4;
      std::string fidelity = row.at("fidelity");
      for (char& c : fidelity) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
      AttrList attrs = {
          {"compute_config", rawAttr("#ttnn.device_compute_kernel_config<math_fidelity = " + fidelity + ">")}};
      series.add(modelTime(*device, OpKind::TtnnMatmul, {{{m, k}, dtype, {}}, {{k, n}, dtype, {}}}, {{m, n}, dtype, {}},
                           std::move(attrs)),
                 number(row, "derived_device_time_ns"));
    }
    series.print(std::string("matmul ") + board + " DRAM");
  }
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench_times FOLDER\n");
    return 2;
  }
  tessera::exponentials(argv[1]);
  tessera::shardedMatmuls(argv[1]);
  tessera::products(argv[1]);
  return 0;
}
