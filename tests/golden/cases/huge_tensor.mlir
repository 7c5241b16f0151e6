// 512 MiB are 8 MiB on each of 64 cores: no layout fits L1, everything stays in DRAM.
func.func @main(%arg0: tensor<16384x16384xbf16>) -> tensor<16384x16384xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<16384x16384xbf16>) -> tensor<16384x16384xbf16>
  %1 = "ttir.exp"(%0) : (tensor<16384x16384xbf16>) -> tensor<16384x16384xbf16>
  return %1 : tensor<16384x16384xbf16>
}
