// Drawn at random: hardly any L1, and caches, views and wide results in it.
//! tensor-l1-usage-cap: 0.02
//! spill-victim: farthest-last-use
func.func private @part0(%x: tensor<32x3x32x96x5xbf16>) -> tensor<32x3x32x96x5xbf16> {
  %y = "ttir.exp"(%x) : (tensor<32x3x32x96x5xbf16>) -> tensor<32x3x32x96x5xbf16>
  %z = "ttir.add"(%x, %y) : (tensor<32x3x32x96x5xbf16>, tensor<32x3x32x96x5xbf16>) -> tensor<32x3x32x96x5xbf16>
  return %z : tensor<32x3x32x96x5xbf16>
}
func.func @main(%v0: tensor<32x3x32x96x5xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>}, %v5: tensor<3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %v11: tensor<32x3x1x1x5xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>}, %v13: tensor<1x28x28x32xbf16>, %v14: tensor<64x32x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<16x64xbf16>, tensor<1x128x3xbf16>, tensor<1x1x1xsi32>, tensor<32x3x32x96x5xbf16>, tensor<1x28x28x64xbf16>, tensor<32x3x32x96x5xbf16>, tensor<7xbf16>, tensor<1x28x42x192xbf16>) {
  %v3 = "ttir.full"() <{fill_value = 5.000000e-01 : f32, shape = array<i32: 1, 128, 3>}> : () -> tensor<1x128x3xbf16>
  %v4 = "ttir.zeros"() <{shape = array<i32: 16, 64>}> : () -> tensor<16x64xbf16>
  %v6 = "ttir.rms_norm"(%v3, %v5) <{epsilon = 1.000000e-05 : f32, normalized_shape = array<i64: 3>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<1x128x3xbf16>, tensor<3xbf16>) -> tensor<1x128x3xbf16>
  %v7 = "ttir.slice_static"(%v3) <{begins = [0 : i32, 126 : i32, 0 : i32], ends = [1 : i32, 127 : i32, 1 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x128x3xbf16>) -> tensor<1x1x1xbf16>
  %v8 = "ttir.erf"(%v0) : (tensor<32x3x32x96x5xbf16>) -> tensor<32x3x32x96x5xbf16>
  %v9 = "ttir.typecast"(%v7) : (tensor<1x1x1xbf16>) -> tensor<1x1x1xsi32>
  %v10 = call @part0(%v8) : (tensor<32x3x32x96x5xbf16>) -> tensor<32x3x32x96x5xbf16>
  %v12 = "ttir.div"(%v10, %v11) : (tensor<32x3x32x96x5xbf16>, tensor<32x3x1x1x5xbf16>) -> tensor<32x3x32x96x5xbf16>
  %v15 = "ttir.conv2d"(%v13, %v14) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 2, 2>, width_dim = 2 : i64}> : (tensor<1x28x28x32xbf16>, tensor<64x32x3x3xbf16>) -> tensor<1x14x14x64xbf16>
  %v16 = "ttir.upsample2d"(%v15) <{mode = "nearest", scale_factor = 2 : si32}> : (tensor<1x14x14x64xbf16>) -> tensor<1x28x28x64xbf16>
  %v18 = "ttir.expm1"(%v8) : (tensor<32x3x32x96x5xbf16>) -> tensor<32x3x32x96x5xbf16>
  %v19 = "ttir.concat"(%v15, %v15) <{dim = 1 : si32}> : (tensor<1x14x14x64xbf16>, tensor<1x14x14x64xbf16>) -> tensor<1x28x14x64xbf16>
  %v20 = "ttir.permute"(%v14) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<64x32x3x3xbf16>) -> tensor<3x64x3x32xbf16>
  %v21 = "ttir.softmax"(%v19) <{dimension = -1 : si32}> : (tensor<1x28x14x64xbf16>) -> tensor<1x28x14x64xbf16>
  %v22 = "ttir.arange"() <{arange_dimension = 0 : i64, end = 7 : si64, start = 0 : si64, step = 1 : si64}> : () -> tensor<7xbf16>
  %v23 = "ttir.cumsum"(%v20) <{dim = 0 : i64}> : (tensor<3x64x3x32xbf16>) -> tensor<3x64x3x32xbf16>
  %v24 = "ttir.softmax"(%v22) <{dimension = -1 : si32}> : (tensor<7xbf16>) -> tensor<7xbf16>
  %v25 = "ttir.repeat"(%v21) <{repeat_dimensions = array<i64: 1, 1, 3, 3>}> : (tensor<1x28x14x64xbf16>) -> tensor<1x28x42x192xbf16>
  %v26 = "ttir.pad"(%v22) <{padding = array<i32: 0, 1>, value = 0.000000e+00 : f32}> : (tensor<7xbf16>) -> tensor<8xbf16>
  %v27 = "ttir.argmax"(%v23) <{dim_arg = [3 : i32], keep_dim = true}> : (tensor<3x64x3x32xbf16>) -> tensor<3x64x3x1xsi32>
  return %v4, %v6, %v9, %v12, %v16, %v18, %v24, %v25 : tensor<16x64xbf16>, tensor<1x128x3xbf16>, tensor<1x1x1xsi32>, tensor<32x3x32x96x5xbf16>, tensor<1x28x28x64xbf16>, tensor<32x3x32x96x5xbf16>, tensor<7xbf16>, tensor<1x28x42x192xbf16>
}
