// One bottleneck block of ResNet-50: what enters it must outlive three convolutions until the add.
// Architecture: He et al., Deep Residual Learning for Image Recognition, 2015 (layer1.1).
module @residual_block {
  func.func @forward(
      %arg0: tensor<1x56x56x256xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "x"},
      %arg1: tensor<64x256x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.conv1.weight"},
      %arg2: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.bn1.weight"},
      %arg3: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.bn1.bias"},
      %arg4: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.1.bn1.running_mean"},
      %arg5: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.1.bn1.running_var"},
      %arg6: tensor<64x64x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.conv2.weight"},
      %arg7: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.bn2.weight"},
      %arg8: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.bn2.bias"},
      %arg9: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.1.bn2.running_mean"},
      %arg10: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.1.bn2.running_var"},
      %arg11: tensor<256x64x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.conv3.weight"},
      %arg12: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.bn3.weight"},
      %arg13: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.bn3.bias"},
      %arg14: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.1.bn3.running_mean"},
      %arg15: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.1.bn3.running_var"}) -> tensor<1x56x56x256xbf16> {
    %0 = "ttir.relu"(%arg0) : (tensor<1x56x56x256xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.0.relu3")
    %1 = "ttir.conv2d"(%0, %arg1) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x256xbf16>, tensor<64x256x1x1xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.1.conv1")
    %2 = "ttir.batch_norm_inference"(%1, %arg2, %arg3, %arg4, %arg5) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x56x56x64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.1.bn1")
    %3 = "ttir.relu"(%2) : (tensor<1x56x56x64xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.1.relu1")
    %4 = "ttir.conv2d"(%3, %arg6) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x64xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.1.conv2")
    %5 = "ttir.batch_norm_inference"(%4, %arg7, %arg8, %arg9, %arg10) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x56x56x64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.1.bn2")
    %6 = "ttir.relu"(%5) : (tensor<1x56x56x64xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.1.relu2")
    %7 = "ttir.conv2d"(%6, %arg11) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x64xbf16>, tensor<256x64x1x1xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.1.conv3")
    %8 = "ttir.batch_norm_inference"(%7, %arg12, %arg13, %arg14, %arg15) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x56x56x256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.1.bn3")
    %9 = "ttir.add"(%8, %0) : (tensor<1x56x56x256xbf16>, tensor<1x56x56x256xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.1.add")
    %10 = "ttir.relu"(%9) : (tensor<1x56x56x256xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.1.relu3")
    return %10 : tensor<1x56x56x256xbf16>
  }
}
