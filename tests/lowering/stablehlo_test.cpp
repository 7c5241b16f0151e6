// From StableHLO to TTIR: what becomes of each op, and that nothing is left of the real graphs.

#include <set>

#include "core/lowering/stablehlo/stablehlo.h"
#include "tests/lowering/lowering_testing.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

// All passes of the stage; problems are the caller's to look at.
LoweringResult toTtir(const std::string& text) {
  LoweringSetup setup;
  LoweringResult all;
  all.graph = graphOfText(text);
  for (const PassInfo& pass : allPasses()) {
    if (pass.stage != PassStage::Stablehlo) continue;
    LoweringResult one = passOn(pass.name, all.graph, setup);
    all.graph = std::move(one.graph);
    all.logs.insert(all.logs.end(), one.logs.begin(), one.logs.end());
  }
  return all;
}

std::string problemsOf(const LoweringResult& result) {
  std::string text;
  for (const PassLog& log : result.logs) {
    for (const PassLogNote& note : log.problems) text += note.name + ": " + note.text + "\n";
  }
  return text;
}

// Names of the ops in order, without the return.
std::string ttirOpsOf(const Graph& graph) {
  std::string text;
  for (OpId id : graph.funcs[graph.forward].ops) {
    const std::string& name = graph.ops[id].name;
    if (name != "func.return") text += (text.empty() ? "" : " ") + name.substr(name.find('.') + 1);
  }
  return text;
}

std::string bodyToTtir(const std::string& arguments, const std::string& result, const std::string& body) {
  LoweringResult made =
      toTtir("func.func @main(" + arguments + ") -> " + result + " {\n" + body + "\n  return %r : " + result + "\n}");
  std::string problems = problemsOf(made);
  return problems.empty() ? ttirOpsOf(made.graph) : problems;
}

// What the table of the conversion says of one op.
struct StablehloRow {
  std::string_view op;      // "stablehlo.add"
  std::string_view target;  // "ttir.add", or "" when it is refused
  std::string_view reason;
};

const StablehloRow kStablehloRows[] = {
#define TESSERA_STABLEHLO(kind, rule, target, note) {opInfo(OpKind::kind).name, opInfo(OpKind::target).name, note},
#define TESSERA_STABLEHLO_REFUSED(kind, reason) {opInfo(OpKind::kind).name, "", reason},
#define TESSERA_STABLEHLO_UNKNOWN(name, reason) {name, "", reason},
#include "core/lowering/stablehlo/stablehlo_rules.def"
#undef TESSERA_STABLEHLO
#undef TESSERA_STABLEHLO_REFUSED
#undef TESSERA_STABLEHLO_UNKNOWN
};

// Every op of the dialects has a row, and every row is one of their ops.
TEST(Stablehlo, TableNamesEveryOp) {
  std::set<std::string_view> rows, ops;
  for (const StablehloRow& row : kStablehloRows) {
    const bool hasKind = opKindFromName(row.op) != OpKind::Opaque;
    EXPECT_TRUE(!hasKind || rows.insert(row.op).second) << row.op << " is there twice";
    EXPECT_TRUE(!row.target.empty() || !row.reason.empty()) << row.op << " is refused without a reason";
  }
  for (const OpInfo& op : allOps()) {
    if (op.family == Family::Stablehlo) ops.insert(op.name);
  }
  EXPECT_EQ(rows, ops);
}

