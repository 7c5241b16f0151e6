//! opt: --ttir-late-fusing
//! opt: --ttir-to-ttnn-backend-pipeline
// Queries, keys and values cut out of one product are split by one op: by what attention reads, else by the numbers of
// their heads. The weights are put in that order; columns behind them stay.
module {
  func.func @by_numbers(%x: tensor<32x64xbf16>, %k: tensor<64x64xbf16>, %q: tensor<64x128xbf16>, %v: tensor<64x64xbf16>) -> (tensor<1x4x32x32xbf16>, tensor<1x2x32x32xbf16>, tensor<1x2x32x32xbf16>) {
    %0 = "ttir.matmul"(%x, %k) : (tensor<32x64xbf16>, tensor<64x64xbf16>) -> tensor<32x64xbf16>
    %1 = "ttir.matmul"(%x, %q) : (tensor<32x64xbf16>, tensor<64x128xbf16>) -> tensor<32x128xbf16>
    %2 = "ttir.matmul"(%x, %v) : (tensor<32x64xbf16>, tensor<64x64xbf16>) -> tensor<32x64xbf16>
    %3 = "ttir.reshape"(%0) <{shape = [1 : i32, 32 : i32, 2 : i32, 32 : i32]}> : (tensor<32x64xbf16>) -> tensor<1x32x2x32xbf16>
    %4 = "ttir.permute"(%3) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x2x32xbf16>) -> tensor<1x2x32x32xbf16>
    %5 = "ttir.reshape"(%1) <{shape = [1 : i32, 32 : i32, 4 : i32, 32 : i32]}> : (tensor<32x128xbf16>) -> tensor<1x32x4x32xbf16>
    %6 = "ttir.permute"(%5) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x4x32xbf16>) -> tensor<1x4x32x32xbf16>
    %7 = "ttir.reshape"(%2) <{shape = [1 : i32, 32 : i32, 2 : i32, 32 : i32]}> : (tensor<32x64xbf16>) -> tensor<1x32x2x32xbf16>
    %8 = "ttir.permute"(%7) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x2x32xbf16>) -> tensor<1x2x32x32xbf16>
    return %6, %4, %8 : tensor<1x4x32x32xbf16>, tensor<1x2x32x32xbf16>, tensor<1x2x32x32xbf16>
  }
  func.func @by_attention(%x: tensor<32x64xbf16>, %w: tensor<64x224xbf16>) -> (tensor<1x2x32x32xbf16>, tensor<32x32xbf16>) {
    %0 = "ttir.matmul"(%x, %w) : (tensor<32x64xbf16>, tensor<64x224xbf16>) -> tensor<32x224xbf16>
    %1 = "ttir.slice_static"(%0) <{begins = [0 : i32, 0 : i32], ends = [32 : i32, 64 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x224xbf16>) -> tensor<32x64xbf16>
    %2 = "ttir.reshape"(%1) <{shape = [1 : i32, 32 : i32, 2 : i32, 32 : i32]}> : (tensor<32x64xbf16>) -> tensor<1x32x2x32xbf16>
    %3 = "ttir.permute"(%2) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x2x32xbf16>) -> tensor<1x2x32x32xbf16>
    %4 = "ttir.slice_static"(%0) <{begins = [0 : i32, 64 : i32], ends = [32 : i32, 128 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x224xbf16>) -> tensor<32x64xbf16>
    %5 = "ttir.reshape"(%4) <{shape = [1 : i32, 32 : i32, 2 : i32, 32 : i32]}> : (tensor<32x64xbf16>) -> tensor<1x32x2x32xbf16>
    %6 = "ttir.permute"(%5) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x2x32xbf16>) -> tensor<1x2x32x32xbf16>
    %7 = "ttir.slice_static"(%0) <{begins = [0 : i32, 128 : i32], ends = [32 : i32, 192 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x224xbf16>) -> tensor<32x64xbf16>
    %8 = "ttir.reshape"(%7) <{shape = [1 : i32, 32 : i32, 2 : i32, 32 : i32]}> : (tensor<32x64xbf16>) -> tensor<1x32x2x32xbf16>
    %9 = "ttir.permute"(%8) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x2x32xbf16>) -> tensor<1x2x32x32xbf16>
    %10 = "ttir.scaled_dot_product_attention"(%3, %6, %9) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scale = 0.125 : f32}> : (tensor<1x2x32x32xbf16>, tensor<1x2x32x32xbf16>, tensor<1x2x32x32xbf16>) -> tensor<1x2x32x32xbf16>
    %11 = "ttir.slice_static"(%0) <{begins = [0 : i32, 192 : i32], ends = [32 : i32, 224 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x224xbf16>) -> tensor<32x32xbf16>
    return %10, %11 : tensor<1x2x32x32xbf16>, tensor<32x32xbf16>
  }
}
