#pragma once
// Ops of any size and layout, for what must hold of the time model whatever the size: none of them stands in a
// published table.

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/evaluate/eval_times.h"
#include "core/ir/builder.h"

namespace tessera::test {

struct SizedOp {
  std::string name;                         // of the op, its layouts and settings
  std::vector<Shape> sizes;                 // that are tried; each number may grow by itself
  std::function<TimedOp(const Shape&)> at;  // the op at a size
};

namespace sized {

using Memory = TensorMemoryLayout;
constexpr PageLayout kRowPages = PageLayout::RowMajor;

struct Place {
  const char* name;
  BufferType buffer;
  Memory memory;
};
constexpr Place kDram = {"DRAM", BufferType::DRAM, Memory::Interleaved},
                kL1 = {"L1", BufferType::L1, Memory::Interleaved},
                kHeight = {"HS", BufferType::L1, Memory::HeightSharded},
                kWidth = {"WS", BufferType::L1, Memory::WidthSharded},
                kBlock = {"BS", BufferType::L1, Memory::BlockSharded};
constexpr Place kInterleaved[] = {kDram, kL1}, kAnywhere[] = {kDram, kL1, kHeight, kWidth, kBlock};

// Small and large, wide, tall and deep.
inline const std::vector<Shape> kImages = {{1, 1, 32, 32},   {1, 1, 32, 4096},   {1, 1, 4096, 32}, {1, 12, 128, 64},
                                           {2, 3, 224, 224}, {1, 1, 2048, 2048}, {4, 64, 96, 96},  {32, 1, 1, 768}};

// Makes tensors where a place says, on all cores of a device.
class Placer {
 public:
  explicit Placer(const DeviceSpec& device) : grid_(device.grid) {}
  TimedTensor operator()(Shape shape, Place place, DType dtype = DType::BF16,
                         PageLayout page = PageLayout::Tile) const {
    TimedTensor tensor{std::move(shape), dtype, place.buffer, place.memory, grid_, page};
    const auto cores = static_cast<int32_t>(grid_.volume());
    if (place.memory == Memory::HeightSharded) tensor.grid = {cores, 1};
    if (place.memory == Memory::WidthSharded) tensor.grid = {1, cores};
    return tensor;
  }