// The list is written from the dialects' public documents, apart from the table.
TEST(Stablehlo, TableNamesEveryOpOfTheSpecification) {
  std::set<std::string> rows;
  for (const StablehloRow& row : kStablehloRows) rows.insert(std::string(row.op));
  std::istringstream list(readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/lowering/stablehlo_ops.txt"));
  int ops = 0;
  for (std::string line; std::getline(list, line);) {
    if (line.empty() || line[0] == '#' || line == "stablehlo.return") continue;  // the return of a function, read so
    EXPECT_TRUE(rows.count(line) == 1) << line << " is neither converted nor refused";
    ++ops;
  }
  EXPECT_GT(ops, 160);
}

TEST(Stablehlo, ViewsAndBroadcasts) {
  EXPECT_EQ(bodyToTtir("%x: tensor<4xf32>", "tensor<2x4x3xf32>",
                       "%r = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> tensor<2x4x3xf32>"),
            "reshape broadcast");
  EXPECT_EQ(bodyToTtir("%x: tensor<4x2xf32>", "tensor<2x4xf32>",
                       "%r = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>"),
            "permute");
  EXPECT_EQ(bodyToTtir("%x: tensor<4x2xf32>", "tensor<8xf32>",
                       "%r = stablehlo.reshape %x : (tensor<4x2xf32>) -> tensor<8xf32>"),
            "reshape");
}

// Over three dims, where no gap of the kernel is wider than one; over four there is no op.
TEST(Stablehlo, ConvolutionsOverThreeDims) {
  const auto conv = [](const std::string& x, const std::string& w, const std::string& y, const std::string& dims,
                       const std::string& window) {
    return bodyToTtir("%x: tensor<" + x + "xf32>, %w: tensor<" + w + "xf32>", "tensor<" + y + "xf32>",
                      "%r = stablehlo.convolution(%x, %w) dim_numbers = " + dims + ", window = {" + window +
                          "} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<" + x +
                          "xf32>, tensor<" + w + "xf32>) -> tensor<" + y + "xf32>");
  };
  const std::string three = "[b, 0, 1, 2, f]x[o, i, 0, 1, 2]->[b, 0, 1, 2, f]";
  EXPECT_NE(conv("1x4x5x6x3", "4x3x2x2x2", "1x3x4x5x4", three, "stride = [1, 1, 1]").find("conv3d"), std::string::npos);
  EXPECT_NE(conv("1x4x5x6x3", "4x3x2x2x2", "1x2x4x5x4", three, "rhs_dilate = [2, 1, 1]").find("no dilated 3-D"),
            std::string::npos);
  EXPECT_NE(conv("1x4x5x6x7x3", "4x3x2x2x2x2", "1x3x4x5x6x4",
                 "[b, 0, 1, 2, 3, f]x[o, i, 0, 1, 2, 3]->[b, 0, 1, 2, 3, f]", "stride = [1, 1, 1, 1]")
                .find("one, two or three dims"),
            std::string::npos);
}

TEST(Stablehlo, DynamicSlicesWithKnownStartsAreStatic) {
  std::string slice =
      "%r = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 2] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> "
      "tensor<2x2xf32>";
  EXPECT_EQ(
      bodyToTtir("%x: tensor<8x8xf32>", "tensor<2x2xf32>", "%i = stablehlo.constant dense<3> : tensor<i32>\n" + slice),
      "slice_static");
  EXPECT_EQ(bodyToTtir("%x: tensor<8x8xf32>, %i: tensor<i32>", "tensor<2x2xf32>", slice),
            "reshape reshape concat constant add slice_dynamic");
}

TEST(Stablehlo, ConvolutionsByTheirWindow) {
  auto conv = [](std::string input, std::string kernel, std::string result, std::string numbers, std::string window) {
    return bodyToTtir("%x: tensor<" + input + "xf32>, %w: tensor<" + kernel + "xf32>", "tensor<" + result + "xf32>",
                      "%r = stablehlo.convolution(%x, %w) dim_numbers = " + numbers + ", window = {" + window +
                          "} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<" + input +
                          "xf32>, tensor<" + kernel + "xf32>) -> tensor<" + result + "xf32>");
  };
  EXPECT_EQ(conv("1x3x8x8", "4x3x3x3", "1x4x8x8", "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]", "pad = [[1, 1], [1, 1]]"),
            "conv2d");
  EXPECT_EQ(conv("1x8x8x3", "3x3x3x4", "1x8x8x4", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "pad = [[1, 1], [1, 1]]"),
            "permute conv2d");
  EXPECT_EQ(conv("1x3x8", "4x3x3", "1x4x8", "[b, f, 0]x[o, i, 0]->[b, f, 0]", "pad = [[1, 1]]"),
            "permute conv1d permute");
  EXPECT_EQ(conv("1x3x4x4", "4x3x3x3", "1x4x8x8", "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]",
                 "pad = [[1, 2], [1, 2]], lhs_dilate = [2, 2]"),
            "permute conv_transpose2d");
  EXPECT_NE(conv("1x3x8x8", "4x3x3x3", "1x4x8x8", "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]",
                 "pad = [[1, 1], [1, 1]], reverse = [true, true]")
                .find("reversed windows"),
            std::string::npos);
}

TEST(Stablehlo, GathersOfRowsAreEmbeddings) {
  EXPECT_EQ(bodyToTtir("%x: tensor<100x8xf32>, %i: tensor<2x5xi32>", "tensor<2x5x8xf32>",
                       "%r = \"stablehlo.gather\"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], "
                       "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = "
                       "array<i64: 1, 8>}> : (tensor<100x8xf32>, tensor<2x5xi32>) -> tensor<2x5x8xf32>"),
            "reshape embedding reshape");
}

TEST(Stablehlo, LoopsUnrollWhenTheirTurnsAreKnown) {
  std::string loop = R"(
    %z = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%i = %z, %a = %x) : tensor<i32>, tensor<4xf32>
     cond {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %1 = stablehlo.compare  LT, %i, %n,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %i, %one : tensor<i32>
      %3 = stablehlo.exponential %a : tensor<4xf32>
      stablehlo.return %2, %3 : tensor<i32>, tensor<4xf32>
    }
    %r = stablehlo.negate %0#1 : tensor<4xf32>)";
  EXPECT_EQ(bodyToTtir("%x: tensor<4xf32>", "tensor<4xf32>", loop), "exp exp exp neg");
}

