// docs/rules/pass-generation.md#fork-points: softmax takes height-sharded operands only, a normalization anything but those. The fork keeps
// the layout that costs its two readers the least.
//! policy: Beam, Greedy
func.func @main(%x: tensor<2048x256xbf16>, %y: tensor<2048x256xbf16>) -> tensor<2048x256xbf16> {
  %fork = "ttir.add"(%x, %y) : (tensor<2048x256xbf16>, tensor<2048x256xbf16>) -> tensor<2048x256xbf16>
  %soft = "ttir.softmax"(%fork) <{dimension = -1 : si32}> : (tensor<2048x256xbf16>) -> tensor<2048x256xbf16>
  %norm = "ttir.rms_norm"(%fork) <{epsilon = 1.000000e-05 : f32, normalized_shape = array<i64: 256>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<2048x256xbf16>) -> tensor<2048x256xbf16>
  %sum = "ttir.multiply"(%soft, %norm) : (tensor<2048x256xbf16>, tensor<2048x256xbf16>) -> tensor<2048x256xbf16>
  return %sum : tensor<2048x256xbf16>
}
