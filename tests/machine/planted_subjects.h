#pragma once
// The sound plans and runs that faults are planted in.

#include "tests/machine/planted_faults.h"
#include "tests/sim/tiny_device.h"

namespace tessera::test {

inline Subject subjectOf(std::unique_ptr<PolicyRun> made) {
  Subject subject;
  subject.plan = made->plan;
  subject.made = std::move(made);
  subject.apply();
  return subject;
}

// A plan with moves, values that leave L1 for want of room, and a view.
inline Subject pressedSubject() {
  const std::string t = "tensor<128x128xbf16>", n = "tensor<128x64xbf16>", r = "tensor<1x128x128xbf16>";
  const std::string text =
      "func.func @main(%a: " + t + ", %b: " + n + ") -> (" + r + ", " + t + ", " + n + ") {\n" +
      line("%0", "ttir.add", "%a, %a", t) + line("%1", "ttir.multiply", "%b, %b", n) +
      "  %2 = \"ttir.matmul\"(%0, %1) <{transpose_a = false, transpose_b = false}> : (" + t + ", " + n + ") -> " + n +
      "\n" + line("%3", "ttir.relu", "%0", t) + line("%4", "ttir.subtract", "%3, %0", t) +
      "  %5 = \"ttir.reshape\"(%4) <{shape = [1 : i32, 128 : i32, 128 : i32]}> : (" + t + ") -> " + r + "\n" +
      line("%6", "ttir.relu", "%5", r) + line("%7", "ttir.add", "%4, %3", t) + line("%8", "ttir.add", "%7, %0", t) +
      "  return %6, %8, %2 : " + r + ", " + t + ", " + n + "\n}\n";
  return subjectOf(runOn(graphOf(text), "Greedy", {.l1UsageCapPermille = 500}, tinyDevice()));
}

// A graph with layouts as they stand, without a policy.
inline Subject asLaidOut(Graph graph, const DeviceSpec& device) {
  Subject subject;
  subject.made = std::make_unique<PolicyRun>();
  subject.made->device = device;
  subject.applied.graph = std::move(graph);
  subject.run = simulate(subject.applied.graph, OpModel(subject.made->device), device.usableL1());
  return subject;
}

// A convolution of a sharded image, with the buffer for its rows and their neighbours.
inline Subject convolutionSubject() {
  const std::string t = "tensor<1x16x16x32xbf16>", w = "tensor<32x32x3x3xbf16>";
  const std::string text =
      "func.func @main(%a: " + t + ", %w: " + w + ") -> " + t + " {\n" + line("%0", "ttir.neg", "%a", t) +
      "  %1 = \"ttir.conv2d\"(%0, %w) <{dilation = array<i32: 1, 1>, groups = 1 : i32, padding = array<i32: 1, 1, 1, "
      "1>, stride = array<i32: 1, 1>}> : (" +
      t + ", " + w + ") -> " + t + "\n" + line("%2", "ttir.add", "%1, %0", t) + "  return %2 : " + t + "\n}\n";
  DeviceSpec device = tinyDevice();
  device.l1Size = Bytes(1 << 19);
  device.dramBankSize = Bytes(1 << 22);
  const TensorMemoryLayout height = TensorMemoryLayout::HeightSharded;
  return asLaidOut(laidOut(text, {{"0", height, {4, 1}}, {"1", height, {4, 1}}}, device), device);
}

// Every kind of layout: tiles and rows, sharded in three ways, interleaved, block floats; with padding, and a view.
inline Subject layoutsSubject() {
  const std::string t = "tensor<70x100xbf16>", r = "tensor<1x70x100xbf16>";
  const std::string text = "func.func @main(%a: " + t + ") -> (" + t + ", " + r + ") {\n" +
                           line("%0", "ttir.neg", "%a", t) + line("%1", "ttir.neg", "%0", t) +
                           line("%2", "ttir.neg", "%1", t) + line("%3", "ttir.neg", "%2", t) +
                           "  %v = \"ttir.reshape\"(%3) <{shape = [1 : i32, 70 : i32, 100 : i32]}> : (" + t + ") -> " +
                           r + "\n" + line("%4", "ttnn.to_layout", "%3", t) + line("%5", "ttnn.to_layout", "%4", t) +
                           line("%6", "ttnn.to_layout", "%5", t) + line("%7", "ttir.neg", "%6", t) +
                           line("%8", "ttir.neg", "%7", t) + line("%9", "ttir.add", "%7, %8", t) +
                           line("%10", "ttir.neg", "%v", r) + "  return %9, %10 : " + t + ", " + r + "\n}\n";
  DeviceSpec device = tinyDevice();
  device.grid = {2, 3};
  Graph graph = laidOut(text, {}, device);
  const auto lie = [&](std::string_view name, const LayoutRequest& request) {
    TensorType& type = *graph.values.edit(valueNamed(graph, name)).type.tensor;
    const auto made = makeLayout(type.shape, request, device);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().text);
    if (made.ok()) type.layout = *made;
  };
  using Memory = TensorMemoryLayout;
  const DType bf16 = DType::BF16;
  lie("0", {bf16, BufferType::L1, Memory::HeightSharded, PageLayout::Tile, {3, 1}});
  lie("1", {bf16, BufferType::L1, Memory::WidthSharded, PageLayout::Tile, {1, 4}});
  lie("2", {bf16, BufferType::L1, Memory::BlockSharded, PageLayout::Tile, {2, 2}});
  lie("3", {bf16, BufferType::L1, Memory::Interleaved, PageLayout::Tile, {2, 3}});
  lie("v", {bf16, BufferType::L1, Memory::Interleaved, PageLayout::Tile, {2, 3}});
  lie("4", {bf16, BufferType::DRAM, Memory::Interleaved, PageLayout::RowMajor, {}});
  lie("5", {bf16, BufferType::L1, Memory::HeightSharded, PageLayout::RowMajor, {6, 1}});
  lie("7", {DType::BFP8, BufferType::DRAM, Memory::Interleaved, PageLayout::Tile, {}});
  lie("8", {DType::BFP4, BufferType::L1, Memory::BlockSharded, PageLayout::Tile, {2, 2}});
  return asLaidOut(std::move(graph), device);
}

}  // namespace tessera::test