// lax.scan: what the counter says is known in every turn, so slices of weights and of results are static.
// However the counter runs and on whichever side of the comparison it stands.
TEST(Stablehlo, TurnsOfCounters) {
  auto loop = [](int from, const std::string& condition, const std::string& next) {
    std::string ops = bodyToTtir("%x: tensor<4xf32>", "tensor<4xf32>",
                                 "%from = stablehlo.constant dense<" + std::to_string(from) + R"(> : tensor<i32>
    %n = stablehlo.constant dense<6> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %0:2 = stablehlo.while(%i = %from, %y = %x) : tensor<i32>, tensor<4xf32>
     cond {
      %1 = stablehlo.compare  )" + condition +
                                     R"(,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %2 = stablehlo.)" + next + R"( : tensor<i32>
      %3 = stablehlo.exponential %y : tensor<4xf32>
      stablehlo.return %2, %3 : tensor<i32>, tensor<4xf32>
    }
    %r = stablehlo.negate %0#1 : tensor<4xf32>)");
    size_t turns = 0;
    for (size_t at = ops.find("exp"); at != std::string::npos; at = ops.find("exp", at + 1)) ++turns;
    return ops.find("stands for") == std::string::npos ? static_cast<int>(turns) : -1;
  };
  EXPECT_EQ(loop(0, "LT, %i, %n", "add %i, %two"), 3);
  EXPECT_EQ(loop(0, "LE, %i, %n", "add %two, %i"), 4);
  EXPECT_EQ(loop(0, "GT, %n, %i", "add %i, %two"), 3);
  EXPECT_EQ(loop(12, "GT, %i, %n", "subtract %i, %two"), 3);
  EXPECT_EQ(loop(12, "GE, %i, %n", "subtract %i, %two"), 4);
  EXPECT_EQ(loop(12, "LE, %n, %i", "subtract %i, %two"), 4);
  EXPECT_EQ(loop(12, "NE, %i, %n", "subtract %i, %two"), 3);
  EXPECT_EQ(loop(7, "LT, %i, %n", "add %i, %two"), 0);
  EXPECT_EQ(loop(11, "NE, %i, %n", "subtract %i, %two"), -1);  // it never meets
  EXPECT_EQ(loop(12, "GT, %i, %n", "add %i, %two"), -1);
  EXPECT_EQ(loop(12, "GT, %i, %n", "subtract %two, %i"), -1);
}

