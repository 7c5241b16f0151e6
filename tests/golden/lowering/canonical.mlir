//! opt: --canonicalize
// Numbers that are known are worked out, ops that do nothing go, two of a kind become one.
module {
  func.func @numbers() -> (tensor<3x2xsi32>, tensor<2x4xf32>, tensor<4xsi8>) {
    %0 = "ttir.constant"() <{value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xsi32>}> : () -> tensor<2x3xsi32>
    %1 = "ttir.permute"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xsi32>) -> tensor<3x2xsi32>
    %2 = "ttir.full"() <{fill_value = 2.5 : f32, shape = array<i32: 1, 4>}> : () -> tensor<1x4xf32>
    %3 = "ttir.broadcast"(%2) <{broadcast_dimensions = array<i64: 2, 1>}> : (tensor<1x4xf32>) -> tensor<2x4xf32>
    %4 = "ttir.neg"(%3) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %5 = "ttir.constant"() <{value = dense<[1.5, -2.0, 3.0, 127.9]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %6 = "ttir.typecast"(%5) : (tensor<4xf32>) -> tensor<4xsi8>
    return %1, %4, %6 : tensor<3x2xsi32>, tensor<2x4xf32>, tensor<4xsi8>
  }
  func.func @views(%a: tensor<8x4xbf16>, %b: tensor<8x0xbf16>) -> (tensor<8x4xbf16>, tensor<4x2xbf16>) {
    %0 = "ttir.concat"(%b, %a) <{dim = 1 : si32}> : (tensor<8x0xbf16>, tensor<8x4xbf16>) -> tensor<8x4xbf16>
    %1 = "ttir.slice_static"(%a) <{begins = [1 : i32, 0 : i32], ends = [8 : i32, 4 : i32], step = [2 : i32, 1 : i32]}> : (tensor<8x4xbf16>) -> tensor<4x4xbf16>
    %2 = "ttir.slice_static"(%1) <{begins = [0 : i32, 1 : i32], ends = [4 : i32, 3 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x4xbf16>) -> tensor<4x2xbf16>
    %3 = "ttir.reverse"(%0) <{dimensions = array<i64: 0, 1>}> : (tensor<8x4xbf16>) -> tensor<8x4xbf16>
    %4 = "ttir.reverse"(%3) <{dimensions = array<i64: 1, 0>}> : (tensor<8x4xbf16>) -> tensor<8x4xbf16>
    return %4, %2 : tensor<8x4xbf16>, tensor<4x2xbf16>
  }
  func.func @choice(%x: tensor<4xbf16>, %y: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xi1>) {
    %ones = "ttir.ones"() <{shape = array<i32: 4>}> : () -> tensor<4xi1>
    %0 = "ttir.where"(%ones, %x, %y) : (tensor<4xi1>, tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
    %1 = "ttir.lt"(%0, %y) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xi1>
    %2 = "ttir.logical_and"(%1, %ones) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    return %0, %2 : tensor<4xbf16>, tensor<4xi1>
  }
  func.func @product(%a: tensor<2x3x4x5xbf16>, %b: tensor<2x3x5x6xbf16>) -> tensor<2x3x4x6xbf16> {
    %0 = "ttir.reshape"(%a) <{shape = [6 : i32, 4 : i32, 5 : i32]}> : (tensor<2x3x4x5xbf16>) -> tensor<6x4x5xbf16>
    %1 = "ttir.reshape"(%b) <{shape = [6 : i32, 5 : i32, 6 : i32]}> : (tensor<2x3x5x6xbf16>) -> tensor<6x5x6xbf16>
    %2 = "ttir.linear"(%0, %1) : (tensor<6x4x5xbf16>, tensor<6x5x6xbf16>) -> tensor<6x4x6xbf16>
    %3 = "ttir.reshape"(%2) <{shape = [2 : i32, 3 : i32, 4 : i32, 6 : i32]}> : (tensor<6x4x6xbf16>) -> tensor<2x3x4x6xbf16>
    return %3 : tensor<2x3x4x6xbf16>
  }
}
