// RMS norm of one token for each of 32 users, then a projection.
func.func @main(%arg0: tensor<32x2048xbf16>, %arg1: tensor<2048xbf16>, %arg2: tensor<2048x2048xbf16>) -> tensor<32x2048xbf16> {
  %0 = "ttir.rms_norm"(%arg0, %arg1) <{epsilon = 9.99999974E-6 : f32, normalized_shape = array<i64: 2048>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<32x2048xbf16>, tensor<2048xbf16>) -> tensor<32x2048xbf16>
  %1 = "ttir.matmul"(%0, %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<32x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<32x2048xbf16>
  return %1 : tensor<32x2048xbf16>
}
