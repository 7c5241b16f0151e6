// What rules and times answer where a part of the question is left out: an operand that is no tensor has no layout, and
// what writes in place, or is called for its effect, has no result.

#include "core/ops/model/op_answers.h"
#include "core/ops/model/op_memory.h"
#include "core/ops/rules/family_rules.h"
#include "core/ops/rules/rule_book.h"
#include "core/ops/rules/window_plan.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/conv2d_config.h"
#include "tests/ops/rule_case.h"

namespace tessera::test {
namespace {

// What is left out of a question: an operand that is no tensor has no layout, and what writes in place, or is called
// for its effect, has no result.
struct LeftOut {
  OpKind kind;
  std::vector<Tensor> operands, results;
  AttrList attrs;
  std::vector<std::string> answers;  // without operand 0, 1 ..., at last without a result
};

std::string answerInFull(const Asked& asked) {
  const OpTime time = asked.time();
  return asked.refusal() + "; " + asked.bufferText() + "; " + std::to_string(time.fixed.count) + " + " +
         std::to_string(time.compute.count) + " ns, " + std::to_string(time.dramBytes) + " B, L1 " +
         std::to_string(asked.constraints().tensorL1PeakSize.count);
}

void expectWithoutEach(const std::vector<LeftOut>& cases) {
  for (const LeftOut& c : cases) {
    ASSERT_EQ(c.answers.size(), c.operands.size() + 1) << opInfo(c.kind).name;
    for (size_t i = 0; i <= c.operands.size(); ++i) {
      const bool noResult = i == c.operands.size();
      Asked asked(n150(), c.kind, c.operands, noResult ? std::vector<Tensor>{} : c.results, c.attrs);
      if (!noResult) asked.inputs[i] = std::nullopt;
      EXPECT_EQ(answerInFull(asked), c.answers[i])
          << opInfo(c.kind).name << " without " << (noResult ? "a result" : "operand " + std::to_string(i));
    }
  }
}

TEST(LeftOut, LeftOutOfHeadsAndAttention) {
  const Shape query = {1, 8, 32, 64}, keys = {8, 4, 512, 64}, rope = {1, 8, 512, 64}, angles = {1, 1, 512, 64},
              users = {1, 8, 32, 64}, cache = {4, 8, 512, 64}, value = {1, 8, 64, 64}, fused = {1, 1, 32, 768};
  const Tensor kv = {keys, kInDram}, table = {angles, kInDram}, index = {{4}, kDramRows, DType::I32},
               step = {users, heightOver(8)}, split = {{1, 32, 4, 64}, kInDram};
  const AttrList decode = {segments({1, 1, 1, 0, 0, 0})}, prefill = {segments({1, 1, 1, 0, 0})};
  expectWithoutEach({
      {OpKind::TtnnScaledDotProductAttention,
       {{rope, kInDram}, {rope, kInDram}, {rope, kInDram}},
       {{rope, kInDram}},
       prefill,
       {"legal; in1 2*2048, in2 2*2048, out 2*2048; 900 + 1200 ns, 1572864 B, L1 0",
        "legal; in0 2*2048, in2 2*2048, out 2*2048; 2744 + 1200 ns, 1572864 B, L1 0",
        "legal; query 2*2048, keys 64*2048, values 64*2048, mask 32*2048, scale 1*2048, identity 1*2048, scores "
        "16*2048, sums 4*2048, statistics 5*2048, out 2*2048; 2744 + 40448 ns, 1572864 B, L1 0",
        "legal; in0 2*2048, in1 2*2048, in2 2*2048; 900 + 40448 ns, 1572864 B, L1 0"}},
      {OpKind::TtnnScaledDotProductAttentionDecode,
       {{query, kInDram}, kv, kv},
       {{query, kInDram}},
       decode,
       {"legal; in1 2*2048, in2 2*2048, out 2*2048; 6000 + 300 ns, 4227072 B, L1 0",
        "legal; in0 2*2048, in2 2*2048, out 2*2048; 6000 + 300 ns, 2162688 B, L1 0",
        "legal; query 2*2048, query as tiles 2*2048, keys 64*2048, values 64*2048, mask 16*2048, scales 4*2048, scores "
        "16*2048, sums 6*2048, statistics 7*2048, statistics in 2*2048, results of other cores 4*2048, result in parts "
        "4*2048, out 2*2048; 6000 + 10112 ns, 2162688 B, L1 0",
        "legal; in0 2*2048, in1 2*2048, in2 2*2048; 6000 + 10112 ns, 4227072 B, L1 0"}},
      {OpKind::TtnnRotaryEmbedding,
       {{rope, kInDram}, table, table},
       {{rope, kInDram}},
       {},
       {"legal; in0 4*2048, cos 4*2048, sin 4*2048, rotated 4*2048, products 4*2048, out 4*2048; 900 + 1200 ns, 655360 "
        "B, L1 0",
        "legal; in0 4*2048, cos 4*2048, sin 4*2048, rotated 4*2048, products 4*2048, out 4*2048; 2744 + 1200 ns, "
        "1572864 B, L1 0",
        "legal; in0 4*2048, cos 4*2048, sin 4*2048, rotated 4*2048, products 4*2048, out 4*2048; 2744 + 1200 ns, "
        "1572864 B, L1 0",
        "legal; ; 900 + 0 ns, 1572864 B, L1 0"}},
      {OpKind::TtnnRotaryEmbeddingLlama,
       {step, step, step, step},
       {step},
       {},
       {"legal; in0 2*2048, cos 2*2048, sin 2*2048, rotated 2*2048, products 2*2048, out 2*2048; 900 + 600 ns, 0 B, L1 "
        "4096",
        "legal; in0 2*2048, cos 2*2048, sin 2*2048, rotated 2*2048, products 2*2048, out 2*2048; 700 + 600 ns, 0 B, L1 "
        "4096",
        "legal; in0 2*2048, cos 2*2048, sin 2*2048, rotated 2*2048, products 2*2048, out 2*2048; 700 + 600 ns, 0 B, L1 "
        "4096",
        "legal; in0 2*2048, cos 2*2048, sin 2*2048, rotated 2*2048, products 2*2048, out 2*2048; 700 + 600 ns, 0 B, L1 "
        "4096",
        "legal; ; 900 + 0 ns, 0 B, L1 0"}},
      {OpKind::TtnnNlpConcatHeads,
       {{{1, 8, 64, 64}, heightOver(8)}},
       {{{1, 1, 64, 512}, kInDram}},
       {},
       {"legal; ; 900 + 64 ns, 65536 B, L1 0", "legal; ; 900 + 0 ns, 0 B, L1 0"}},
      {OpKind::TtnnNlpConcatHeadsDecode,
       {step},
       {{{1, 1, 8, 2048}, kInDram}},
       {},
       {"legal; ; 900 + 64 ns, 131072 B, L1 0", "legal; ; 900 + 0 ns, 0 B, L1 0"}},
      {OpKind::TtnnNlpCreateQkvHeadsDecode,
       {{fused, widthOver(8)}, {{1}, kDramRows, DType::I32}},
       {split, split, split},
       {},
       {"legal; ; 900 + 64 ns, 393220 B, L1 0", "legal; in0 2*2048, out 2*2048; 2744 + 512 ns, 393216 B, L1 0",
        "legal; ; 900 + 0 ns, 4 B, L1 0"}},
      {OpKind::TtnnUpdateCache,
       {{cache, kInDram}, {value, kInL1}, index},
       {{cache, kInDram}},
       {},
       {"legal; ; 900 + 4800 ns, 2097168 B, L1 0", "legal; ; 2744 + 4800 ns, 4194320 B, L1 0",
        "legal; cache 8*2048, value 4*2048, untilized cache 8*2048, untilized value 128*2048, out 8*2048; 2744 + 4800 "
        "ns, 2162688 B, L1 0",
        "legal; cache 8*2048, value 4*2048, untilized cache 8*2048, untilized value 128*2048, out 8*2048; 900 + 0 ns, "
        "65552 B, L1 0"}},
      {OpKind::TtnnPagedFillCache,
       {{cache, kInDram}, {value, kInL1}, {{1, 16}, kDramRows, DType::I32}, index},
       {{cache, kInDram}},
       {},
       {"legal; ; 900 + 4800 ns, 2097232 B, L1 0", "legal; ; 2744 + 4800 ns, 4194384 B, L1 0",
        "legal; value 4*2048, batch 1*16; 2744 + 4800 ns, 2162704 B, L1 0",
        "legal; value 4*2048, page table 1*64; 2744 + 4800 ns, 2162752 B, L1 0",
        "legal; value 4*2048, page table 1*64, batch 1*16; 900 + 0 ns, 65616 B, L1 0"}},
  });
}

TEST(LeftOut, LeftOutOfProductsAndWindows) {
  const Shape square = {256, 256}, image = {1, 1, 1024, 64}, pooled = {1, 1, 900, 64}, weights = {64, 64, 3, 3};
  const Tensor tiles = {square, kInDram}, rows = {image, kDramRows};
  const AttrList threes = window(32, 32, 64, {3, 3}),
                 sliced = convolution(32, 64, 3, "#ttnn.conv2d_slice_config<dram_height, 2>");
  expectWithoutEach({
      {OpKind::TtnnMatmul,
       {tiles, tiles},
       {tiles},
       {},
       {"legal; ; 1070 + 0 ns, 262144 B, L1 0", "legal; ; 1070 + 0 ns, 262144 B, L1 0",
        "legal; ; 1070 + 0 ns, 262144 B, L1 0"}},
      {OpKind::TtnnLinear,
       {tiles, tiles, {{1, 256}, kInDram}},
       {tiles},
       {},
       {"legal; ; 1070 + 0 ns, 278528 B, L1 0", "legal; ; 1070 + 0 ns, 278528 B, L1 0",
        "legal; in0 2*2048, in1 2*2048, out 1*2048; 1070 + 5072 ns, 393216 B, L1 0",
        "legal; ; 1070 + 0 ns, 278528 B, L1 0"}},
      {OpKind::TtnnConv2d,
       {rows, {weights, kInDram}, {{1, 1, 1, 64}, kAtHost}},
       {{pooled, kInDram}},
       convolution(32, 64, 3),
       {"legal; ; 900 + 0 ns, 196608 B, L1 0", "legal; ; 2744 + 0 ns, 251904 B, L1 4096",
        "legal; weights 3*2048, activations 6*2048, tilized activations 12*2048, row-major activations 12*2048, "
        "scratch 1*64; 2744 + 14886 ns, 323584 B, L1 22528",
        "legal; ; 900 + 0 ns, 208896 B, L1 0"}},
      {OpKind::TtnnConv2d,
       {rows, {weights, kInDram}},
       {{pooled, kInDram}},
       sliced,
       {"legal; ; 900 + 0 ns, 192512 B, L1 0", "legal; ; 2744 + 0 ns, 249856 B, L1 4096",
        "legal; ; 900 + 0 ns, 204800 B, L1 0"}},
      {OpKind::TtnnMaxPool2d,
       {rows},
       {{pooled, kInDram}},
       threes,
       {"legal; ; 900 + 0 ns, 118784 B, L1 0", "legal; ; 900 + 0 ns, 131072 B, L1 0"}},
      {OpKind::TtnnGlobalAvgPool2d,
       {{{2, 7, 7, 64}, kInDram}},
       {{{2, 1, 1, 64}, kInDram}},
       {},
       {"legal; ; 900 + 0 ns, 8192 B, L1 0", "legal; ; 900 + 0 ns, 57344 B, L1 0"}},
      {OpKind::TtnnUpsample,
       {{{1, 8, 8, 32}, kDramRows}},
       {{{1, 16, 16, 32}, kDramRows}},
       {num("scale_factor", 2)},
       {"legal; ; 900 + 0 ns, 16384 B, L1 0", "legal; ; 900 + 0 ns, 4096 B, L1 0"}},
  });
}

TEST(LeftOut, LeftOutOfMovingOps) {
  const Shape square = {256, 256}, tall = {512, 256}, wide = {256, 512}, cut = {100, 256};
  const Tensor tiles = {square, kInDram}, rows = {square, kDramRows}, l1 = {square, kInL1};
  expectWithoutEach({
      {OpKind::TtnnReshape,
       {{{24, 8}, kDramRows}},
       {{{16, 12}, kDramRows}},
       {},
       {"legal; mapping 1*1024, in0 1*2048, out 1*2048; 900 + 64 ns, 384 B, L1 0", "legal; ; 900 + 0 ns, 384 B, L1 0"}},
      {OpKind::TtnnPermute,
       {tiles},
       {tiles},
       {ints("permutation", {1, 0})},
       {"legal; in0 2*2048, out 2*2048; 900 + 64 ns, 131072 B, L1 0", "legal; ; 900 + 0 ns, 131072 B, L1 0"}},
      {OpKind::TtnnConcat,
       {rows, rows},
       {{wide, kDramRows}},
       {num("dim", 1)},
       {"InputMustBeTile 1; in and out 2*2048; 900 + 128 ns, 393216 B, L1 0",
        "InputMustBeTile 0; in and out 2*2048; 2744 + 1506 ns, 393216 B, L1 0",
        "InputMustBeTile 0; ; 900 + 0 ns, 262144 B, L1 0"}},
      {OpKind::TtnnConcat,
       {{square, heightOver(8)}, {square, heightOver(8)}},
       {{wide, heightOver(8)}},
       {num("dim", 1)},
       {"legal; in and out 2*2048; 900 + 1024 ns, 0 B, L1 32768",
        "legal; in and out 2*2048; 700 + 1024 ns, 0 B, L1 32768", "legal; ; 900 + 0 ns, 0 B, L1 0"}},
      {OpKind::TtnnSliceStatic,
       {tiles},
       {{cut, kInDram}},
       {},
       {"legal; ; 900 + 64 ns, 65536 B, L1 0", "legal; ; 900 + 0 ns, 131072 B, L1 0"}},
      {OpKind::TtnnPad,
       {{cut, kInDram}},
       {tiles},
       {},
       {"legal; in and out 2*2048, padding 1*2048; 900 + 64 ns, 131072 B, L1 0", "legal; ; 900 + 0 ns, 65536 B, L1 0"}},
      {OpKind::TtnnRepeat,
       {{square, heightOver(8)}},
       {{tall, heightOver(8)}},
       {},
       {"legal; ; 900 + 1024 ns, 0 B, L1 32768", "legal; ; 900 + 0 ns, 0 B, L1 0"}},
      {OpKind::TtnnEmbedding,
       {{{1, 256}, kDramRows, DType::U32}, {{512, 96}, kInDram}},
       {{{1, 256, 96}, kInDram}},
       {},
       {"legal; rows 6*2048; 900 + 64 ns, 98304 B, L1 0", "legal; ; 2744 + 64 ns, 50176 B, L1 0",
        "legal; rows 6*2048; 900 + 0 ns, 99328 B, L1 0"}},
      {OpKind::TtnnEmbedding,
       {{{1, 256}, kDramRows, DType::U32}, {{512, 96}, kInDram}},
       {{{1, 256, 96}, heightOver(8)}},
       {},
       {"legal; rows 6*2048; 900 + 192 ns, 49152 B, L1 12288", "legal; ; 2744 + 192 ns, 1024 B, L1 12288",
        "legal; rows 6*2048; 900 + 0 ns, 99328 B, L1 0"}},
      {OpKind::TtnnGather,
       {l1, {square, kInDram, DType::U32}},
       {tiles},
       {num("dim", 1)},
       {"legal; in0 2*2048, out 2*2048; 900 + 64 ns, 393216 B, L1 0",
        "legal; in0 2*2048, out 2*2048; 2744 + 64 ns, 131072 B, L1 0", "legal; ; 900 + 0 ns, 262144 B, L1 0"}},
      {OpKind::TtnnScatter,
       {l1, {square, kInL1, DType::I32}, l1},
       {l1},
       {num("dim", 1)},
       {"legal; in0 2*2048, out 2*2048; 900 + 64 ns, 0 B, L1 2048",
        "legal; in0 2*2048, out 2*2048; 2444 + 64 ns, 0 B, L1 2048",
        "legal; in0 2*2048, out 2*2048; 2444 + 38912 ns, 0 B, L1 2048", "legal; ; 900 + 0 ns, 0 B, L1 0"}},
      {OpKind::TtnnToLayout,
       {tiles},
       {rows},
       {},
       {"legal; ; 900 + 64 ns, 131072 B, L1 0", "legal; ; 900 + 0 ns, 131072 B, L1 0"}},
      {OpKind::TtnnToMemoryConfig,
       {{square, heightOver(8)}},
       {{square, heightOver(8)}},
       {},
       {"legal; ; 900 + 512 ns, 0 B, L1 16384", "legal; ; 900 + 0 ns, 0 B, L1 0"}},
  });
}

TEST(LeftOut, LeftOutOfElementWiseOps) {
  const Shape square = {256, 256};
  const Tensor tiles = {square, kInDram}, rows = {square, kDramRows}, l1 = {square, kInL1},
               shards = {square, heightOver(8)}, blocks = {square, kInL1, DType::BFP8};
  expectWithoutEach({
      {OpKind::TtnnRelu,
       {rows},
       {rows},
       {},
       {"legal; ; 900 + 322 ns, 131072 B, L1 0", "InputMustBeTile 0; ; 900 + 0 ns, 131072 B, L1 0"}},
      {OpKind::TtnnRelu,
       {shards},
       {shards},
       {},
       {"legal; ; 900 + 2576 ns, 0 B, L1 16384", "legal; ; 900 + 0 ns, 0 B, L1 0"}},
      {OpKind::TtnnTypecast,
       {rows},
       {{square, kDramRows, DType::F32}},
       {},
       {"OutputMustBeTile; ; 900 + 56 ns, 262144 B, L1 0", "InputMustBeTile 0; ; 900 + 0 ns, 131072 B, L1 0"}},
      {OpKind::TtnnAdd,
       {rows, rows},
       {rows},
       {},
       {"legal; in1 2*512, out 2*512; 900 + 50 ns, 262144 B, L1 0",
        "legal; in0 2*512, out 2*512; 2744 + 432 ns, 262144 B, L1 0",
        "InputMustBeTile 0; ; 900 + 0 ns, 262144 B, L1 0"}},
      {OpKind::TtnnAdd,
       {shards, shards},
       {shards},
       {},
       {"legal; in1 2*2048, out 2*2048; 900 + 400 ns, 0 B, L1 16384",
        "legal; in0 8*2048 <- operand 0, out 8*2048 <- result; 700 + 400 ns, 0 B, L1 16384",
        "legal; ; 900 + 0 ns, 0 B, L1 0"}},
      {OpKind::TtnnRemainder,
       {l1, l1},
       {l1},
       {},
       {"legal; in1 2*2048, out 2*2048; 900 + 300 ns, 0 B, L1 2048",
        "legal; condition 2*4096, in0 2*4096, in1 2*4096, out 2*4096; 29319 + 3986 ns, 0 B, L1 22528",
        "legal; ; 900 + 0 ns, 0 B, L1 0"}},
      {OpKind::TtnnMaximum,
       {blocks, l1},
       {l1},
       {},
       {"legal; in1 2*2048, out 2*2048; 900 + 334 ns, 0 B, L1 2048",
        "legal; in0 2*2048, out 2*2048; 3159 + 668 ns, 0 B, L1 6144", "legal; ; 900 + 0 ns, 0 B, L1 0"}},
      {OpKind::TtnnWhere,
       {tiles, shards, tiles},
       {shards},
       {},
       {"legal; in1 2*2048, in2 2*2048, out 2*2048; 900 + 2400 ns, 131072 B, L1 16384",
        "legal; in0 2*2048, in2 2*2048, out 2*2048; 2744 + 4450 ns, 262144 B, L1 16384",
        "legal; in0 2*2048, in1 2*2048, out 2*2048; 2744 + 4450 ns, 131072 B, L1 16384",
        "legal; in0 2*2048, in1 2*2048, in2 2*2048; 900 + 0 ns, 262144 B, L1 0"}},
      {OpKind::TtnnQuantize,
       {l1, {{256}, kInL1}, {{256}, kInL1, DType::I32}},
       {{square, kInL1, DType::I32}},
       {num("axis", 1)},
       {"legal; in0 2*2048, in1 2*2048, row of in1 2*2048, out 2*2048; 900 + 300 ns, 0 B, L1 4096",
        "legal; in0 2*2048, in1 2*2048, out 2*2048; 2444 + 300 ns, 0 B, L1 6144",
        "legal; in0 2*2048, in1 2*2048, row of in1 2*2048, out 2*2048; 2444 + 300 ns, 0 B, L1 8192",
        "legal; in0 2*2048, in1 2*2048, row of in1 2*2048, out 2*2048; 900 + 0 ns, 0 B, L1 0"}},
      {OpKind::TtnnRequantize,
       {{square, kInL1, DType::I32},
        {{256}, kInL1},
        {{256}, kInL1, DType::I32},
        {{256}, kInL1},
        {{256}, kInL1, DType::I32}},
       {{square, kInL1, DType::I32}},
       {num("axis", 1)},
       {"legal; in0 2*4096, in1 2*4096, row of in1 2*4096, out 2*4096; 900 + 300 ns, 0 B, L1 4096",
        "legal; in0 2*4096, in1 2*4096, out 2*4096; 2444 + 300 ns, 0 B, L1 16384",
        "legal; in0 2*4096, in1 2*4096, row of in1 2*4096, out 2*4096; 2444 + 300 ns, 0 B, L1 32768",
        "legal; in0 2*4096, in1 2*4096, row of in1 2*4096, out 2*4096; 2444 + 300 ns, 0 B, L1 36864",
        "legal; in0 2*4096, in1 2*4096, row of in1 2*4096, out 2*4096; 2444 + 300 ns, 0 B, L1 32768",
        "legal; in0 2*4096, in1 2*4096, row of in1 2*4096, out 2*4096; 900 + 0 ns, 0 B, L1 0"}},
  });
}

TEST(LeftOut, LeftOutOfReductionsAndNormalizations) {
  const Shape square = {256, 256}, image = {2, 64, 16, 16};
  const Tensor tiles = {square, kInDram}, l1 = {square, kInL1}, column = {{256, 1}, kInDram},
               one = {{1, 64, 1, 1}, kInDram};
  expectWithoutEach({
      {OpKind::TtnnSum,
       {tiles},
       {column},
       {ints("dim_arg", {1})},
       {"legal; ; 900 + 0 ns, 16384 B, L1 0",
        "legal; in0 2*2048, scaler 2*2048, out 2*2048; 900 + 0 ns, 131072 B, L1 0"}},
      {OpKind::TtnnArgmax,
       {{square, kDramRows}},
       {{{256, 1}, kDramRows, DType::U32}},
       {num("dim", 1)},
       {"legal; ; 900 + 0 ns, 1024 B, L1 0", "legal; ; 900 + 0 ns, 131072 B, L1 0"}},
      {OpKind::TtnnCumsum,
       {tiles},
       {tiles},
       {num("dim", 0)},
       {"legal; ; 900 + 0 ns, 131072 B, L1 0",
        "legal; in0 4*2048, start 4*2048, sum 4*2048, out 4*2048; 900 + 0 ns, 131072 B, L1 0"}},
      {OpKind::TtnnSoftmax,
       {tiles},
       {tiles},
       {num("dimension", 1)},
       {"legal; ; 900 + 14000 ns, 131072 B, L1 0",
        "legal; in0 16*2048, max scaler 1*2048, sum scaler 1*2048, 1 / sum 1*2048, exponentials 8*2048, out 16*2048; "
        "900 + 71600 ns, 131072 B, L1 0"}},
      {OpKind::TtnnSort,
       {tiles},
       {l1, {square, kInL1, DType::U16}},
       {num("dim", 0)},
       {"legal; ; 900 + 0 ns, 0 B, L1 4096",
        "legal; in0 2*2048, indices in 2*2048, transposed values 2*2048, transposed indices 2*2048, out 2*2048, "
        "indices out 2*2048, row of values 8*2048, row of indices 8*2048, cores 1*1024; 900 + 284800 ns, 131072 B, L1 "
        "0"}},
      {OpKind::TtnnTopk,
       {tiles},
       {{{256, 32}, kInDram}, {{256, 32}, kInDram, DType::U16}},
       {num("dim", 1), num("k", 32)},
       {"legal; ; 900 + 0 ns, 32768 B, L1 0",
        "legal; in0 2*2048, indices in 2*2048, transposed values 2*2048, transposed indices 2*2048, out 2*2048, "
        "indices out 2*2048, row of values 8*2048, row of indices 8*2048, cores 1*1024; 900 + 55200 ns, 131072 B, L1 "
        "0"}},
      {OpKind::TtnnLayerNorm,
       {{square, blockOver(4, 4)}, {{256}, kInDram}},
       {{square, blockOver(4, 4)}},
       {segments({1, 1, 0, 0})},
       {"legal; ; 900 + 0 ns, 16384 B, L1 8192",
        "legal; in0 4*2048 <- operand 0, scaler 2*2048, epsilon 2*2048, weight 2*2048, x - mean 2*2048, mean 2*2048, "
        "intermed6 4*2048, (x - mean)^2 2*2048, variance 2*2048, 1 / deviation 8*2048, intermed5 4*2048, out 4*2048 <- "
        "result; 700 + 1600 ns, 0 B, L1 8192",
        "legal; in0 4*2048 <- operand 0, scaler 2*2048, epsilon 2*2048, weight 2*2048, x - mean 2*2048, mean 2*2048, "
        "intermed6 4*2048, (x - mean)^2 2*2048, variance 2*2048, 1 / deviation 8*2048, intermed5 4*2048, out 4*2048; "
        "900 + 25600 ns, 16384 B, L1 0"}},
      {OpKind::TtnnBatchNormInference,
       {{image, heightOver(8)}, one, one},
       {{image, heightOver(8)}},
       {},
       {"legal; ; 900 + 0 ns, 262144 B, L1 32768",
        "legal; in0 16*2048 <- operand 0, mean 2*2048, variance 2*2048, weight 2*2048, bias 2*2048, epsilon 2*2048, "
        "deviation 2*2048, intermed0 2*2048, out 16*2048 <- result; 700 + 1760 ns, 131072 B, L1 32768",
        "legal; in0 16*2048 <- operand 0, mean 2*2048, variance 2*2048, weight 2*2048, bias 2*2048, epsilon 2*2048, "
        "deviation 2*2048, intermed0 2*2048, out 16*2048 <- result; 700 + 1760 ns, 131072 B, L1 32768",
        "legal; in0 2*2048, mean 2*2048, variance 2*2048, weight 2*2048, bias 2*2048, epsilon 2*2048, deviation "
        "2*2048, intermed0 2*2048, out 2*2048; 900 + 14080 ns, 262144 B, L1 0"}},
      {OpKind::TtnnBatchNormTraining,
       {{image, kInL1}, one, one},
       {{image, kInL1}},
       {},
       {"legal; ; 900 + 0 ns, 262144 B, L1 4096",
        "legal; in0 2*2048, mean 2*2048, variance 2*2048, weight 2*2048, bias 2*2048, epsilon 2*2048, deviation "
        "2*2048, intermed0 2*2048, momentum 2*2048, running mean 2*2048, running variance 2*2048, out 2*2048; 2444 + "
        "220 ns, 131072 B, L1 8192",
        "legal; in0 2*2048, mean 2*2048, variance 2*2048, weight 2*2048, bias 2*2048, epsilon 2*2048, deviation "
        "2*2048, intermed0 2*2048, momentum 2*2048, running mean 2*2048, running variance 2*2048, out 2*2048; 2444 + "
        "220 ns, 131072 B, L1 8192",
        "legal; in0 2*2048, mean 2*2048, variance 2*2048, weight 2*2048, bias 2*2048, epsilon 2*2048, deviation "
        "2*2048, intermed0 2*2048, momentum 2*2048, running mean 2*2048, running variance 2*2048, out 2*2048; 900 + "
        "14080 ns, 262144 B, L1 4096"}},
      {OpKind::TtnnGroupNorm,
       {{{1, 1, 1024, 512}, kInDram}},
       {{{1, 1, 1024, 512}, kInDram}},
       {num("num_groups", 8), segments({1, 0, 0, 0})},
       {"legal; ; 900 + 0 ns, 1048576 B, L1 0",
        "legal; in0 16*2048, scaler 2*2048, epsilon 2*2048, x - mean 16*2048, mean 2*2048, intermed6 16*2048, (x - "
        "mean)^2 16*2048, variance 2*2048, 1 / deviation 8*2048, out 16*2048; 900 + 19468 ns, 1048576 B, L1 0"}},
  });
}

TEST(LeftOut, LeftOutOfWhatStaysInDram) {
  const Shape square = {256, 256}, tall = {512, 256};
  const Tensor tiles = {square, kInDram}, rows = {square, kDramRows};
  expectWithoutEach({
      {OpKind::TtnnAllGather,
       {rows},
       {{tall, kInDram}},
       {},
       {"legal; out 2*2048; 11000 + 600 ns, 262144 B, L1 0", "legal; in0 2*2048; 11000 + 0 ns, 131072 B, L1 0"}},
      {OpKind::TtnnMeshShard,
       {{square, kAtHost}},
       {{square, kAtHost}},
       {},
       {"legal; out 2*2048; 11000 + 300 ns, 0 B, L1 0", "legal; in0 2*2048; 11000 + 0 ns, 131072 B, L1 0"}},
      {OpKind::TtnnTopkRouterGpt,
       {tiles, tiles},
       {{square, kL1Rows}},
       {},
       {"legal; in1 2*2048, out 2*2048; 900 + 300 ns, 131072 B, L1 2048",
        "legal; in0 2*2048, out 2*2048; 2744 + 300 ns, 131072 B, L1 2048",
        "legal; in0 2*2048, in1 2*2048; 900 + 0 ns, 262144 B, L1 0"}},
      {OpKind::TtnnGridSample,
       {{{1, 16, 16, 32}, kInDram}, {{1, 16, 16, 2}, kInDram}},
       {{{1, 16, 16, 32}, kInDram}},
       {},
       {"legal; in1 2*2048, out 2*2048; 900 + 4840 ns, 65536 B, L1 0",
        "legal; in0 2*2048, out 2*2048; 2744 + 4840 ns, 65536 B, L1 0",
        "legal; in0 2*2048, in1 2*2048; 900 + 0 ns, 65536 B, L1 0"}},
      {OpKind::TtnnMoe,
       {tiles, tiles},
       {tiles},
       {},
       {"legal; in1 2*2048, out 2*2048; 900 + 300 ns, 262144 B, L1 0",
        "legal; in0 2*2048, out 2*2048; 2744 + 300 ns, 262144 B, L1 0",
        "legal; in0 2*2048, in1 2*2048; 900 + 0 ns, 262144 B, L1 0"}},
  });
}

}  // namespace
}  // namespace tessera::test
