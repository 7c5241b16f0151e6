// Forks (docs/rules/pass-generation.md#spill-management): the block's input is read by the convolution and by the addition two ops later. It stays in L1 for its
// whole life, and the convolution must not free it.
//! policy: DFSharding, Greedy, Beam
func.func @main(%x: tensor<1x32x32x64xbf16>, %w: tensor<64x64x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x32x32x64xbf16> {
  %in = "ttir.relu"(%x) : (tensor<1x32x32x64xbf16>) -> tensor<1x32x32x64xbf16>
  %conv = "ttir.conv2d"(%in, %w) <{stride = array<i32: 1, 1>, padding = array<i32: 1, 1, 1, 1>, dilation = array<i32: 1, 1>, groups = 1 : i32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x32x32x64xbf16>
  %act = "ttir.relu"(%conv) : (tensor<1x32x32x64xbf16>) -> tensor<1x32x32x64xbf16>
  %sum = "ttir.add"(%act, %in) : (tensor<1x32x32x64xbf16>, tensor<1x32x32x64xbf16>) -> tensor<1x32x32x64xbf16>
  return %sum : tensor<1x32x32x64xbf16>
}