TEST(Stablehlo, PlacesInUnrolledLoopsAreKnown) {
  std::string scan = R"(
    %z = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%i = %z, %a = %x) : tensor<i32>, tensor<2x4xf32>
     cond {
      %n = stablehlo.constant dense<2> : tensor<i32>
      %1 = stablehlo.compare  LT, %i, %n,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %two = stablehlo.constant dense<2> : tensor<i32>
      %1 = stablehlo.compare  LT, %i, %c,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %2 = stablehlo.add %i, %two : tensor<i32>
      %3 = stablehlo.select %1, %2, %i : tensor<i1>, tensor<i32>
      %4 = stablehlo.dynamic_slice %a, %3, %c, sizes = [1, 4] : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      %5 = stablehlo.exponential %4 : tensor<1x4xf32>
      %6 = stablehlo.dynamic_update_slice %a, %5, %3, %c : (tensor<2x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %7, %6 : tensor<i32>, tensor<2x4xf32>
    }
    %r = stablehlo.negate %0#1 : tensor<2x4xf32>)";
  EXPECT_EQ(bodyToTtir("%x: tensor<2x4xf32>", "tensor<2x4xf32>", scan),
            "slice_static exp slice_static concat slice_static exp slice_static concat neg");
}

TEST(Stablehlo, OpsWithoutARuleStayAndSayWhy) {
  LoweringResult made = toTtir(
      "func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {\n"
      "  %0 = stablehlo.cholesky %x, lower = true : tensor<4x4xf32>\n"
      "  %1 = stablehlo.add %0, %x : tensor<4x4xf32>\n  return %1 : tensor<4x4xf32>\n}");
  EXPECT_EQ(problemsOf(made),
            "stablehlo.cholesky: it becomes an opaque op in DRAM: the compiler has no pattern for it\n");
  EXPECT_EQ(ttirOpsOf(made.graph), "cholesky add");
  // Behind a pass that removes what nobody reads it is as much a problem.
  const LoweringResult unread = toTtir(
      "func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {\n"
      "  %0 = stablehlo.cholesky %x, lower = true : tensor<4x4xf32>\n  %1 = stablehlo.exponential %x : "
      "tensor<4x4xf32>\n"
      "  return %0 : tensor<4x4xf32>\n}");
  EXPECT_EQ(problemsOf(unread), problemsOf(made));
  EXPECT_EQ(ttirOpsOf(unread.graph), "cholesky");
  // An op of the specification that has no kind says why, too.
  EXPECT_NE(bodyToTtir("%x: tensor<4xf32>", "tensor<4xf32>",
                       "%r = \"stablehlo.collective_reduce\"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> : "
                       "(tensor<4xf32>) -> tensor<4xf32>")
                .find("the compiler has no pattern for it"),
            std::string::npos);
}

// Calls in a ring, and calls that stand for more ops than anyone can hold.
TEST(Stablehlo, WindowsOfAnotherRankStay) {
  const LoweringResult result = toTtir(
      "func.func @main(%x: tensor<2x8x8x3xf32>) -> tensor<2x7x3xf32> {\n"
      "  %z = stablehlo.constant dense<0.000000e+00> : tensor<f32>\n"
      "  %r = \"stablehlo.reduce_window\"(%x, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>}> ({\n"
      "  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n    %s = stablehlo.add %p, %q : tensor<f32>\n"
      "    stablehlo.return %s : tensor<f32>\n  }) : (tensor<2x8x8x3xf32>, tensor<f32>) -> tensor<2x7x3xf32>\n"
      "  return %r : tensor<2x7x3xf32>\n}\n");
  EXPECT_EQ(problemsOf(result),
            "stablehlo.reduce_window: it becomes an opaque op in DRAM: its window does not give the result's shape\n");
}

