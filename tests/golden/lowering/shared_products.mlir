//! opt: --ttir-fusing
// Three products of one matrix are one product, cut where each stood; two are left. A part of a product is the product
// of a part. Heads that are repeated through a broadcast are repeated by one op.
module {
  func.func @three(%x: tensor<32x64xbf16>, %q: tensor<64x128xbf16>, %k: tensor<32x64xbf16>, %v: tensor<64x32xbf16>) -> (tensor<32x128xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
    %0 = "ttir.matmul"(%x, %q) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16>, tensor<64x128xbf16>) -> tensor<32x128xbf16>
    %1 = "ttir.exp"(%0) : (tensor<32x128xbf16>) -> tensor<32x128xbf16>
    %2 = "ttir.matmul"(%x, %k) <{transpose_a = false, transpose_b = true}> : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x32xbf16>
    %3 = "ttir.matmul"(%x, %v) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16>, tensor<64x32xbf16>) -> tensor<32x32xbf16>
    return %1, %2, %3 : tensor<32x128xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
  }
  func.func @biased(%x: tensor<32x64xbf16>, %a: tensor<64x32xbf16>, %b: tensor<64x32xbf16>, %c: tensor<64x32xbf16>, %d: tensor<32xbf16>, %e: tensor<32xbf16>, %f: tensor<32xbf16>) -> (tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
    %0 = "ttir.linear"(%x, %a, %d) : (tensor<32x64xbf16>, tensor<64x32xbf16>, tensor<32xbf16>) -> tensor<32x32xbf16>
    %1 = "ttir.linear"(%x, %b, %e) : (tensor<32x64xbf16>, tensor<64x32xbf16>, tensor<32xbf16>) -> tensor<32x32xbf16>
    %2 = "ttir.linear"(%x, %c, %f) : (tensor<32x64xbf16>, tensor<64x32xbf16>, tensor<32xbf16>) -> tensor<32x32xbf16>
    return %0, %1, %2 : tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
  }
  func.func @two(%x: tensor<32x64xbf16>, %a: tensor<64x32xbf16>, %b: tensor<64x32xbf16>) -> (tensor<32x32xbf16>, tensor<32x32xbf16>) {
    %0 = "ttir.matmul"(%x, %a) : (tensor<32x64xbf16>, tensor<64x32xbf16>) -> tensor<32x32xbf16>
    %1 = "ttir.matmul"(%x, %b) : (tensor<32x64xbf16>, tensor<64x32xbf16>) -> tensor<32x32xbf16>
    return %0, %1 : tensor<32x32xbf16>, tensor<32x32xbf16>
  }
  func.func @last_row(%x: tensor<64x32xbf16>, %w: tensor<64x96xbf16>, %b: tensor<96xbf16>) -> tensor<1x1x96xbf16> {
    %0 = "ttir.linear"(%x, %w, %b) <{transpose_a = true, transpose_b = false}> : (tensor<64x32xbf16>, tensor<64x96xbf16>, tensor<96xbf16>) -> tensor<32x96xbf16>
    %1 = "ttir.reshape"(%0) <{shape = [1 : i32, 32 : i32, 96 : i32]}> : (tensor<32x96xbf16>) -> tensor<1x32x96xbf16>
    %2 = "ttir.slice_static"(%1) <{begins = [0 : i32, 31 : i32, 0 : i32], ends = [1 : i32, 32 : i32, 96 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x32x96xbf16>) -> tensor<1x1x96xbf16>
    return %2 : tensor<1x1x96xbf16>
  }
  func.func @heads(%x: tensor<1x4x32x16xbf16>) -> (tensor<1x12x32x16xbf16>, tensor<1x12x32x16xbf16>) {
    %0 = "ttir.reshape"(%x) <{shape = [1 : i32, 4 : i32, 1 : i32, 32 : i32, 16 : i32]}> : (tensor<1x4x32x16xbf16>) -> tensor<1x4x1x32x16xbf16>
    %1 = "ttir.broadcast"(%0) <{broadcast_dimensions = array<i64: 1, 1, 3, 1, 1>}> : (tensor<1x4x1x32x16xbf16>) -> tensor<1x4x3x32x16xbf16>
    %2 = "ttir.reshape"(%1) <{shape = [1 : i32, 12 : i32, 32 : i32, 16 : i32]}> : (tensor<1x4x3x32x16xbf16>) -> tensor<1x12x32x16xbf16>
    %3 = "ttir.reshape"(%x) <{shape = [1 : i32, 1 : i32, 4 : i32, 32 : i32, 16 : i32]}> : (tensor<1x4x32x16xbf16>) -> tensor<1x1x4x32x16xbf16>
    %4 = "ttir.broadcast"(%3) <{broadcast_dimensions = array<i64: 1, 3, 1, 1, 1>}> : (tensor<1x1x4x32x16xbf16>) -> tensor<1x3x4x32x16xbf16>
    %5 = "ttir.reshape"(%4) <{shape = [1 : i32, 12 : i32, 32 : i32, 16 : i32]}> : (tensor<1x3x4x32x16xbf16>) -> tensor<1x12x32x16xbf16>
    return %2, %5 : tensor<1x12x32x16xbf16>, tensor<1x12x32x16xbf16>
  }
}
