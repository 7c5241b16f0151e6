// What must hold of the time of any op at any size: no published row says it, and a formula that only fits the rows at
// hand breaks it. Ops of all families (sized_ops.h), in every place, with every dim doubled, one longer and a tile
// longer.

#include <gtest/gtest.h>

#include <string_view>

#include "tests/evaluate/sized_ops.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

constexpr double kFixed = 2000;  // ns: what starts and ends a program may differ from size to size

std::string textOf(const SizedOp& op, const Shape& shape) {
  std::string text = op.name;
  for (int64_t extent : shape) text += " " + std::to_string(extent);
  return text;
}

std::vector<SizedOp> allSizedOps(const DeviceSpec& device) {
  std::vector<SizedOp> all;
  for (const auto& part : {computingOps(device), movingOps(device), largeOps(device)})
    for (size_t i = 0; i < part.size(); i += smallTests() ? 8 : 1) all.push_back(part[i]);
  return all;
}

bool begins(std::string_view name, std::string_view with) { return name.substr(0, with.size()) == with; }
bool has(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }

// Where the library takes another program for a slightly other size, and the model with it: rows of a power of two that
// all cores rank; products out of or into L1 that are no longer tile by tile; norms of channels that more columns of
// cores can share; shards that are no longer even; rows that are no longer aligned, or no longer whole tiles.
bool changesProgram(std::string_view name) {
  constexpr std::string_view kOps[] = {"ttnn.topk", "ttnn.group_norm", "ttnn.to_layout", "ttnn.reshape"};
  for (std::string_view op : kOps) {
    if (begins(name, op)) return true;
  }
  const bool cut = has(name, " HS") || has(name, " BS") || has(name, " WS");
  return cut || (begins(name, "ttnn.matmul") && has(name, "L1"));
}

// The numbers of a size that are no extents of a tensor: kernel and stride; batches that share their weights grow the
// rows.
bool mayGrow(const SizedOp& op, size_t dim) {
  return !((begins(op.name, "ttnn.conv2d") || begins(op.name, "ttnn.max_pool2d")) && dim > 3);
}

int64_t timeAt(const DeviceSpec& device, const SizedOp& op, const Shape& shape) {
  const std::optional<int64_t> time = modelTime(device, op.at(shape));
  EXPECT_TRUE(time) << textOf(op, shape);
  return time.value_or(0);
}

double inDram(const TimedTensor& tensor) {
  if (tensor.buffer != BufferType::DRAM) return 0;
  double bytes = static_cast<double>(tileBytes(tensor.dtype)) / static_cast<double>(kTileSide * kTileSide);
  for (int64_t extent : tensor.shape) bytes *= static_cast<double>(extent);
  return bytes;
}

class AtAnySize : public ::testing::TestWithParam<const char*> {
 protected:
  const DeviceSpec& device_ = *findDevice(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Boards, AtAnySize, ::testing::Values("n150", "p150"));

TEST_P(AtAnySize, TwiceAsMuchIsNotFasterAndWhatLiesBetweenIsNotSlower) {
  int64_t compared = 0;
  for (const SizedOp& op : allSizedOps(device_)) {
    for (const Shape& shape : op.sizes) {
      const auto base = static_cast<double>(timeAt(device_, op, shape));
      for (size_t dim = 0; dim < shape.size(); ++dim) {
        if (!mayGrow(op, dim) || base <= 0) continue;  // nothing moves: a view
        Shape twice = shape, next = shape;
        twice[dim] *= 2;
        next[dim] += shape[dim] < kTileSide ? 1 : kTileSide;
        const auto more = static_cast<double>(timeAt(device_, op, twice)),
                   between = static_cast<double>(timeAt(device_, op, next));
        ++compared;
        if (changesProgram(op.name) || more <= 0) continue;
        EXPECT_GE(more * 1.2 + kFixed, base) << textOf(op, twice);
        EXPECT_LE(between, more * 1.6 + kFixed) << textOf(op, next);
        EXPECT_GE(between * 1.6 + kFixed, base) << textOf(op, next);
      }
    }
  }
  EXPECT_GT(compared, smallTests() ? 500 : 5000);
}

// The result is written, and of each operand as much is read as the result has: no board moves more than its DRAM's
// nominal width (288 and 512 GB/s), no core more than its link to the network (32 and 64 bytes a clock).
TEST_P(AtAnySize, NothingIsFasterThanTheWiresPermit) {
  DeviceSpec one = device_;
  one.grid = {1, 1};
  const bool blackhole = device_.arch == Arch::Blackhole;
  const double dram = blackhole ? 512 : 288,
               link = (blackhole ? 64 : 32) * static_cast<double>(device_.clockMhz) / 1000;
  for (const DeviceSpec* device : {&device_, static_cast<const DeviceSpec*>(&one)}) {
    for (const SizedOp& op : allSizedOps(*device)) {
      if (begins(op.name, "ttnn.update_cache") || begins(op.name, "ttnn.fill_cache")) continue;  // a part of the cache
      for (const Shape& shape : op.sizes) {
        const TimedOp timed = op.at(shape);
        const auto time = static_cast<double>(timeAt(*device, op, shape));
        const double written = inDram(timed.result);
        double moved = written;
        for (const TimedTensor& operand : timed.operands) moved += std::min(inDram(operand), written);
        if (time <= 0) continue;  // a view
        EXPECT_GE(time * dram, moved) << textOf(op, shape);
        if (device != &one) continue;
        EXPECT_GE(time * link, written) << textOf(op, shape) << ", one core";
      }
    }
  }
}

// Sharing work out gains, or costs no more than what starts it on every core; batches of a product go one after the
// other, each started anew on all cores, and normalized groups are agreed on by all of them.
TEST_P(AtAnySize, MoreCoresAreNotSlower) {
  DeviceSpec one = device_;
  one.grid = {1, 1};
  const std::vector<SizedOp> alone = allSizedOps(one), all = allSizedOps(device_);
  ASSERT_EQ(alone.size(), all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    if (begins(all[i].name, "ttnn.matmul") || begins(all[i].name, "ttnn.group_norm")) continue;
    for (const Shape& shape : all[i].sizes) {
      const auto few = static_cast<double>(timeAt(one, alone[i], shape)),
                 many = static_cast<double>(timeAt(device_, all[i], shape));
      EXPECT_LE(many, few * 1.1 + kFixed) << textOf(all[i], shape);
    }
  }
}

}  // namespace
}  // namespace tessera::test