TEST(Stablehlo, HostileCalls) {
  std::string ring =
      "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
      "  return %0 : tensor<4xf32>\n}\n"
      "func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.add %x, %x : tensor<4xf32>\n"
      "  %1 = call @g(%0) : (tensor<4xf32>) -> tensor<4xf32>\n  return %1 : tensor<4xf32>\n}\n"
      "func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n";
  EXPECT_NE(problemsOf(toTtir(ring)).find("calls itself"), std::string::npos);
  if (smallTests()) return;  // inlined up to the limit of 200,000 ops
  std::string tower =
      "func.func @f0(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = call @f1(%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
      "  return %0 : tensor<4xf32>\n}\n";
  for (int i = 1; i < 30; ++i) {
    std::string next = "@f" + std::to_string(i + 1),
                call = " = call " + next + "(%x) : (tensor<4xf32>) -> tensor<4xf32>\n";
    tower += "func.func private @f" + std::to_string(i) + "(%x: tensor<4xf32>) -> tensor<4xf32> {\n";
    tower += i == 29 ? "  %0 = stablehlo.add %x, %x : tensor<4xf32>\n" : "  %0" + call + "  %1" + call;
    tower += std::string("  return %") + (i == 29 ? "0" : "1") + " : tensor<4xf32>\n}\n";
  }
  EXPECT_NE(problemsOf(toTtir(tower)).find("more ops than are read"), std::string::npos);
}

// Marks of front ends that compute nothing leave nothing.
TEST(Stablehlo, MarksOfFrontEndsGo) {
  for (const char* target : {"Sharding", "annotate_device_placement", "tt.mark_argument", "tt.sharding_constraint",
                             "tt.weight_dtype_override", "xla.sdy.FuncResultSharding", "LayoutConstraint"}) {
    SCOPED_TRACE(target);
    EXPECT_EQ(bodyToTtir("%x: tensor<4x8xf32>", "tensor<4x8xf32>",
                         std::string("%0 = stablehlo.custom_call @") + target +
                             "(%x) {api_version = 0 : i32, backend_config = \"\"} : (tensor<4x8xf32>) -> "
                             "tensor<4x8xf32>\n%r = stablehlo.abs %0 : tensor<4x8xf32>"),
              "abs");
  }
  EXPECT_NE(bodyToTtir("%x: tensor<4xf32>", "tensor<4xf32>",
                       "%r = stablehlo.custom_call @cu_threefry2x32(%x) : (tensor<4xf32>) -> tensor<4xf32>")
                .find("no custom call `cu_threefry2x32`"),
            std::string::npos);
}

// What a front end's call says becomes the op's attributes; what it does not say is their default.
TEST(Stablehlo, CallsOfFrontEndsHandOverTheirAttributes) {
  const auto made = [](const std::string& name, const std::string& attributes, const std::string& arguments,
                       const std::string& names, const std::string& types, const std::string& result) {
    const LoweringResult done =
        toTtir("func.func @main(" + arguments + ") -> " + result + " {\n  %r = stablehlo.custom_call @tt." + name +
               "(" + names + ") {mhlo.frontend_attributes = {" + attributes + "}} : (" + types + ") -> " + result +
               "\n  return %r : " + result + "\n}\n");
    EXPECT_EQ(problemsOf(done), "");
    return done.graph.ops[done.graph.funcs[done.graph.forward].ops[0]];
  };
  const std::string w = "tensor<1x4x64x32xbf16>";
  for (const bool first : {false, true}) {
    // Rows of experts in the first operand, or weights of experts in the second.
    const std::string x = first ? "tensor<8x4x32x64xbf16>" : "tensor<8x16x32x64xbf16>",
                      s = first ? "tensor<1x1x8x4xbf16>" : "tensor<8x16x1x4xbf16>",
                      product = first ? "tensor<8x4x32x32xbf16>" : "tensor<8x16x1x4x32x32xbf16>";
    const Op op = made("sparse_matmul",
                       std::string("is_input_a_sparse = \"") + (first ? "True" : "False") +
                           "\", is_input_b_sparse = \"" + (first ? "False" : "True") + "\", nnz = \"7\"",
                       "%x: " + x + ", %w: " + w + ", %s: " + s, "%x, %w, %s", x + ", " + w + ", " + s, product);
    ASSERT_EQ(op.kind, OpKind::TtirSparseMatmul);
    EXPECT_EQ(findAttr(op, "is_input_a_sparse")->integer, first);
    EXPECT_EQ(findAttr(op, "is_input_b_sparse")->integer, !first);
    EXPECT_EQ(findAttr(op, "nnz")->integer, 7);
  }
}

