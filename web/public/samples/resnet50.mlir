// ResNet-50 whole, one 224x224 image: 53 convolutions, 16 residual blocks that fork and join.
// Architecture: He et al., Deep Residual Learning for Image Recognition, 2015; strides as in torchvision.
module @resnet50 {
  func.func @forward(
      %arg0: tensor<1x224x224x3xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "image"},
      %arg1: tensor<64x3x7x7xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "conv1.weight"},
      %arg2: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "bn1.weight"},
      %arg3: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "bn1.bias"},
      %arg4: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "bn1.running_mean"},
      %arg5: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "bn1.running_var"},
      %arg6: tensor<64x64x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.0.conv1.weight"},
      %arg7: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.0.bn1.weight"},
      %arg8: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.0.bn1.bias"},
      %arg9: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.0.bn1.running_mean"},
      %arg10: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.0.bn1.running_var"},
      %arg11: tensor<64x64x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.0.conv2.weight"},
      %arg12: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.0.bn2.weight"},
      %arg13: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.0.bn2.bias"},
      %arg14: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.0.bn2.running_mean"},
      %arg15: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.0.bn2.running_var"},
      %arg16: tensor<256x64x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.0.conv3.weight"},
      %arg17: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.0.bn3.weight"},
      %arg18: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.0.bn3.bias"},
      %arg19: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.0.bn3.running_mean"},
      %arg20: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.0.bn3.running_var"},
      %arg21: tensor<256x64x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.0.downsample.0.weight"},
      %arg22: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.0.downsample.1.weight"},
      %arg23: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.0.downsample.1.bias"},
      %arg24: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.0.downsample.1.running_mean"},
      %arg25: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.0.downsample.1.running_var"},
      %arg26: tensor<64x256x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.conv1.weight"},
      %arg27: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.bn1.weight"},
      %arg28: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.bn1.bias"},
      %arg29: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.1.bn1.running_mean"},
      %arg30: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.1.bn1.running_var"},
      %arg31: tensor<64x64x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.conv2.weight"},
      %arg32: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.bn2.weight"},
      %arg33: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.bn2.bias"},
      %arg34: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.1.bn2.running_mean"},
      %arg35: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.1.bn2.running_var"},
      %arg36: tensor<256x64x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.conv3.weight"},
      %arg37: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.bn3.weight"},
      %arg38: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.1.bn3.bias"},
      %arg39: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.1.bn3.running_mean"},
      %arg40: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.1.bn3.running_var"},
      %arg41: tensor<64x256x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.2.conv1.weight"},
      %arg42: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.2.bn1.weight"},
      %arg43: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.2.bn1.bias"},
      %arg44: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.2.bn1.running_mean"},
      %arg45: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.2.bn1.running_var"},
      %arg46: tensor<64x64x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.2.conv2.weight"},
      %arg47: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.2.bn2.weight"},
      %arg48: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.2.bn2.bias"},
      %arg49: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.2.bn2.running_mean"},
      %arg50: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.2.bn2.running_var"},
      %arg51: tensor<256x64x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.2.conv3.weight"},
      %arg52: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.2.bn3.weight"},
      %arg53: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer1.2.bn3.bias"},
      %arg54: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.2.bn3.running_mean"},
      %arg55: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer1.2.bn3.running_var"},
      %arg56: tensor<128x256x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.0.conv1.weight"},
      %arg57: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.0.bn1.weight"},
      %arg58: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.0.bn1.bias"},
      %arg59: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.0.bn1.running_mean"},
      %arg60: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.0.bn1.running_var"},
      %arg61: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.0.conv2.weight"},
      %arg62: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.0.bn2.weight"},
      %arg63: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.0.bn2.bias"},
      %arg64: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.0.bn2.running_mean"},
      %arg65: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.0.bn2.running_var"},
      %arg66: tensor<512x128x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.0.conv3.weight"},
      %arg67: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.0.bn3.weight"},
      %arg68: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.0.bn3.bias"},
      %arg69: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.0.bn3.running_mean"},
      %arg70: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.0.bn3.running_var"},
      %arg71: tensor<512x256x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.0.downsample.0.weight"},
      %arg72: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.0.downsample.1.weight"},
      %arg73: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.0.downsample.1.bias"},
      %arg74: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.0.downsample.1.running_mean"},
      %arg75: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.0.downsample.1.running_var"},
      %arg76: tensor<128x512x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.1.conv1.weight"},
      %arg77: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.1.bn1.weight"},
      %arg78: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.1.bn1.bias"},
      %arg79: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.1.bn1.running_mean"},
      %arg80: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.1.bn1.running_var"},
      %arg81: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.1.conv2.weight"},
      %arg82: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.1.bn2.weight"},
      %arg83: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.1.bn2.bias"},
      %arg84: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.1.bn2.running_mean"},
      %arg85: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.1.bn2.running_var"},
      %arg86: tensor<512x128x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.1.conv3.weight"},
      %arg87: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.1.bn3.weight"},
      %arg88: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.1.bn3.bias"},
      %arg89: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.1.bn3.running_mean"},
      %arg90: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.1.bn3.running_var"},
      %arg91: tensor<128x512x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.2.conv1.weight"},
      %arg92: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.2.bn1.weight"},
      %arg93: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.2.bn1.bias"},
      %arg94: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.2.bn1.running_mean"},
      %arg95: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.2.bn1.running_var"},
      %arg96: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.2.conv2.weight"},
      %arg97: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.2.bn2.weight"},
      %arg98: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.2.bn2.bias"},
      %arg99: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.2.bn2.running_mean"},
      %arg100: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.2.bn2.running_var"},
      %arg101: tensor<512x128x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.2.conv3.weight"},
      %arg102: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.2.bn3.weight"},
      %arg103: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.2.bn3.bias"},
      %arg104: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.2.bn3.running_mean"},
      %arg105: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.2.bn3.running_var"},
      %arg106: tensor<128x512x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.3.conv1.weight"},
      %arg107: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.3.bn1.weight"},
      %arg108: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.3.bn1.bias"},
      %arg109: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.3.bn1.running_mean"},
      %arg110: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.3.bn1.running_var"},
      %arg111: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.3.conv2.weight"},
      %arg112: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.3.bn2.weight"},
      %arg113: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.3.bn2.bias"},
      %arg114: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.3.bn2.running_mean"},
      %arg115: tensor<128xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.3.bn2.running_var"},
      %arg116: tensor<512x128x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.3.conv3.weight"},
      %arg117: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.3.bn3.weight"},
      %arg118: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer2.3.bn3.bias"},
      %arg119: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.3.bn3.running_mean"},
      %arg120: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer2.3.bn3.running_var"},
      %arg121: tensor<256x512x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.0.conv1.weight"},
      %arg122: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.0.bn1.weight"},
      %arg123: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.0.bn1.bias"},
      %arg124: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.0.bn1.running_mean"},
      %arg125: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.0.bn1.running_var"},
      %arg126: tensor<256x256x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.0.conv2.weight"},
      %arg127: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.0.bn2.weight"},
      %arg128: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.0.bn2.bias"},
      %arg129: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.0.bn2.running_mean"},
      %arg130: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.0.bn2.running_var"},
      %arg131: tensor<1024x256x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.0.conv3.weight"},
      %arg132: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.0.bn3.weight"},
      %arg133: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.0.bn3.bias"},
      %arg134: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.0.bn3.running_mean"},
      %arg135: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.0.bn3.running_var"},
      %arg136: tensor<1024x512x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.0.downsample.0.weight"},
      %arg137: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.0.downsample.1.weight"},
      %arg138: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.0.downsample.1.bias"},
      %arg139: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.0.downsample.1.running_mean"},
      %arg140: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.0.downsample.1.running_var"},
      %arg141: tensor<256x1024x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.1.conv1.weight"},
      %arg142: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.1.bn1.weight"},
      %arg143: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.1.bn1.bias"},
      %arg144: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.1.bn1.running_mean"},
      %arg145: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.1.bn1.running_var"},
      %arg146: tensor<256x256x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.1.conv2.weight"},
      %arg147: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.1.bn2.weight"},
      %arg148: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.1.bn2.bias"},
      %arg149: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.1.bn2.running_mean"},
      %arg150: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.1.bn2.running_var"},
      %arg151: tensor<1024x256x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.1.conv3.weight"},
      %arg152: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.1.bn3.weight"},
      %arg153: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.1.bn3.bias"},
      %arg154: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.1.bn3.running_mean"},
      %arg155: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.1.bn3.running_var"},
      %arg156: tensor<256x1024x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.2.conv1.weight"},
      %arg157: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.2.bn1.weight"},
      %arg158: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.2.bn1.bias"},
      %arg159: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.2.bn1.running_mean"},
      %arg160: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.2.bn1.running_var"},
      %arg161: tensor<256x256x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.2.conv2.weight"},
      %arg162: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.2.bn2.weight"},
      %arg163: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.2.bn2.bias"},
      %arg164: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.2.bn2.running_mean"},
      %arg165: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.2.bn2.running_var"},
      %arg166: tensor<1024x256x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.2.conv3.weight"},
      %arg167: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.2.bn3.weight"},
      %arg168: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.2.bn3.bias"},
      %arg169: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.2.bn3.running_mean"},
      %arg170: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.2.bn3.running_var"},
      %arg171: tensor<256x1024x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.3.conv1.weight"},
      %arg172: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.3.bn1.weight"},
      %arg173: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.3.bn1.bias"},
      %arg174: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.3.bn1.running_mean"},
      %arg175: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.3.bn1.running_var"},
      %arg176: tensor<256x256x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.3.conv2.weight"},
      %arg177: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.3.bn2.weight"},
      %arg178: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.3.bn2.bias"},
      %arg179: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.3.bn2.running_mean"},
      %arg180: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.3.bn2.running_var"},
      %arg181: tensor<1024x256x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.3.conv3.weight"},
      %arg182: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.3.bn3.weight"},
      %arg183: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.3.bn3.bias"},
      %arg184: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.3.bn3.running_mean"},
      %arg185: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.3.bn3.running_var"},
      %arg186: tensor<256x1024x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.4.conv1.weight"},
      %arg187: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.4.bn1.weight"},
      %arg188: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.4.bn1.bias"},
      %arg189: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.4.bn1.running_mean"},
      %arg190: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.4.bn1.running_var"},
      %arg191: tensor<256x256x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.4.conv2.weight"},
      %arg192: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.4.bn2.weight"},
      %arg193: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.4.bn2.bias"},
      %arg194: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.4.bn2.running_mean"},
      %arg195: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.4.bn2.running_var"},
      %arg196: tensor<1024x256x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.4.conv3.weight"},
      %arg197: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.4.bn3.weight"},
      %arg198: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.4.bn3.bias"},
      %arg199: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.4.bn3.running_mean"},
      %arg200: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.4.bn3.running_var"},
      %arg201: tensor<256x1024x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.5.conv1.weight"},
      %arg202: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.5.bn1.weight"},
      %arg203: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.5.bn1.bias"},
      %arg204: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.5.bn1.running_mean"},
      %arg205: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.5.bn1.running_var"},
      %arg206: tensor<256x256x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.5.conv2.weight"},
      %arg207: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.5.bn2.weight"},
      %arg208: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.5.bn2.bias"},
      %arg209: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.5.bn2.running_mean"},
      %arg210: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.5.bn2.running_var"},
      %arg211: tensor<1024x256x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.5.conv3.weight"},
      %arg212: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.5.bn3.weight"},
      %arg213: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer3.5.bn3.bias"},
      %arg214: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.5.bn3.running_mean"},
      %arg215: tensor<1024xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer3.5.bn3.running_var"},
      %arg216: tensor<512x1024x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.0.conv1.weight"},
      %arg217: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.0.bn1.weight"},
      %arg218: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.0.bn1.bias"},
      %arg219: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.0.bn1.running_mean"},
      %arg220: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.0.bn1.running_var"},
      %arg221: tensor<512x512x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.0.conv2.weight"},
      %arg222: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.0.bn2.weight"},
      %arg223: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.0.bn2.bias"},
      %arg224: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.0.bn2.running_mean"},
      %arg225: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.0.bn2.running_var"},
      %arg226: tensor<2048x512x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.0.conv3.weight"},
      %arg227: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.0.bn3.weight"},
      %arg228: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.0.bn3.bias"},
      %arg229: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.0.bn3.running_mean"},
      %arg230: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.0.bn3.running_var"},
      %arg231: tensor<2048x1024x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.0.downsample.0.weight"},
      %arg232: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.0.downsample.1.weight"},
      %arg233: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.0.downsample.1.bias"},
      %arg234: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.0.downsample.1.running_mean"},
      %arg235: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.0.downsample.1.running_var"},
      %arg236: tensor<512x2048x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.1.conv1.weight"},
      %arg237: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.1.bn1.weight"},
      %arg238: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.1.bn1.bias"},
      %arg239: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.1.bn1.running_mean"},
      %arg240: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.1.bn1.running_var"},
      %arg241: tensor<512x512x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.1.conv2.weight"},
      %arg242: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.1.bn2.weight"},
      %arg243: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.1.bn2.bias"},
      %arg244: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.1.bn2.running_mean"},
      %arg245: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.1.bn2.running_var"},
      %arg246: tensor<2048x512x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.1.conv3.weight"},
      %arg247: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.1.bn3.weight"},
      %arg248: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.1.bn3.bias"},
      %arg249: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.1.bn3.running_mean"},
      %arg250: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.1.bn3.running_var"},
      %arg251: tensor<512x2048x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.2.conv1.weight"},
      %arg252: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.2.bn1.weight"},
      %arg253: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.2.bn1.bias"},
      %arg254: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.2.bn1.running_mean"},
      %arg255: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.2.bn1.running_var"},
      %arg256: tensor<512x512x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.2.conv2.weight"},
      %arg257: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.2.bn2.weight"},
      %arg258: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.2.bn2.bias"},
      %arg259: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.2.bn2.running_mean"},
      %arg260: tensor<512xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.2.bn2.running_var"},
      %arg261: tensor<2048x512x1x1xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.2.conv3.weight"},
      %arg262: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.2.bn3.weight"},
      %arg263: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer4.2.bn3.bias"},
      %arg264: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.2.bn3.running_mean"},
      %arg265: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "layer4.2.bn3.running_var"},
      %arg266: tensor<2048x1000xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "fc.weight"},
      %arg267: tensor<1x1000xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "fc.bias"}) -> tensor<1x1000xbf16> {
    %0 = "ttir.conv2d"(%arg0, %arg1) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 3, 3, 3, 3>, stride = array<i32: 2, 2>, width_dim = 2 : i64}> : (tensor<1x224x224x3xbf16>, tensor<64x3x7x7xbf16>) -> tensor<1x112x112x64xbf16> loc("conv1")
    %1 = "ttir.batch_norm_inference"(%0, %arg2, %arg3, %arg4, %arg5) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x112x112x64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>) -> tensor<1x112x112x64xbf16> loc("bn1")
    %2 = "ttir.relu"(%1) : (tensor<1x112x112x64xbf16>) -> tensor<1x112x112x64xbf16> loc("relu")
    %3 = "ttir.max_pool2d"(%2) <{ceil_mode = false, dilation = array<i32: 1, 1>, kernel = array<i32: 3, 3>, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 2, 2>}> : (tensor<1x112x112x64xbf16>) -> tensor<1x56x56x64xbf16> loc("maxpool")
    %4 = "ttir.conv2d"(%3, %arg6) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x64xbf16>, tensor<64x64x1x1xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.0.conv1")
    %5 = "ttir.batch_norm_inference"(%4, %arg7, %arg8, %arg9, %arg10) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x56x56x64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.0.bn1")
    %6 = "ttir.relu"(%5) : (tensor<1x56x56x64xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.0.relu1")
    %7 = "ttir.conv2d"(%6, %arg11) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x64xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.0.conv2")
    %8 = "ttir.batch_norm_inference"(%7, %arg12, %arg13, %arg14, %arg15) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x56x56x64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.0.bn2")
    %9 = "ttir.relu"(%8) : (tensor<1x56x56x64xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.0.relu2")
    %10 = "ttir.conv2d"(%9, %arg16) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x64xbf16>, tensor<256x64x1x1xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.0.conv3")
    %11 = "ttir.batch_norm_inference"(%10, %arg17, %arg18, %arg19, %arg20) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x56x56x256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.0.bn3")
    %12 = "ttir.conv2d"(%3, %arg21) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x64xbf16>, tensor<256x64x1x1xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.0.downsample.0")
    %13 = "ttir.batch_norm_inference"(%12, %arg22, %arg23, %arg24, %arg25) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x56x56x256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.0.downsample.1")
    %14 = "ttir.add"(%11, %13) : (tensor<1x56x56x256xbf16>, tensor<1x56x56x256xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.0.add")
    %15 = "ttir.relu"(%14) : (tensor<1x56x56x256xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.0.relu3")
    %16 = "ttir.conv2d"(%15, %arg26) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x256xbf16>, tensor<64x256x1x1xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.1.conv1")
    %17 = "ttir.batch_norm_inference"(%16, %arg27, %arg28, %arg29, %arg30) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x56x56x64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.1.bn1")
    %18 = "ttir.relu"(%17) : (tensor<1x56x56x64xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.1.relu1")
    %19 = "ttir.conv2d"(%18, %arg31) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x64xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.1.conv2")
    %20 = "ttir.batch_norm_inference"(%19, %arg32, %arg33, %arg34, %arg35) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x56x56x64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.1.bn2")
    %21 = "ttir.relu"(%20) : (tensor<1x56x56x64xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.1.relu2")
    %22 = "ttir.conv2d"(%21, %arg36) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x64xbf16>, tensor<256x64x1x1xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.1.conv3")
    %23 = "ttir.batch_norm_inference"(%22, %arg37, %arg38, %arg39, %arg40) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x56x56x256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.1.bn3")
    %24 = "ttir.add"(%23, %15) : (tensor<1x56x56x256xbf16>, tensor<1x56x56x256xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.1.add")
    %25 = "ttir.relu"(%24) : (tensor<1x56x56x256xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.1.relu3")
    %26 = "ttir.conv2d"(%25, %arg41) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x256xbf16>, tensor<64x256x1x1xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.2.conv1")
    %27 = "ttir.batch_norm_inference"(%26, %arg42, %arg43, %arg44, %arg45) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x56x56x64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.2.bn1")
    %28 = "ttir.relu"(%27) : (tensor<1x56x56x64xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.2.relu1")
    %29 = "ttir.conv2d"(%28, %arg46) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x64xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.2.conv2")
    %30 = "ttir.batch_norm_inference"(%29, %arg47, %arg48, %arg49, %arg50) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x56x56x64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.2.bn2")
    %31 = "ttir.relu"(%30) : (tensor<1x56x56x64xbf16>) -> tensor<1x56x56x64xbf16> loc("layer1.2.relu2")
    %32 = "ttir.conv2d"(%31, %arg51) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x64xbf16>, tensor<256x64x1x1xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.2.conv3")
    %33 = "ttir.batch_norm_inference"(%32, %arg52, %arg53, %arg54, %arg55) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x56x56x256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.2.bn3")
    %34 = "ttir.add"(%33, %25) : (tensor<1x56x56x256xbf16>, tensor<1x56x56x256xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.2.add")
    %35 = "ttir.relu"(%34) : (tensor<1x56x56x256xbf16>) -> tensor<1x56x56x256xbf16> loc("layer1.2.relu3")
    %36 = "ttir.conv2d"(%35, %arg56) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x256xbf16>, tensor<128x256x1x1xbf16>) -> tensor<1x56x56x128xbf16> loc("layer2.0.conv1")
    %37 = "ttir.batch_norm_inference"(%36, %arg57, %arg58, %arg59, %arg60) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x56x56x128xbf16>, tensor<128xbf16>, tensor<128xbf16>, tensor<128xbf16>, tensor<128xbf16>) -> tensor<1x56x56x128xbf16> loc("layer2.0.bn1")
    %38 = "ttir.relu"(%37) : (tensor<1x56x56x128xbf16>) -> tensor<1x56x56x128xbf16> loc("layer2.0.relu1")
    %39 = "ttir.conv2d"(%38, %arg61) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 2, 2>, width_dim = 2 : i64}> : (tensor<1x56x56x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.0.conv2")
    %40 = "ttir.batch_norm_inference"(%39, %arg62, %arg63, %arg64, %arg65) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x28x28x128xbf16>, tensor<128xbf16>, tensor<128xbf16>, tensor<128xbf16>, tensor<128xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.0.bn2")
    %41 = "ttir.relu"(%40) : (tensor<1x28x28x128xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.0.relu2")
    %42 = "ttir.conv2d"(%41, %arg66) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x28x28x128xbf16>, tensor<512x128x1x1xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.0.conv3")
    %43 = "ttir.batch_norm_inference"(%42, %arg67, %arg68, %arg69, %arg70) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x28x28x512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.0.bn3")
    %44 = "ttir.conv2d"(%35, %arg71) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>, width_dim = 2 : i64}> : (tensor<1x56x56x256xbf16>, tensor<512x256x1x1xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.0.downsample.0")
    %45 = "ttir.batch_norm_inference"(%44, %arg72, %arg73, %arg74, %arg75) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x28x28x512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.0.downsample.1")
    %46 = "ttir.add"(%43, %45) : (tensor<1x28x28x512xbf16>, tensor<1x28x28x512xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.0.add")
    %47 = "ttir.relu"(%46) : (tensor<1x28x28x512xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.0.relu3")
    %48 = "ttir.conv2d"(%47, %arg76) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x28x28x512xbf16>, tensor<128x512x1x1xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.1.conv1")
    %49 = "ttir.batch_norm_inference"(%48, %arg77, %arg78, %arg79, %arg80) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x28x28x128xbf16>, tensor<128xbf16>, tensor<128xbf16>, tensor<128xbf16>, tensor<128xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.1.bn1")
    %50 = "ttir.relu"(%49) : (tensor<1x28x28x128xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.1.relu1")
    %51 = "ttir.conv2d"(%50, %arg81) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x28x28x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.1.conv2")
    %52 = "ttir.batch_norm_inference"(%51, %arg82, %arg83, %arg84, %arg85) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x28x28x128xbf16>, tensor<128xbf16>, tensor<128xbf16>, tensor<128xbf16>, tensor<128xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.1.bn2")
    %53 = "ttir.relu"(%52) : (tensor<1x28x28x128xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.1.relu2")
    %54 = "ttir.conv2d"(%53, %arg86) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x28x28x128xbf16>, tensor<512x128x1x1xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.1.conv3")
    %55 = "ttir.batch_norm_inference"(%54, %arg87, %arg88, %arg89, %arg90) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x28x28x512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.1.bn3")
    %56 = "ttir.add"(%55, %47) : (tensor<1x28x28x512xbf16>, tensor<1x28x28x512xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.1.add")
    %57 = "ttir.relu"(%56) : (tensor<1x28x28x512xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.1.relu3")
    %58 = "ttir.conv2d"(%57, %arg91) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x28x28x512xbf16>, tensor<128x512x1x1xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.2.conv1")
    %59 = "ttir.batch_norm_inference"(%58, %arg92, %arg93, %arg94, %arg95) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x28x28x128xbf16>, tensor<128xbf16>, tensor<128xbf16>, tensor<128xbf16>, tensor<128xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.2.bn1")
    %60 = "ttir.relu"(%59) : (tensor<1x28x28x128xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.2.relu1")
    %61 = "ttir.conv2d"(%60, %arg96) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x28x28x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.2.conv2")
    %62 = "ttir.batch_norm_inference"(%61, %arg97, %arg98, %arg99, %arg100) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x28x28x128xbf16>, tensor<128xbf16>, tensor<128xbf16>, tensor<128xbf16>, tensor<128xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.2.bn2")
    %63 = "ttir.relu"(%62) : (tensor<1x28x28x128xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.2.relu2")
    %64 = "ttir.conv2d"(%63, %arg101) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x28x28x128xbf16>, tensor<512x128x1x1xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.2.conv3")
    %65 = "ttir.batch_norm_inference"(%64, %arg102, %arg103, %arg104, %arg105) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x28x28x512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.2.bn3")
    %66 = "ttir.add"(%65, %57) : (tensor<1x28x28x512xbf16>, tensor<1x28x28x512xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.2.add")
    %67 = "ttir.relu"(%66) : (tensor<1x28x28x512xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.2.relu3")
    %68 = "ttir.conv2d"(%67, %arg106) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x28x28x512xbf16>, tensor<128x512x1x1xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.3.conv1")
    %69 = "ttir.batch_norm_inference"(%68, %arg107, %arg108, %arg109, %arg110) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x28x28x128xbf16>, tensor<128xbf16>, tensor<128xbf16>, tensor<128xbf16>, tensor<128xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.3.bn1")
    %70 = "ttir.relu"(%69) : (tensor<1x28x28x128xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.3.relu1")
    %71 = "ttir.conv2d"(%70, %arg111) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x28x28x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.3.conv2")
    %72 = "ttir.batch_norm_inference"(%71, %arg112, %arg113, %arg114, %arg115) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x28x28x128xbf16>, tensor<128xbf16>, tensor<128xbf16>, tensor<128xbf16>, tensor<128xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.3.bn2")
    %73 = "ttir.relu"(%72) : (tensor<1x28x28x128xbf16>) -> tensor<1x28x28x128xbf16> loc("layer2.3.relu2")
    %74 = "ttir.conv2d"(%73, %arg116) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x28x28x128xbf16>, tensor<512x128x1x1xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.3.conv3")
    %75 = "ttir.batch_norm_inference"(%74, %arg117, %arg118, %arg119, %arg120) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x28x28x512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.3.bn3")
    %76 = "ttir.add"(%75, %67) : (tensor<1x28x28x512xbf16>, tensor<1x28x28x512xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.3.add")
    %77 = "ttir.relu"(%76) : (tensor<1x28x28x512xbf16>) -> tensor<1x28x28x512xbf16> loc("layer2.3.relu3")
    %78 = "ttir.conv2d"(%77, %arg121) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x28x28x512xbf16>, tensor<256x512x1x1xbf16>) -> tensor<1x28x28x256xbf16> loc("layer3.0.conv1")
    %79 = "ttir.batch_norm_inference"(%78, %arg122, %arg123, %arg124, %arg125) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x28x28x256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<1x28x28x256xbf16> loc("layer3.0.bn1")
    %80 = "ttir.relu"(%79) : (tensor<1x28x28x256xbf16>) -> tensor<1x28x28x256xbf16> loc("layer3.0.relu1")
    %81 = "ttir.conv2d"(%80, %arg126) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 2, 2>, width_dim = 2 : i64}> : (tensor<1x28x28x256xbf16>, tensor<256x256x3x3xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.0.conv2")
    %82 = "ttir.batch_norm_inference"(%81, %arg127, %arg128, %arg129, %arg130) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.0.bn2")
    %83 = "ttir.relu"(%82) : (tensor<1x14x14x256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.0.relu2")
    %84 = "ttir.conv2d"(%83, %arg131) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x14x14x256xbf16>, tensor<1024x256x1x1xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.0.conv3")
    %85 = "ttir.batch_norm_inference"(%84, %arg132, %arg133, %arg134, %arg135) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.0.bn3")
    %86 = "ttir.conv2d"(%77, %arg136) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>, width_dim = 2 : i64}> : (tensor<1x28x28x512xbf16>, tensor<1024x512x1x1xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.0.downsample.0")
    %87 = "ttir.batch_norm_inference"(%86, %arg137, %arg138, %arg139, %arg140) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.0.downsample.1")
    %88 = "ttir.add"(%85, %87) : (tensor<1x14x14x1024xbf16>, tensor<1x14x14x1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.0.add")
    %89 = "ttir.relu"(%88) : (tensor<1x14x14x1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.0.relu3")
    %90 = "ttir.conv2d"(%89, %arg141) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x14x14x1024xbf16>, tensor<256x1024x1x1xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.1.conv1")
    %91 = "ttir.batch_norm_inference"(%90, %arg142, %arg143, %arg144, %arg145) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.1.bn1")
    %92 = "ttir.relu"(%91) : (tensor<1x14x14x256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.1.relu1")
    %93 = "ttir.conv2d"(%92, %arg146) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x14x14x256xbf16>, tensor<256x256x3x3xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.1.conv2")
    %94 = "ttir.batch_norm_inference"(%93, %arg147, %arg148, %arg149, %arg150) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.1.bn2")
    %95 = "ttir.relu"(%94) : (tensor<1x14x14x256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.1.relu2")
    %96 = "ttir.conv2d"(%95, %arg151) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x14x14x256xbf16>, tensor<1024x256x1x1xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.1.conv3")
    %97 = "ttir.batch_norm_inference"(%96, %arg152, %arg153, %arg154, %arg155) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.1.bn3")
    %98 = "ttir.add"(%97, %89) : (tensor<1x14x14x1024xbf16>, tensor<1x14x14x1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.1.add")
    %99 = "ttir.relu"(%98) : (tensor<1x14x14x1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.1.relu3")
    %100 = "ttir.conv2d"(%99, %arg156) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x14x14x1024xbf16>, tensor<256x1024x1x1xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.2.conv1")
    %101 = "ttir.batch_norm_inference"(%100, %arg157, %arg158, %arg159, %arg160) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.2.bn1")
    %102 = "ttir.relu"(%101) : (tensor<1x14x14x256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.2.relu1")
    %103 = "ttir.conv2d"(%102, %arg161) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x14x14x256xbf16>, tensor<256x256x3x3xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.2.conv2")
    %104 = "ttir.batch_norm_inference"(%103, %arg162, %arg163, %arg164, %arg165) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.2.bn2")
    %105 = "ttir.relu"(%104) : (tensor<1x14x14x256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.2.relu2")
    %106 = "ttir.conv2d"(%105, %arg166) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x14x14x256xbf16>, tensor<1024x256x1x1xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.2.conv3")
    %107 = "ttir.batch_norm_inference"(%106, %arg167, %arg168, %arg169, %arg170) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.2.bn3")
    %108 = "ttir.add"(%107, %99) : (tensor<1x14x14x1024xbf16>, tensor<1x14x14x1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.2.add")
    %109 = "ttir.relu"(%108) : (tensor<1x14x14x1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.2.relu3")
    %110 = "ttir.conv2d"(%109, %arg171) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x14x14x1024xbf16>, tensor<256x1024x1x1xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.3.conv1")
    %111 = "ttir.batch_norm_inference"(%110, %arg172, %arg173, %arg174, %arg175) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.3.bn1")
    %112 = "ttir.relu"(%111) : (tensor<1x14x14x256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.3.relu1")
    %113 = "ttir.conv2d"(%112, %arg176) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x14x14x256xbf16>, tensor<256x256x3x3xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.3.conv2")
    %114 = "ttir.batch_norm_inference"(%113, %arg177, %arg178, %arg179, %arg180) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.3.bn2")
    %115 = "ttir.relu"(%114) : (tensor<1x14x14x256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.3.relu2")
    %116 = "ttir.conv2d"(%115, %arg181) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x14x14x256xbf16>, tensor<1024x256x1x1xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.3.conv3")
    %117 = "ttir.batch_norm_inference"(%116, %arg182, %arg183, %arg184, %arg185) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.3.bn3")
    %118 = "ttir.add"(%117, %109) : (tensor<1x14x14x1024xbf16>, tensor<1x14x14x1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.3.add")
    %119 = "ttir.relu"(%118) : (tensor<1x14x14x1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.3.relu3")
    %120 = "ttir.conv2d"(%119, %arg186) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x14x14x1024xbf16>, tensor<256x1024x1x1xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.4.conv1")
    %121 = "ttir.batch_norm_inference"(%120, %arg187, %arg188, %arg189, %arg190) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.4.bn1")
    %122 = "ttir.relu"(%121) : (tensor<1x14x14x256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.4.relu1")
    %123 = "ttir.conv2d"(%122, %arg191) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x14x14x256xbf16>, tensor<256x256x3x3xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.4.conv2")
    %124 = "ttir.batch_norm_inference"(%123, %arg192, %arg193, %arg194, %arg195) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.4.bn2")
    %125 = "ttir.relu"(%124) : (tensor<1x14x14x256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.4.relu2")
    %126 = "ttir.conv2d"(%125, %arg196) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x14x14x256xbf16>, tensor<1024x256x1x1xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.4.conv3")
    %127 = "ttir.batch_norm_inference"(%126, %arg197, %arg198, %arg199, %arg200) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.4.bn3")
    %128 = "ttir.add"(%127, %119) : (tensor<1x14x14x1024xbf16>, tensor<1x14x14x1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.4.add")
    %129 = "ttir.relu"(%128) : (tensor<1x14x14x1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.4.relu3")
    %130 = "ttir.conv2d"(%129, %arg201) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x14x14x1024xbf16>, tensor<256x1024x1x1xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.5.conv1")
    %131 = "ttir.batch_norm_inference"(%130, %arg202, %arg203, %arg204, %arg205) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.5.bn1")
    %132 = "ttir.relu"(%131) : (tensor<1x14x14x256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.5.relu1")
    %133 = "ttir.conv2d"(%132, %arg206) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x14x14x256xbf16>, tensor<256x256x3x3xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.5.conv2")
    %134 = "ttir.batch_norm_inference"(%133, %arg207, %arg208, %arg209, %arg210) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.5.bn2")
    %135 = "ttir.relu"(%134) : (tensor<1x14x14x256xbf16>) -> tensor<1x14x14x256xbf16> loc("layer3.5.relu2")
    %136 = "ttir.conv2d"(%135, %arg211) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x14x14x256xbf16>, tensor<1024x256x1x1xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.5.conv3")
    %137 = "ttir.batch_norm_inference"(%136, %arg212, %arg213, %arg214, %arg215) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.5.bn3")
    %138 = "ttir.add"(%137, %129) : (tensor<1x14x14x1024xbf16>, tensor<1x14x14x1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.5.add")
    %139 = "ttir.relu"(%138) : (tensor<1x14x14x1024xbf16>) -> tensor<1x14x14x1024xbf16> loc("layer3.5.relu3")
    %140 = "ttir.conv2d"(%139, %arg216) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x14x14x1024xbf16>, tensor<512x1024x1x1xbf16>) -> tensor<1x14x14x512xbf16> loc("layer4.0.conv1")
    %141 = "ttir.batch_norm_inference"(%140, %arg217, %arg218, %arg219, %arg220) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x14x14x512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>) -> tensor<1x14x14x512xbf16> loc("layer4.0.bn1")
    %142 = "ttir.relu"(%141) : (tensor<1x14x14x512xbf16>) -> tensor<1x14x14x512xbf16> loc("layer4.0.relu1")
    %143 = "ttir.conv2d"(%142, %arg221) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 2, 2>, width_dim = 2 : i64}> : (tensor<1x14x14x512xbf16>, tensor<512x512x3x3xbf16>) -> tensor<1x7x7x512xbf16> loc("layer4.0.conv2")
    %144 = "ttir.batch_norm_inference"(%143, %arg222, %arg223, %arg224, %arg225) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x7x7x512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>) -> tensor<1x7x7x512xbf16> loc("layer4.0.bn2")
    %145 = "ttir.relu"(%144) : (tensor<1x7x7x512xbf16>) -> tensor<1x7x7x512xbf16> loc("layer4.0.relu2")
    %146 = "ttir.conv2d"(%145, %arg226) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x7x7x512xbf16>, tensor<2048x512x1x1xbf16>) -> tensor<1x7x7x2048xbf16> loc("layer4.0.conv3")
    %147 = "ttir.batch_norm_inference"(%146, %arg227, %arg228, %arg229, %arg230) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x7x7x2048xbf16>, tensor<2048xbf16>, tensor<2048xbf16>, tensor<2048xbf16>, tensor<2048xbf16>) -> tensor<1x7x7x2048xbf16> loc("layer4.0.bn3")
    %148 = "ttir.conv2d"(%139, %arg231) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>, width_dim = 2 : i64}> : (tensor<1x14x14x1024xbf16>, tensor<2048x1024x1x1xbf16>) -> tensor<1x7x7x2048xbf16> loc("layer4.0.downsample.0")
    %149 = "ttir.batch_norm_inference"(%148, %arg232, %arg233, %arg234, %arg235) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x7x7x2048xbf16>, tensor<2048xbf16>, tensor<2048xbf16>, tensor<2048xbf16>, tensor<2048xbf16>) -> tensor<1x7x7x2048xbf16> loc("layer4.0.downsample.1")
    %150 = "ttir.add"(%147, %149) : (tensor<1x7x7x2048xbf16>, tensor<1x7x7x2048xbf16>) -> tensor<1x7x7x2048xbf16> loc("layer4.0.add")
    %151 = "ttir.relu"(%150) : (tensor<1x7x7x2048xbf16>) -> tensor<1x7x7x2048xbf16> loc("layer4.0.relu3")
    %152 = "ttir.conv2d"(%151, %arg236) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x7x7x2048xbf16>, tensor<512x2048x1x1xbf16>) -> tensor<1x7x7x512xbf16> loc("layer4.1.conv1")
    %153 = "ttir.batch_norm_inference"(%152, %arg237, %arg238, %arg239, %arg240) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x7x7x512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>) -> tensor<1x7x7x512xbf16> loc("layer4.1.bn1")
    %154 = "ttir.relu"(%153) : (tensor<1x7x7x512xbf16>) -> tensor<1x7x7x512xbf16> loc("layer4.1.relu1")
    %155 = "ttir.conv2d"(%154, %arg241) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x7x7x512xbf16>, tensor<512x512x3x3xbf16>) -> tensor<1x7x7x512xbf16> loc("layer4.1.conv2")
    %156 = "ttir.batch_norm_inference"(%155, %arg242, %arg243, %arg244, %arg245) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x7x7x512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>) -> tensor<1x7x7x512xbf16> loc("layer4.1.bn2")
    %157 = "ttir.relu"(%156) : (tensor<1x7x7x512xbf16>) -> tensor<1x7x7x512xbf16> loc("layer4.1.relu2")
    %158 = "ttir.conv2d"(%157, %arg246) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x7x7x512xbf16>, tensor<2048x512x1x1xbf16>) -> tensor<1x7x7x2048xbf16> loc("layer4.1.conv3")
    %159 = "ttir.batch_norm_inference"(%158, %arg247, %arg248, %arg249, %arg250) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x7x7x2048xbf16>, tensor<2048xbf16>, tensor<2048xbf16>, tensor<2048xbf16>, tensor<2048xbf16>) -> tensor<1x7x7x2048xbf16> loc("layer4.1.bn3")
    %160 = "ttir.add"(%159, %151) : (tensor<1x7x7x2048xbf16>, tensor<1x7x7x2048xbf16>) -> tensor<1x7x7x2048xbf16> loc("layer4.1.add")
    %161 = "ttir.relu"(%160) : (tensor<1x7x7x2048xbf16>) -> tensor<1x7x7x2048xbf16> loc("layer4.1.relu3")
    %162 = "ttir.conv2d"(%161, %arg251) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x7x7x2048xbf16>, tensor<512x2048x1x1xbf16>) -> tensor<1x7x7x512xbf16> loc("layer4.2.conv1")
    %163 = "ttir.batch_norm_inference"(%162, %arg252, %arg253, %arg254, %arg255) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x7x7x512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>) -> tensor<1x7x7x512xbf16> loc("layer4.2.bn1")
    %164 = "ttir.relu"(%163) : (tensor<1x7x7x512xbf16>) -> tensor<1x7x7x512xbf16> loc("layer4.2.relu1")
    %165 = "ttir.conv2d"(%164, %arg256) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x7x7x512xbf16>, tensor<512x512x3x3xbf16>) -> tensor<1x7x7x512xbf16> loc("layer4.2.conv2")
    %166 = "ttir.batch_norm_inference"(%165, %arg257, %arg258, %arg259, %arg260) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x7x7x512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>, tensor<512xbf16>) -> tensor<1x7x7x512xbf16> loc("layer4.2.bn2")
    %167 = "ttir.relu"(%166) : (tensor<1x7x7x512xbf16>) -> tensor<1x7x7x512xbf16> loc("layer4.2.relu2")
    %168 = "ttir.conv2d"(%167, %arg261) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x7x7x512xbf16>, tensor<2048x512x1x1xbf16>) -> tensor<1x7x7x2048xbf16> loc("layer4.2.conv3")
    %169 = "ttir.batch_norm_inference"(%168, %arg262, %arg263, %arg264, %arg265) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<1x7x7x2048xbf16>, tensor<2048xbf16>, tensor<2048xbf16>, tensor<2048xbf16>, tensor<2048xbf16>) -> tensor<1x7x7x2048xbf16> loc("layer4.2.bn3")
    %170 = "ttir.add"(%169, %161) : (tensor<1x7x7x2048xbf16>, tensor<1x7x7x2048xbf16>) -> tensor<1x7x7x2048xbf16> loc("layer4.2.add")
    %171 = "ttir.relu"(%170) : (tensor<1x7x7x2048xbf16>) -> tensor<1x7x7x2048xbf16> loc("layer4.2.relu3")
    %172 = "ttir.mean"(%171) <{dim_arg = [1 : i32, 2 : i32], keep_dim = false}> : (tensor<1x7x7x2048xbf16>) -> tensor<1x2048xbf16> loc("avgpool")
    %173 = "ttir.matmul"(%172, %arg266) <{transpose_a = false, transpose_b = false}> : (tensor<1x2048xbf16>, tensor<2048x1000xbf16>) -> tensor<1x1000xbf16> loc("fc")
    %174 = "ttir.add"(%173, %arg267) : (tensor<1x1000xbf16>, tensor<1x1000xbf16>) -> tensor<1x1000xbf16> loc("fc.add")
    return %174 : tensor<1x1000xbf16>
  }
}
