//! opt: --canonicalize --ttir-fusing
// Cuts at numbers become the activation that they spell; a reduction keeps the dims that a reshape gives back.
module {
  func.func @gate(%x: tensor<2x8x1x1xbf16>) -> tensor<2x8x1x1xbf16> {
    %zero = "ttir.full"() <{fill_value = 0.0 : f32, shape = array<i32: 2, 8, 1, 1>}> : () -> tensor<2x8x1x1xbf16>
    %three = "ttir.full"() <{fill_value = 3.0 : f32, shape = array<i32: 2, 8, 1, 1>}> : () -> tensor<2x8x1x1xbf16>
    %six = "ttir.full"() <{fill_value = 6.0 : f32, shape = array<i32: 2, 8, 1, 1>}> : () -> tensor<2x8x1x1xbf16>
    %0 = "ttir.add"(%x, %three) : (tensor<2x8x1x1xbf16>, tensor<2x8x1x1xbf16>) -> tensor<2x8x1x1xbf16>
    %1 = "ttir.maximum"(%0, %zero) : (tensor<2x8x1x1xbf16>, tensor<2x8x1x1xbf16>) -> tensor<2x8x1x1xbf16>
    %2 = "ttir.clamp_tensor"(%1, %zero, %six) : (tensor<2x8x1x1xbf16>, tensor<2x8x1x1xbf16>, tensor<2x8x1x1xbf16>) -> tensor<2x8x1x1xbf16>
    %3 = "ttir.div"(%2, %six) : (tensor<2x8x1x1xbf16>, tensor<2x8x1x1xbf16>) -> tensor<2x8x1x1xbf16>
    return %3 : tensor<2x8x1x1xbf16>
  }
  func.func @six(%x: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
    %six = "ttir.full"() <{fill_value = 6.0 : f32, shape = array<i32: 1, 1>}> : () -> tensor<1x1xbf16>
    %0 = "ttir.relu"(%x) : (tensor<4x8xbf16>) -> tensor<4x8xbf16>
    %1 = "ttir.minimum"(%0, %six) : (tensor<4x8xbf16>, tensor<1x1xbf16>) -> tensor<4x8xbf16>
    return %1 : tensor<4x8xbf16>
  }
  func.func @mish(%x: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
    %0 = "ttir.exp"(%x) : (tensor<4x8xbf16>) -> tensor<4x8xbf16>
    %1 = "ttir.log1p"(%0) : (tensor<4x8xbf16>) -> tensor<4x8xbf16>
    %2 = "ttir.tanh"(%1) : (tensor<4x8xbf16>) -> tensor<4x8xbf16>
    %3 = "ttir.multiply"(%2, %x) : (tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x8xbf16>
    return %3 : tensor<4x8xbf16>
  }
  func.func @keep(%x: tensor<4x6x8xf32>) -> tensor<4x1x8xf32> {
    %0 = "ttir.sum"(%x) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x6x8xf32>) -> tensor<4x8xf32>
    %1 = "ttir.reshape"(%0) <{shape = [4 : i32, 1 : i32, 8 : i32]}> : (tensor<4x8xf32>) -> tensor<4x1x8xf32>
    return %1 : tensor<4x1x8xf32>
  }
}
