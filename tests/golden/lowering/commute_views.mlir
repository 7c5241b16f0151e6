//! opt: --ttir-erase-inverse-ops="force=true enable-commute-upwards=false"
//! opt: --ttir-erase-inverse-ops="force=true enable-commute-downwards=false"
//! opt: --ttir-erase-inverse-ops
// Views pass element-wise ops, concatenations, slices and reductions in the direction that the options allow; as
// far as they can.
module {
  func.func @concat(%a: tensor<4x6xbf16>, %b: tensor<4x10xbf16>) -> tensor<16x4xbf16> {
    %0 = "ttir.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<4x6xbf16>) -> tensor<6x4xbf16>
    %1 = "ttir.permute"(%b) <{permutation = array<i64: 1, 0>}> : (tensor<4x10xbf16>) -> tensor<10x4xbf16>
    %2 = "ttir.concat"(%0, %1) <{dim = 0 : si32}> : (tensor<6x4xbf16>, tensor<10x4xbf16>) -> tensor<16x4xbf16>
    return %2 : tensor<16x4xbf16>
  }
  func.func @twice(%a: tensor<2x3x8xbf16>) -> (tensor<2x24xbf16>, tensor<2x24xbf16>) {
    %0 = "ttir.exp"(%a) : (tensor<2x3x8xbf16>) -> tensor<2x3x8xbf16>
    %1 = "ttir.reshape"(%0) <{shape = [2 : i32, 24 : i32]}> : (tensor<2x3x8xbf16>) -> tensor<2x24xbf16>
    %2 = "ttir.reshape"(%0) <{shape = [2 : i32, 24 : i32]}> : (tensor<2x3x8xbf16>) -> tensor<2x24xbf16>
    return %1, %2 : tensor<2x24xbf16>, tensor<2x24xbf16>
  }
  func.func @there_and_back(%a: tensor<2x12x3xbf16>) -> tensor<2x1x3xbf16> {
    %0 = "ttir.permute"(%a) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x12x3xbf16>) -> tensor<2x3x12xbf16>
    %1 = "ttir.slice_static"(%0) <{begins = [0 : i32, 0 : i32, 4 : i32], ends = [2 : i32, 3 : i32, 12 : i32], step = [1 : i32, 1 : i32, 2 : i32]}> : (tensor<2x3x12xbf16>) -> tensor<2x3x4xbf16>
    %2 = "ttir.max"(%1) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<2x3x4xbf16>) -> tensor<2x3x1xbf16>
    %3 = "ttir.permute"(%2) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x3x1xbf16>) -> tensor<2x1x3xbf16>
    return %3 : tensor<2x1x3xbf16>
  }
}
