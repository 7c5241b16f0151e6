// An op without results writes into its first operand; what reads the cache later must come after it.
func.func @main(%arg0: tensor<32x8x128x64xbf16> {ttcore.kv_cache}, %arg1: tensor<1x8x32x64xbf16>, %arg2: tensor<1xi32>) -> tensor<32x8x128x64xbf16> {
  %0 = "ttir.neg"(%arg1) : (tensor<1x8x32x64xbf16>) -> tensor<1x8x32x64xbf16>
  "ttir.update_cache"(%arg0, %0, %arg2) <{batch_offset = 0 : i32}> : (tensor<32x8x128x64xbf16>, tensor<1x8x32x64xbf16>, tensor<1xi32>) -> ()
  %1 = "ttir.exp"(%arg0) : (tensor<32x8x128x64xbf16>) -> tensor<32x8x128x64xbf16>
  return %1 : tensor<32x8x128x64xbf16>
}
