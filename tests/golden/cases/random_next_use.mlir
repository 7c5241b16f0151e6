// Drawn at random: where values leave by their farthest next use.
//! tensor-l1-usage-cap: 0.05
//! spill-strategy: farthest-next-use
func.func private @part0(%x: tensor<8x3x48x64xbf16>) -> tensor<8x3x48x64xbf16> {
  %y = "ttir.exp"(%x) : (tensor<8x3x48x64xbf16>) -> tensor<8x3x48x64xbf16>
  %z = "ttir.add"(%x, %y) : (tensor<8x3x48x64xbf16>, tensor<8x3x48x64xbf16>) -> tensor<8x3x48x64xbf16>
  return %z : tensor<8x3x48x64xbf16>
}
func.func @main(%v2: tensor<8x3x48x8xbf16>, %v3: tensor<2x32xui32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %v4: tensor<100x64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %v10: tensor<64x8x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %v12: tensor<8x7xui32>, %v13: tensor<32x64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %v18: tensor<96x64x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<2x32x64xbf16>, tensor<4x2x3x48x8xbf16>, tensor<8x3x48x2x4xbf16>, tensor<8x7x64xbf16>, tensor<8x1x3x48x64xbf16>, tensor<32x64xbf16>, tensor<8x3x48x96xbf16>, tensor<8x3x48x64xbf16>) {
  %v5 = "ttir.embedding"(%v3, %v4) : (tensor<2x32xui32>, tensor<100x64xbf16>) -> tensor<2x32x64xbf16>
  %v6 = "ttir.subtract"(%v2, %v2) : (tensor<8x3x48x8xbf16>, tensor<8x3x48x8xbf16>) -> tensor<8x3x48x8xbf16>
  %v7 = "ttir.reshape"(%v2) <{shape = [8 : i32, 3 : i32, 48 : i32, 2 : i32, 4 : i32]}> : (tensor<8x3x48x8xbf16>) -> tensor<8x3x48x2x4xbf16>
  %v8 = "ttir.reshape"(%v6) <{shape = [4 : i32, 2 : i32, 3 : i32, 48 : i32, 8 : i32]}> : (tensor<8x3x48x8xbf16>) -> tensor<4x2x3x48x8xbf16>
  %v9 = "ttir.leaky_relu"(%v7) <{parameter = 1.000000e-01 : f32}> : (tensor<8x3x48x2x4xbf16>) -> tensor<8x3x48x2x4xbf16>
  %v11 = "ttir.conv2d"(%v6, %v10) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<8x3x48x8xbf16>, tensor<64x8x3x3xbf16>) -> tensor<8x3x48x64xbf16>
  %v14 = "ttir.embedding"(%v12, %v13) : (tensor<8x7xui32>, tensor<32x64xbf16>) -> tensor<8x7x64xbf16>
  %v15 = "ttir.reshape"(%v11) <{shape = [8 : i32, 1 : i32, 3 : i32, 48 : i32, 64 : i32]}> : (tensor<8x3x48x64xbf16>) -> tensor<8x1x3x48x64xbf16>
  %v16 = "ttir.div"(%v13, %v13) : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
  %v17 = "ttir.minimum"(%v16, %v13) : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
  %v19 = "ttir.conv2d"(%v11, %v18) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<8x3x48x64xbf16>, tensor<96x64x3x3xbf16>) -> tensor<8x3x48x96xbf16>
  %v20 = call @part0(%v11) : (tensor<8x3x48x64xbf16>) -> tensor<8x3x48x64xbf16>
  return %v5, %v8, %v9, %v14, %v15, %v17, %v19, %v20 : tensor<2x32x64xbf16>, tensor<4x2x3x48x8xbf16>, tensor<8x3x48x2x4xbf16>, tensor<8x7x64xbf16>, tensor<8x1x3x48x64xbf16>, tensor<32x64xbf16>, tensor<8x3x48x96xbf16>, tensor<8x3x48x64xbf16>
}
