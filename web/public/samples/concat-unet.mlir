// Encoder and decoder with skip connections: each concat joins a long-lived skip with the decoder's chain.
// Architecture: U-Net, Ronneberger et al., 2015, here with padded convolutions, three levels, 32 to 128 channels.
module @concat_unet {
  func.func @forward(
      %arg0: tensor<1x128x128x32xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "image"},
      %arg1: tensor<32x32x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "down1.conv1.weight"},
      %arg2: tensor<32x32x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "down1.conv2.weight"},
      %arg3: tensor<64x32x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "down2.conv1.weight"},
      %arg4: tensor<64x64x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "down2.conv2.weight"},
      %arg5: tensor<128x64x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "bottom.conv1.weight"},
      %arg6: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "bottom.conv2.weight"},
      %arg7: tensor<128x64x2x2xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "up2.upconv.weight"},
      %arg8: tensor<64x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "up2.conv1.weight"},
      %arg9: tensor<64x64x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "up2.conv2.weight"},
      %arg10: tensor<64x32x2x2xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "up1.upconv.weight"},
      %arg11: tensor<32x64x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "up1.conv1.weight"},
      %arg12: tensor<32x32x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "up1.conv2.weight"},
      %arg13: tensor<32x32x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "head.weight"}) -> tensor<1x128x128x32xbf16> {
    %0 = "ttir.conv2d"(%arg0, %arg1) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x128x128x32xbf16>, tensor<32x32x3x3xbf16>) -> tensor<1x128x128x32xbf16> loc("down1.conv1")
    %1 = "ttir.relu"(%0) : (tensor<1x128x128x32xbf16>) -> tensor<1x128x128x32xbf16> loc("down1.relu1")
    %2 = "ttir.conv2d"(%1, %arg2) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x128x128x32xbf16>, tensor<32x32x3x3xbf16>) -> tensor<1x128x128x32xbf16> loc("down1.conv2")
    %3 = "ttir.relu"(%2) : (tensor<1x128x128x32xbf16>) -> tensor<1x128x128x32xbf16> loc("down1.relu2")
    %4 = "ttir.max_pool2d"(%3) <{ceil_mode = false, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 2>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x128x128x32xbf16>) -> tensor<1x64x64x32xbf16> loc("down1.pool")
    %5 = "ttir.conv2d"(%4, %arg3) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x64x64x32xbf16>, tensor<64x32x3x3xbf16>) -> tensor<1x64x64x64xbf16> loc("down2.conv1")
    %6 = "ttir.relu"(%5) : (tensor<1x64x64x64xbf16>) -> tensor<1x64x64x64xbf16> loc("down2.relu1")
    %7 = "ttir.conv2d"(%6, %arg4) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x64x64x64xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x64x64x64xbf16> loc("down2.conv2")
    %8 = "ttir.relu"(%7) : (tensor<1x64x64x64xbf16>) -> tensor<1x64x64x64xbf16> loc("down2.relu2")
    %9 = "ttir.max_pool2d"(%8) <{ceil_mode = false, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 2>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x64x64x64xbf16>) -> tensor<1x32x32x64xbf16> loc("down2.pool")
    %10 = "ttir.conv2d"(%9, %arg5) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x32x32x64xbf16>, tensor<128x64x3x3xbf16>) -> tensor<1x32x32x128xbf16> loc("bottom.conv1")
    %11 = "ttir.relu"(%10) : (tensor<1x32x32x128xbf16>) -> tensor<1x32x32x128xbf16> loc("bottom.relu1")
    %12 = "ttir.conv2d"(%11, %arg6) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x32x32x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x32x32x128xbf16> loc("bottom.conv2")
    %13 = "ttir.relu"(%12) : (tensor<1x32x32x128xbf16>) -> tensor<1x32x32x128xbf16> loc("bottom.relu2")
    %14 = "ttir.conv_transpose2d"(%13, %arg7) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>, width_dim = 2 : i64}> : (tensor<1x32x32x128xbf16>, tensor<128x64x2x2xbf16>) -> tensor<1x64x64x64xbf16> loc("up2.upconv")
    %15 = "ttir.concat"(%8, %14) <{dim = 3 : si32}> : (tensor<1x64x64x64xbf16>, tensor<1x64x64x64xbf16>) -> tensor<1x64x64x128xbf16> loc("up2.concat")
    %16 = "ttir.conv2d"(%15, %arg8) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x64x64x128xbf16>, tensor<64x128x3x3xbf16>) -> tensor<1x64x64x64xbf16> loc("up2.conv1")
    %17 = "ttir.relu"(%16) : (tensor<1x64x64x64xbf16>) -> tensor<1x64x64x64xbf16> loc("up2.relu1")
    %18 = "ttir.conv2d"(%17, %arg9) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x64x64x64xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x64x64x64xbf16> loc("up2.conv2")
    %19 = "ttir.relu"(%18) : (tensor<1x64x64x64xbf16>) -> tensor<1x64x64x64xbf16> loc("up2.relu2")
    %20 = "ttir.conv_transpose2d"(%19, %arg10) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>, width_dim = 2 : i64}> : (tensor<1x64x64x64xbf16>, tensor<64x32x2x2xbf16>) -> tensor<1x128x128x32xbf16> loc("up1.upconv")
    %21 = "ttir.concat"(%3, %20) <{dim = 3 : si32}> : (tensor<1x128x128x32xbf16>, tensor<1x128x128x32xbf16>) -> tensor<1x128x128x64xbf16> loc("up1.concat")
    %22 = "ttir.conv2d"(%21, %arg11) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x128x128x64xbf16>, tensor<32x64x3x3xbf16>) -> tensor<1x128x128x32xbf16> loc("up1.conv1")
    %23 = "ttir.relu"(%22) : (tensor<1x128x128x32xbf16>) -> tensor<1x128x128x32xbf16> loc("up1.relu1")
    %24 = "ttir.conv2d"(%23, %arg12) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x128x128x32xbf16>, tensor<32x32x3x3xbf16>) -> tensor<1x128x128x32xbf16> loc("up1.conv2")
    %25 = "ttir.relu"(%24) : (tensor<1x128x128x32xbf16>) -> tensor<1x128x128x32xbf16> loc("up1.relu2")
    %26 = "ttir.conv2d"(%25, %arg13) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x128x128x32xbf16>, tensor<32x32x1x1xbf16>) -> tensor<1x128x128x32xbf16> loc("head")
    return %26 : tensor<1x128x128x32xbf16>
  }
}