 private:
  GridShape grid_;
};

inline std::string named(OpKind kind, Place place, const std::string& what = "") {
  return std::string(opInfo(kind).name) + " " + place.name + (what.empty() ? "" : " " + what);
}

inline Shape with(Shape shape, size_t dim, int64_t extent) {
  shape[dim] = extent;
  return shape;
}

}  // namespace sized

// Element-wise ops, reductions, softmax, norms and sorts on `device`, wherever their tensors may be.
inline std::vector<SizedOp> computingOps(const DeviceSpec& device) {
  using namespace sized;
  const Placer put(device);
  std::vector<SizedOp> ops;
  const auto add = [&](std::string name, std::function<TimedOp(const Shape&)> at) {
    ops.push_back({std::move(name), kImages, std::move(at)});
  };
  for (Place place : kAnywhere) {
    for (DType dtype : {DType::BF16, DType::F32, DType::BFP8}) {
      const std::string type(dtypeName(dtype));
      for (OpKind kind : {OpKind::TtnnNeg, OpKind::TtnnExp})
        add(named(kind, place, type), [=](const Shape& s) {
          return TimedOp{kind, {put(s, place, dtype)}, put(s, place, dtype)};
        });
      add(named(OpKind::TtnnAdd, place, type), [=](const Shape& s) {
        return TimedOp{OpKind::TtnnAdd, {put(s, place, dtype), put(s, place, dtype)}, put(s, place, dtype)};
      });
    }
    add(named(OpKind::TtnnTypecast, place), [=](const Shape& s) {
      return TimedOp{OpKind::TtnnTypecast, {put(s, place)}, put(s, place, DType::F32)};
    });
    add(named(OpKind::TtnnAdd, place, "a row"), [=](const Shape& s) {
      return TimedOp{OpKind::TtnnAdd, {put(s, place), put({1, 1, 1, s[3]}, kDram)}, put(s, place)};
    });
    add(named(OpKind::TtnnMultiply, place, "a column"), [=](const Shape& s) {
      return TimedOp{OpKind::TtnnMultiply, {put(s, place), put({s[0], s[1], s[2], 1}, kDram)}, put(s, place)};
    });
    add(named(OpKind::TtnnWhere, place), [=](const Shape& s) {
      return TimedOp{OpKind::TtnnWhere, {put(s, place), put(s, place), put(s, place)}, put(s, place)};
    });
    add(named(OpKind::TtnnSoftmax, place), [=](const Shape& s) {
      return TimedOp{OpKind::TtnnSoftmax, {put(s, place)}, put(s, place), {{"dim", intAttr(-1)}}};
    });
    for (OpKind kind : {OpKind::TtnnRmsNorm, OpKind::TtnnLayerNorm})
      add(named(kind, place), [=](const Shape& s) {
        return TimedOp{kind, {put(s, place), put({s[3]}, kDram)}, put(s, place)};
      });
  }
  for (Place place : kInterleaved) {
    for (DType dtype : {DType::BF16, DType::F32}) {
      for (size_t dim = 0; dim < 4; ++dim)
        add(named(OpKind::TtnnSum, place, std::string(dtypeName(dtype)) + " dim " + std::to_string(dim)),
            [=](const Shape& s) {
              return TimedOp{OpKind::TtnnSum,
                             {put(s, place, dtype)},
                             put(with(s, dim, 1), place, dtype),
                             {{"dim_arg", intArrayAttr({static_cast<int64_t>(dim)})}}};
            });
      add(named(OpKind::TtnnMean, place, std::string(dtypeName(dtype)) + " of all"), [=](const Shape& s) {
        return TimedOp{OpKind::TtnnMean, {put(s, place, dtype)}, put({1, 1, 1, 1}, place, dtype)};
      });
    }
    for (size_t dim = 0; dim < 4; ++dim)
      add(named(OpKind::TtnnCumsum, place, "dim " + std::to_string(dim)), [=](const Shape& s) {
        return TimedOp{
            OpKind::TtnnCumsum, {put(s, place)}, put(s, place), {{"dim", intAttr(static_cast<int64_t>(dim))}}};
      });
    add(named(OpKind::TtnnArgmax, place), [=](const Shape& s) {
      return TimedOp{OpKind::TtnnArgmax,
                     {put(s, place, DType::BF16, kRowPages)},
                     put(with(s, 3, 1), place, DType::U32, kRowPages),
                     {{"dim", intAttr(-1)}}};
    });
    for (OpKind kind : {OpKind::TtnnSort, OpKind::TtnnTopk})
      add(named(kind, place), [=](const Shape& s) {
        return TimedOp{kind, {put(s, place)}, put(kind == OpKind::TtnnTopk ? with(s, 3, 32) : s, place)};
      });
    add(named(OpKind::TtnnBatchNormInference, place), [=](const Shape& s) {
      const TimedTensor line = put({1, s[1], 1, 1}, kDram);
      return TimedOp{OpKind::TtnnBatchNormInference, {put(s, place), line, line, line, line}, put(s, place)};
    });
    add(named(OpKind::TtnnGroupNorm, place), [=](const Shape& s) {
      return TimedOp{OpKind::TtnnGroupNorm, {put(s, place)}, put(s, place), {{"num_groups", intAttr(8)}}};
    });
    add(named(OpKind::TtnnQuantize, place), [=](const Shape& s) {
      return TimedOp{OpKind::TtnnQuantize, {put(s, place)}, put(s, place, DType::I32)};
    });
    add(named(OpKind::TtnnFull, place), [=](const Shape& s) { return TimedOp{OpKind::TtnnFull, {}, put(s, place)}; });
  }
  return ops;
}

// Permutations, reshapes, slices, concatenations, conversions, tables, caches, exchanges between chips.
inline std::vector<SizedOp> movingOps(const DeviceSpec& device) {
  using namespace sized;
  const Placer put(device);
  std::vector<SizedOp> ops;
  const auto add = [&](std::string name, std::function<TimedOp(const Shape&)> at) {
    ops.push_back({std::move(name), kImages, std::move(at)});
  };
  for (Place place : kInterleaved) {
    for (PageLayout page : {PageLayout::Tile, kRowPages}) {
      const std::string pages(pageLayoutName(page));
      const auto at = [=](Shape s, DType dtype = DType::BF16) { return put(std::move(s), place, dtype, page); };
      std::vector<int64_t> order = {0, 1, 2, 3};
      while (std::next_permutation(order.begin(), order.end())) {
        std::string text = pages;
        for (int64_t dim : order) text += std::to_string(dim);
        add(named(OpKind::TtnnPermute, place, text), [=](const Shape& s) {
          Shape out;
          for (int64_t dim : order) out.push_back(s[static_cast<size_t>(dim)]);
          return TimedOp{OpKind::TtnnPermute, {at(s)}, at(out), {{"permutation", intArrayAttr(order)}}};
        });
      }
      for (size_t a = 0; a < 3; ++a)
        add(named(OpKind::TtnnTranspose, place, pages + std::to_string(a)), [=](const Shape& s) {
          Shape out = s;
          std::swap(out[a], out[a + 1]);
          return TimedOp{OpKind::TtnnTranspose,
                         {at(s)},
                         at(out),
                         {{"dim0", intAttr(static_cast<int64_t>(a))}, {"dim1", intAttr(static_cast<int64_t>(a) + 1)}}};
        });
      add(named(OpKind::TtnnReshape, place, pages + " flat"), [=](const Shape& s) {
        return TimedOp{OpKind::TtnnReshape, {at(s)}, at({s[0], s[1] * s[2] * s[3]})};
      });
      add(named(OpKind::TtnnReshape, place, pages + " rows"), [=](const Shape& s) {
        return TimedOp{OpKind::TtnnReshape, {at(s)}, at({s[0] * s[1] * s[2], s[3]})};
      });
      for (size_t dim = 0; dim < 4; ++dim) {
        const std::string where = pages + " dim " + std::to_string(dim);
        add(named(OpKind::TtnnSliceStatic, place, where), [=](const Shape& s) {
          return TimedOp{OpKind::TtnnSliceStatic, {at(with(s, dim, 2 * s[dim]))}, at(s)};
        });
        add(named(OpKind::TtnnConcat, place, where), [=](const Shape& s) {
          return TimedOp{OpKind::TtnnConcat,
                         {at(s), at(s)},
                         at(with(s, dim, 2 * s[dim])),
                         {{"dim", intAttr(static_cast<int64_t>(dim))}}};
        });
        add(named(OpKind::TtnnPad, place, where), [=](const Shape& s) {
          return TimedOp{OpKind::TtnnPad, {at(s)}, at(with(s, dim, s[dim] + 32))};
        });
        add(named(OpKind::TtnnRepeat, place, where), [=](const Shape& s) {
          return TimedOp{OpKind::TtnnRepeat, {at(s)}, at(with(s, dim, 2 * s[dim]))};
        });
      }
      add(named(OpKind::TtnnGather, place, pages), [=](const Shape& s) {
        return TimedOp{OpKind::TtnnGather, {at(s), at(s, DType::U32)}, at(s), {{"dim", intAttr(3)}}};
      });
      add(named(OpKind::TtnnScatter, place, pages), [=](const Shape& s) {
        return TimedOp{OpKind::TtnnScatter, {at(s), at(s, DType::U32), at(s)}, at(s), {{"dim", intAttr(3)}}};
      });
      add(named(OpKind::TtnnEmbedding, place, pages), [=](const Shape& s) {
        return TimedOp{
            OpKind::TtnnEmbedding,
            {put({s[0], s[1] * s[2]}, kDram, DType::U32, kRowPages), put({30000, s[3]}, kDram, DType::BF16, kRowPages)},
            at({s[0], s[1] * s[2], s[3]})};
      });
    }
    add(named(OpKind::TtnnUpsample, place), [=](const Shape& s) {
      return TimedOp{OpKind::TtnnUpsample,
                     {put(s, place, DType::BF16, kRowPages)},
                     put({s[0], 2 * s[1], 2 * s[2], s[3]}, place, DType::BF16, kRowPages)};
    });
    add(named(OpKind::TtnnConcatenateHeads, place), [=](const Shape& s) {
      return TimedOp{OpKind::TtnnConcatenateHeads, {put(s, place)}, put({s[0], s[2], s[1] * s[3]}, place)};
    });
    add(named(OpKind::TtnnUpdateCache, place), [=](const Shape& s) {
      return TimedOp{OpKind::TtnnUpdateCache,
                     {put(with(s, 2, 2048), place), put(s, place), put({1}, kDram, DType::I32, kRowPages)},
                     put(with(s, 2, 2048), place)};
    });
    add(named(OpKind::TtnnFillCache, place), [=](const Shape& s) {
      return TimedOp{
          OpKind::TtnnFillCache, {put(with(s, 2, 2 * s[2]), place), put(s, place)}, put(with(s, 2, 2 * s[2]), place)};
    });
    add(named(OpKind::TtnnRotaryEmbedding, place), [=](const Shape& s) {
      const TimedTensor table = put({1, 1, s[2], s[3]}, place);
      return TimedOp{OpKind::TtnnRotaryEmbedding, {put(s, place), table, table}, put(s, place)};
    });
    add(named(OpKind::TtnnAllGather, place), [=](const Shape& s) {
      return TimedOp{OpKind::TtnnAllGather, {put(s, place)}, put(with(s, 3, 4 * s[3]), place)};
    });
    add(named(OpKind::TtnnReduceScatter, place), [=](const Shape& s) {
      return TimedOp{OpKind::TtnnReduceScatter, {put(with(s, 3, 4 * s[3]), place)}, put(s, place)};
    });
    add(named(OpKind::TtnnAllReduce, place), [=](const Shape& s) {
      return TimedOp{OpKind::TtnnAllReduce, {put(s, place)}, put(s, place)};
    });
  }
  for (Place from : kAnywhere) {
    for (Place to : kAnywhere) {
      for (PageLayout page : {PageLayout::Tile, kRowPages}) {
        add(named(OpKind::TtnnToMemoryConfig, from,
                  std::string("to ") + to.name + " " + std::string(pageLayoutName(page))),
            [=](const Shape& s) {
              return TimedOp{
                  OpKind::TtnnToMemoryConfig, {put(s, from, DType::BF16, page)}, put(s, to, DType::BF16, page)};
            });
        const PageLayout other = page == kRowPages ? PageLayout::Tile : kRowPages;
        add(named(OpKind::TtnnToLayout, from,
                  std::string("to ") + to.name + " out of " + std::string(pageLayoutName(page))),
            [=](const Shape& s) {
              return TimedOp{OpKind::TtnnToLayout, {put(s, from, DType::BF16, page)}, put(s, to, DType::BF16, other)};
            });
      }
    }
  }
  return ops;
}

// Products, convolutions, pools, attention.
inline std::vector<SizedOp> largeOps(const DeviceSpec& device) {
  using namespace sized;
  const Placer put(device);
  std::vector<SizedOp> ops;
  // batches, rows, inner dim, columns
  const std::vector<Shape> products = {
      {1, 32, 32, 32},     {1, 32, 2048, 2048}, {1, 2048, 2048, 2048}, {8, 64, 64, 64},      {12, 384, 64, 384},
      {1, 4096, 512, 512}, {1, 512, 512, 4096}, {1, 197, 768, 3072},   {1, 32, 4096, 14336}, {1, 1024, 96, 1024}};
  const auto product = [&](Place in, Place out, bool batched) {
    ops.push_back({named(OpKind::TtnnMatmul, in, std::string("to ") + out.name + (batched ? " batched" : "")), products,
                   [=](const Shape& s) {
                     return TimedOp{OpKind::TtnnMatmul,
                                    {put({s[0], s[1], s[2]}, in), put({batched ? s[0] : 1, s[2], s[3]}, kDram)},
                                    put({s[0], s[1], s[3]}, out)};
                   }});
  };
  for (Place place : kAnywhere) {
    product(place, place, false);
    if (place.memory != Memory::Interleaved) product(kDram, place, false), product(place, kDram, false);
  }
  product(kDram, kL1, false), product(kL1, kDram, false), product(kDram, kDram, true), product(kL1, kL1, true);
  // images, side, channels in and out, kernel, stride
  const std::vector<Shape> convs = {{1, 56, 64, 64, 3, 1},   {1, 224, 3, 64, 7, 2},  {8, 28, 128, 256, 1, 1},
                                    {1, 14, 512, 512, 3, 2}, {16, 56, 64, 64, 3, 1}, {1, 33, 24, 40, 5, 3}};
  for (Place place : {kDram, kHeight, kBlock, kWidth}) {
    const auto window = [](const Shape& s) {
      const int64_t pad = s[4] / 2;
      return AttrList{{"batch_size", intAttr(s[0])},
                      {"dilation", intArrayAttr({1, 1})},
                      {"groups", intAttr(1)},
                      {"in_channels", intAttr(s[2])},
                      {"input_height", intAttr(s[1])},
                      {"input_width", intAttr(s[1])},
                      {"channels", intAttr(s[2])},
                      {"kernel_size", intArrayAttr({s[4], s[4]})},
                      {"out_channels", intAttr(s[3])},
                      {"padding", intArrayAttr({pad, pad})},
                      {"stride", intArrayAttr({s[5], s[5]})},
                      {"ceil_mode", boolAttr(false)}};
    };
    const auto side = [](const Shape& s) { return (s[1] + 2 * (s[4] / 2) - s[4]) / s[5] + 1; };
    ops.push_back({named(OpKind::TtnnConv2d, place), convs, [=](const Shape& s) {
                     return TimedOp{OpKind::TtnnConv2d,
                                    {put({1, 1, s[0] * s[1] * s[1], s[2]}, place, DType::BF16, kRowPages),
                                     {{s[3], s[2], s[4], s[4]}}},
                                    put({1, 1, s[0] * side(s) * side(s), s[3]}, place),
                                    window(s)};
                   }});
    ops.push_back({named(OpKind::TtnnMaxPool2d, place), convs, [=](const Shape& s) {
                     return TimedOp{OpKind::TtnnMaxPool2d,
                                    {put({1, 1, s[0] * s[1] * s[1], s[2]}, place, DType::BF16, kRowPages)},
                                    put({1, 1, s[0] * side(s) * side(s), s[2]}, place, DType::BF16, kRowPages),
                                    window(s)};
                   }});
  }
  ops.push_back({named(OpKind::TtnnGlobalAvgPool2d, kDram), kImages, [=](const Shape& s) {
                   return TimedOp{OpKind::TtnnGlobalAvgPool2d, {put(s, kDram)}, put({s[0], 1, 1, s[3]}, kDram)};
                 }});
  // users, heads, queries, keys, width of a head
  const std::vector<Shape> heads = {
      {1, 8, 32, 32, 64}, {1, 32, 2048, 2048, 128}, {8, 12, 384, 384, 64}, {1, 1, 128, 8192, 96}};
  ops.push_back(
      {named(OpKind::TtnnScaledDotProductAttention, kDram), heads, [=](const Shape& s) {
         const TimedTensor query = put({s[0], s[1], s[2], s[4]}, kDram), keys = put({s[0], s[1], s[3], s[4]}, kDram);
         return TimedOp{OpKind::TtnnScaledDotProductAttention, {query, keys, keys}, query};
       }});
  ops.push_back(
      {named(OpKind::TtnnScaledDotProductAttentionDecode, kDram), heads, [=](const Shape& s) {
         const TimedTensor query = put({1, s[0], s[1], s[4]}, kDram), keys = put({s[0], s[1], s[3], s[4]}, kDram);
         return TimedOp{OpKind::TtnnScaledDotProductAttentionDecode, {query, keys, keys}, query};
       }});
  return ops;
}

}  // namespace tessera::test
