// A fork and a join under pressure, a view, a weight, two results, a reader of its own result; and every answer about it.
//! ask: run {"policy":"Beam","tensor-l1-usage-cap":0.02,"trace":true}
//! ask: run {"policy":"Exact","tensor-l1-usage-cap":0.02}
//! ask: run {"policy":"Exact","plan":{"schema":2}}
//! ask: passes {"policy":"Greedy"}
//! ask: problem {}
//! ask: regret {"policy":"Greedy","tensor-l1-usage-cap":0.03}
//! ask: trace-events {"policy":"Greedy","tensor-l1-usage-cap":0.03}
//! ask: decision-trace {"policy":"Greedy"}
//! ask: certificate {"policy":"Exact"}
//! ask: plan {"policy":"Beam"}
//! ask: overrides {"policy":"Beam"}
//! ask: model-explorer {"policy":"Greedy","tensor-l1-usage-cap":0.03}
//! ask: mlir {"policy":"Greedy"}
//! ask: nothing {"policy":"Nobody","tensor-l1-usage-cap":7}
module @pressed {
  func.func @main(%x: tensor<256x512xbf16> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<512x512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<256x512xbf16>, tensor<128x1024xbf16>) {
    %0 = "ttir.relu"(%x) : (tensor<256x512xbf16>) -> tensor<256x512xbf16>
    %1 = "ttir.matmul"(%0, %w) : (tensor<256x512xbf16>, tensor<512x512xbf16>) -> tensor<256x512xbf16>
    %2 = "ttir.exp"(%1) : (tensor<256x512xbf16>) -> tensor<256x512xbf16>
    %3 = "ttir.multiply"(%2, %2) : (tensor<256x512xbf16>, tensor<256x512xbf16>) -> tensor<256x512xbf16>
    %4 = "ttir.add"(%3, %0) : (tensor<256x512xbf16>, tensor<256x512xbf16>) -> tensor<256x512xbf16>
    %5 = "ttir.reshape"(%4) <{shape = [128 : i32, 1024 : i32]}> : (tensor<256x512xbf16>) -> tensor<128x1024xbf16>
    %6 = "ttir.softmax"(%5) <{dimension = 1 : si32}> : (tensor<128x1024xbf16>) -> tensor<128x1024xbf16>
    return %3, %6 : tensor<256x512xbf16>, tensor<128x1024xbf16>
  }
}
