// Heads and tokens change places between two ops that could shard.
func.func @main(%arg0: tensor<1x256x8x64xbf16>) -> tensor<1x8x256x64xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<1x256x8x64xbf16>) -> tensor<1x256x8x64xbf16>
  %1 = "ttir.permute"(%0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x256x8x64xbf16>) -> tensor<1x8x256x64xbf16>
  %2 = "ttir.relu"(%1) : (tensor<1x8x256x64xbf16>) -> tensor<1x8x256x64xbf16>
  return %2 : tensor<1x8x256x64xbf16>
}