TEST(Stablehlo, ACallThatDoesNotSayReducesByOne) {
  for (const std::string said : {"", "reduction_size = \"16\""}) {
    const LoweringResult done = toTtir(
        "func.func @main(%t: tensor<1x1x32x64xbf16>, %m: tensor<1x1x64x4xui16>, %d: tensor<1x1x32x8xui16>) -> "
        "(tensor<1x1x32x64xbf16>, tensor<1x1x32x64xbf16>) {\n  %r:2 = stablehlo.custom_call "
        "@tt.moe_expert_token_remap(%t, %m, %d) {mhlo.frontend_attributes = {" +
        said +
        "}} : (tensor<1x1x32x64xbf16>, tensor<1x1x64x4xui16>, tensor<1x1x32x8xui16>) -> (tensor<1x1x32x64xbf16>, "
        "tensor<1x1x32x64xbf16>)\n  return %r#0, %r#1 : tensor<1x1x32x64xbf16>, tensor<1x1x32x64xbf16>\n}\n");
    EXPECT_EQ(problemsOf(done), "");
    const Op& op = done.graph.ops[done.graph.funcs[done.graph.forward].ops[0]];
    ASSERT_NE(findAttr(op, "reduction_size"), nullptr) << op.name;
    EXPECT_EQ(findAttr(op, "reduction_size")->integer, said.empty() ? 1 : 16);
  }
}

TEST(Stablehlo, TuplesThatOpsMakeAndTake) {
  EXPECT_EQ(bodyToTtir("%x: tensor<4xf32>, %y: tensor<4xf32>", "tensor<4xf32>",
                       "%0 = stablehlo.tuple %x, %y : tuple<tensor<4xf32>, tensor<4xf32>>\n"
                       "%1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<4xf32>, tensor<4xf32>>) -> "
                       "tensor<4xf32>\n%r = stablehlo.abs %1 : tensor<4xf32>"),
            "abs");
}

// One chip's program of a manual computation with collectives; the constraint behind it names the whole.
TEST(Stablehlo, ManualComputationsKeepTheirCollectives) {
  LoweringResult made = toTtir(R"(module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
      -> (tensor<16x8xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>]
        out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%arg1: tensor<8x8xf32>) {
      %1 = "stablehlo.all_reduce"(%arg1)
          <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>,
              replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %7 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %7 : tensor<f32>
      }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %2 = "stablehlo.collective_permute"(%1)
          <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>,
              source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
      sdy.return %2 : tensor<8x8xf32>
    } : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %9 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<16x8xf32>
    return %9 : tensor<16x8xf32>
  }
})");
  EXPECT_EQ(problemsOf(made), "");
  EXPECT_EQ(ttirOpsOf(made.graph), "all_reduce collective_permute");
}

// What is read around a manual computation is cut in front of it, and joined behind it.
TEST(Stablehlo, ManualComputationsAmongOtherOps) {
  LoweringResult made = toTtir(R"(module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%x: tensor<16x8xf32>) -> tensor<16x8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>]
        out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%a: tensor<8x8xf32>) {
      %1 = stablehlo.negate %a : tensor<8x8xf32>
      sdy.return %1 : tensor<8x8xf32>
    } : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %2 = stablehlo.add %0, %x : tensor<16x8xf32>
    return %2 : tensor<16x8xf32>
  }
})");
  EXPECT_EQ(problemsOf(made), "");
  EXPECT_EQ(ttirOpsOf(made.graph), "mesh_shard neg mesh_shard add");
}

TEST(Stablehlo, RealGraphsLeaveNothing) {
  std::error_code ignored;
  int graphs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(sharedFolder() / "stablehlo", ignored)) {
    if (entry.path().extension() != ".mlir") continue;
    std::string text = readFile(entry.path());
    if (text.find("<?x") != std::string::npos) continue;
    SCOPED_TRACE(entry.path().filename().string());
    ++graphs;
    LoweringResult made = toTtir(text);
    for (const auto& [name, count] : countOps(made.graph)) {
      bool writes = name == "stablehlo.dynamic_update_slice";  // at a place known at run time: on the host
      EXPECT_TRUE(writes || (name.rfind("stablehlo.", 0) != 0 && name.rfind("chlo.", 0) != 0)) << count << " " << name;
    }
  }
  if (graphs == 0) GTEST_SKIP() << "no graphs";
}

}  // namespace
}  // namespace tessera::test
