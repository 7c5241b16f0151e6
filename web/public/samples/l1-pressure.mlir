// Eight skips of 200,704 bytes per core live at once: more than one core's L1, so something has to leave.
// Architecture: symmetric skips without downsampling as in RED-Net, Mao et al., 2016, with 128 channels.
module @l1_pressure {
  func.func @forward(
      %arg0: tensor<1x224x224x128xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "image"},
      %arg1: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder1.conv.weight"},
      %arg2: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder2.conv.weight"},
      %arg3: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder3.conv.weight"},
      %arg4: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder4.conv.weight"},
      %arg5: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder5.conv.weight"},
      %arg6: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder6.conv.weight"},
      %arg7: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder7.conv.weight"},
      %arg8: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder8.conv.weight"},
      %arg9: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "decoder8.conv.weight"},
      %arg10: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "decoder7.conv.weight"},
      %arg11: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "decoder6.conv.weight"},
      %arg12: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "decoder5.conv.weight"},
      %arg13: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "decoder4.conv.weight"},
      %arg14: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "decoder3.conv.weight"},
      %arg15: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "decoder2.conv.weight"},
      %arg16: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "decoder1.conv.weight"}) -> tensor<1x224x224x128xbf16> {
    %0 = "ttir.conv2d"(%arg0, %arg1) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x224x224x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x224x224x128xbf16> loc("encoder1.conv")
    %1 = "ttir.relu"(%0) : (tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("encoder1.relu")
    %2 = "ttir.conv2d"(%1, %arg2) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x224x224x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x224x224x128xbf16> loc("encoder2.conv")
    %3 = "ttir.relu"(%2) : (tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("encoder2.relu")
    %4 = "ttir.conv2d"(%3, %arg3) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x224x224x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x224x224x128xbf16> loc("encoder3.conv")
    %5 = "ttir.relu"(%4) : (tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("encoder3.relu")
    %6 = "ttir.conv2d"(%5, %arg4) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x224x224x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x224x224x128xbf16> loc("encoder4.conv")
    %7 = "ttir.relu"(%6) : (tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("encoder4.relu")
    %8 = "ttir.conv2d"(%7, %arg5) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x224x224x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x224x224x128xbf16> loc("encoder5.conv")
    %9 = "ttir.relu"(%8) : (tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("encoder5.relu")
    %10 = "ttir.conv2d"(%9, %arg6) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x224x224x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x224x224x128xbf16> loc("encoder6.conv")
    %11 = "ttir.relu"(%10) : (tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("encoder6.relu")
    %12 = "ttir.conv2d"(%11, %arg7) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x224x224x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x224x224x128xbf16> loc("encoder7.conv")
    %13 = "ttir.relu"(%12) : (tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("encoder7.relu")
    %14 = "ttir.conv2d"(%13, %arg8) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x224x224x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x224x224x128xbf16> loc("encoder8.conv")
    %15 = "ttir.relu"(%14) : (tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("encoder8.relu")
    %16 = "ttir.conv2d"(%15, %arg9) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x224x224x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder8.conv")
    %17 = "ttir.add"(%16, %15) : (tensor<1x224x224x128xbf16>, tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder8.add")
    %18 = "ttir.relu"(%17) : (tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder8.relu")
    %19 = "ttir.conv2d"(%18, %arg10) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x224x224x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder7.conv")
    %20 = "ttir.add"(%19, %13) : (tensor<1x224x224x128xbf16>, tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder7.add")
    %21 = "ttir.relu"(%20) : (tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder7.relu")
    %22 = "ttir.conv2d"(%21, %arg11) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x224x224x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder6.conv")
    %23 = "ttir.add"(%22, %11) : (tensor<1x224x224x128xbf16>, tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder6.add")
    %24 = "ttir.relu"(%23) : (tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder6.relu")
    %25 = "ttir.conv2d"(%24, %arg12) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x224x224x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder5.conv")
    %26 = "ttir.add"(%25, %9) : (tensor<1x224x224x128xbf16>, tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder5.add")
    %27 = "ttir.relu"(%26) : (tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder5.relu")
    %28 = "ttir.conv2d"(%27, %arg13) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x224x224x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder4.conv")
    %29 = "ttir.add"(%28, %7) : (tensor<1x224x224x128xbf16>, tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder4.add")
    %30 = "ttir.relu"(%29) : (tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder4.relu")
    %31 = "ttir.conv2d"(%30, %arg14) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x224x224x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder3.conv")
    %32 = "ttir.add"(%31, %5) : (tensor<1x224x224x128xbf16>, tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder3.add")
    %33 = "ttir.relu"(%32) : (tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder3.relu")
    %34 = "ttir.conv2d"(%33, %arg15) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x224x224x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder2.conv")
    %35 = "ttir.add"(%34, %3) : (tensor<1x224x224x128xbf16>, tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder2.add")
    %36 = "ttir.relu"(%35) : (tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder2.relu")
    %37 = "ttir.conv2d"(%36, %arg16) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x224x224x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder1.conv")
    %38 = "ttir.add"(%37, %1) : (tensor<1x224x224x128xbf16>, tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder1.add")
    %39 = "ttir.relu"(%38) : (tensor<1x224x224x128xbf16>) -> tensor<1x224x224x128xbf16> loc("decoder1.relu")
    return %39 : tensor<1x224x224x128xbf16>
  }
}
