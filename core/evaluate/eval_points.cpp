// tessera eval points: pairs of layouts measured for the same op. A point agrees when the model puts the faster one
// first.

#include <cstdlib>

#include "core/evaluate/eval_json.h"
#include "core/evaluate/eval_times.h"
#include "core/ir/builder.h"

namespace tessera {

namespace {

// The numbers in a text, in order: "conv2d 3x3 ich256" -> 2, 3, 3, 256.
std::vector<int64_t> numbersOf(std::string_view text) {
  std::vector<int64_t> numbers;
  bool open = false;
  constexpr int64_t kMost = 1 << 24;
  for (char c : text) {
    bool digit = c >= '0' && c <= '9';
    if (digit && !open) numbers.push_back(0);
    if (digit && numbers.back() < kMost) numbers.back() = numbers.back() * 10 + (c - '0');
    open = digit;
  }
  return numbers;
}

struct Side {
  std::string_view key;
  TimedTensor place;  // without a shape
};

TimedTensor inL1(TensorMemoryLayout memory, GridShape grid) { return {{}, DType::BF16, BufferType::L1, memory, grid}; }

TimedTensor placed(TimedTensor place, Shape shape) {
  place.shape = std::move(shape);
  return place;
}

// A product whose result lies at `place`.
TimedOp product(const Shape& a, const Shape& b, const TimedTensor& place) {
  Shape out = a;
  out.back() = b.back();
  return {OpKind::TtnnMatmul, {{a}, {b}}, placed(place, out)};
}

int64_t numberBehind(std::string_view text, std::string_view key) {
  size_t at = text.find(key);
  std::vector<int64_t> numbers = at == std::string_view::npos ? std::vector<int64_t>{} : numbersOf(text.substr(at));
  return numbers.empty() ? 0 : numbers[0];
}

// A convolution of a square image that keeps its size, by the product (positions x depth x channels) it becomes. The
// depth is the kernel's area times the channels; where the channels named give no square kernel, all of the depth is
// channels of one position.
std::optional<TimedOp> convolution(int64_t positions, int64_t depth, int64_t out, int64_t in,
                                   const TimedTensor& place) {
  constexpr int64_t kLargestKernel = 15;
  int64_t side = 1, kernel = 1;
  while ((side + 1) * (side + 1) <= positions) ++side;
  if (side * side != positions || depth < 1 || out < 1) return {};
  for (int64_t k = 1; k <= kLargestKernel; k += 2) {
    if (in > 0 && k * k * in == depth) kernel = k;
  }
  if (kernel == 1) in = depth;
  TimedOp op{OpKind::TtnnConv2d,
             {placed(place, {1, 1, positions, in}), {{out, in, kernel, kernel}}},
             placed(place, {1, 1, positions, out})};
  op.attrs = {{"batch_size", intAttr(1)},
              {"dilation", intArrayAttr({1, 1})},
              {"groups", intAttr(1)},
              {"in_channels", intAttr(in)},
              {"input_height", intAttr(side)},
              {"input_width", intAttr(side)},
              {"kernel_size", intArrayAttr({kernel, kernel})},
              {"out_channels", intAttr(out)},
              {"padding", intArrayAttr({kernel / 2, kernel / 2})},
              {"stride", intArrayAttr({1, 1})}};
  return op;
}

// Models that a point may name instead of a shape: their hidden width. A step of decoding has a row of tiles.
struct NamedModel {
  std::string_view name;
  int64_t width;
};
constexpr NamedModel kNamedModels[] = {{"gpt_oss", 2880}};

// What follows "rms_norm ": the shape ("32x2880"), or a decode step of a named model.
std::optional<Shape> normShape(std::string_view text) {
  std::vector<int64_t> sizes = numbersOf(text.substr(0, text.find_first_not_of("0123456789x")));
  if (sizes.size() == 2 && sizes[0] > 0 && sizes[1] > 0) return Shape{sizes[0], sizes[1]};
  for (const NamedModel& model : kNamedModels) {
    bool decode = text.find(model.name) != std::string_view::npos && text.find("decode") != std::string_view::npos;
    if (decode) return Shape{kTileSide, model.width};
  }
  return {};
}

// The op of a point with the layouts of one side.
std::optional<TimedOp> opOf(JsonValue point, const TimedTensor& place) {
  std::string_view what = point.get("what").asString().value_or("");
  std::vector<int64_t> shape = numbersOf(point.get("shape_MxKxN").asString().value_or(""));
  if (shape.size() == 3) return product({shape[0], shape[1]}, {shape[1], shape[2]}, place);
  std::vector<int64_t> view = numbersOf(point.get("matmul_view").asString().value_or(""));
  if (view.size() == 3) return convolution(view[0], view[1], view[2], numberBehind(what, "ich"), place);
  size_t open = what.find("matmul ["), times = what.find("]@[");
  if (open != std::string_view::npos && times != std::string_view::npos && times > open) {
    std::vector<int64_t> a = numbersOf(what.substr(open, times - open)),
                         b = numbersOf(what.substr(times, what.find(']', times + 1) - times));
    if (a.size() == 3 && b.size() == 3) return product({a[0], a[1], a[2]}, {b[0], b[1], b[2]}, place);
  }
  std::optional<Shape> normed = what.substr(0, 9) == "rms_norm " ? normShape(what.substr(9)) : std::nullopt;
  if (!normed) return {};
  return TimedOp{OpKind::TtnnRmsNorm, {placed(place, *normed)}, placed(place, *normed)};
}

}  // namespace

EvalResult evalPoints(const EvalRequest& request) {
  EvalResult result;
  const EvalJson file(request, "", result);
  const JsonValue points = file.rows();
  if (!result.problem.empty()) return result;
  const DeviceSpec& device = *findDevice("n150");
  const Side kSides[] = {
      {"dram_interleaved_us", {}},
      {"dram_us", {}},
      {"interleaved_us", {}},
      {"l1_interleaved_us", inL1(TensorMemoryLayout::Interleaved, device.grid)},
      {"l1_us", inL1(TensorMemoryLayout::Interleaved, device.grid)},
      {"block_sharded_us", inL1(TensorMemoryLayout::BlockSharded, device.grid)},
      {"height_sharded_us", inL1(TensorMemoryLayout::HeightSharded, {static_cast<int32_t>(device.grid.volume()), 1})},
      {"sharded_us", inL1(TensorMemoryLayout::WidthSharded, {1, static_cast<int32_t>(device.grid.volume())})},
  };
  for (size_t i = 0; i < points.size(); ++i) {
    std::vector<TimedRow> sides;
    for (const Side& side : kSides) {
      std::optional<double> measured = points.at(i).get(side.key).asNumber();
      if (!measured) continue;
      std::optional<TimedOp> op = opOf(points.at(i), side.place);
      sides.push_back({std::string(side.key), *measured, op ? modelTime(device, std::move(*op)) : std::nullopt});
    }
    if (sides.size() != 2) continue;  // a fact, no pair
    ++result.rows;
    const TimedRow &a = sides[0], &b = sides[1];
    std::string line = a.name + " " + (a.model ? std::to_string(*a.model) : "no model") + ", " + b.name + " " +
                       (b.model ? std::to_string(*b.model) : "no model") + " (ns)";
    bool right = a.model && b.model && *a.model != *b.model && (*a.model < *b.model) == (a.measured < b.measured);
    if (right) ++result.agree;
    else result.misses.push_back({std::string(points.at(i).get("what").asString().value_or("")), line});
  }
  int64_t tenths = result.rows > 0 ? result.agree * 1000 / result.rows : 0;
  result.figures = "order_right " + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + "%";
  return result;
}

}  // namespace tessera
