// Forks, a join as second operand, a concatenation, views, a weight that is shared and what only the return reads, under
// the chain generation and under pressure.
//! ask: run {"policy":"DFSharding","trace":true}
//! ask: run {"policy":"DFSharding2","tensor-l1-usage-cap":0.05,"trace":true}
//! ask: run {"policy":"GreedyL1Interleaved","tensor-l1-usage-cap":0.1}
//! ask: run {"policy":"BFInterleaved","device":"p150","trace":true}
//! ask: run {"policy":"Beam","beam-width":3,"tensor-l1-usage-cap":0.05,"trace":true}
//! ask: compare {"runs":[{"policy":"DRAM"},{"policy":"DFSharding","tensor-l1-usage-cap":0.05},{"policy":"Greedy","device":"p150"}]}
//! ask: trace-events {"policy":"DFSharding","tensor-l1-usage-cap":0.05}
//! ask: model-explorer {"policy":"DFSharding2"}
//! ask: overrides {"policy":"Greedy"}
//! ask: plan {"policy":"DFSharding","tensor-l1-usage-cap":0.05}
module @branches {
  func.func @main(%x: tensor<512x1024xbf16> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<1024x1024xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<512x2048xbf16>, tensor<512x1024xbf16>, tensor<1024x512xbf16>) {
    %0 = "ttir.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<512x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<512x1024xbf16> loc("first")
    %1 = "ttir.relu"(%0) : (tensor<512x1024xbf16>) -> tensor<512x1024xbf16> loc("left")
    %2 = "ttir.exp"(%0) : (tensor<512x1024xbf16>) -> tensor<512x1024xbf16> loc("right")
    %3 = "ttir.matmul"(%1, %w) <{transpose_a = false, transpose_b = false}> : (tensor<512x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<512x1024xbf16> loc("second")
    %4 = "ttir.subtract"(%x, %3) : (tensor<512x1024xbf16>, tensor<512x1024xbf16>) -> tensor<512x1024xbf16> loc("join")
    %5 = "ttir.softmax"(%4) <{dimension = 1 : si32}> : (tensor<512x1024xbf16>) -> tensor<512x1024xbf16> loc("rows")
    %6 = "ttir.concat"(%5, %2) <{dim = 1 : si32}> : (tensor<512x1024xbf16>, tensor<512x1024xbf16>) -> tensor<512x2048xbf16> loc("both")
    %7 = "ttir.permute"(%4) <{permutation = array<i64: 1, 0>}> : (tensor<512x1024xbf16>) -> tensor<1024x512xbf16> loc("turned")
    %8 = "ttir.neg"(%7) : (tensor<1024x512xbf16>) -> tensor<1024x512xbf16> loc("last")
    return %6, %2, %8 : tensor<512x2048xbf16>, tensor<512x1024xbf16>, tensor<1024x512xbf16>
  }
}
