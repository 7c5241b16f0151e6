// Three results of 512 KiB per core do not fit one L1 together: one has to be left out or has to leave before its last reader.
func.func @main(%arg0: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> loc("long_lived")
  %1 = "ttir.exp"(%0) : (tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> loc("shorter")
  %2 = "ttir.sigmoid"(%1) : (tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %3 = "ttir.add"(%2, %1) : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %4 = "ttir.add"(%3, %0) : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  return %4 : tensor<4096x4096xbf16>
}
