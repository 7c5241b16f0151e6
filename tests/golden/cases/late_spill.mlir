// Two results of 512 KiB per core and a third do not fit: the victim leaves right before the room is needed, so its first reader
// still finds it in L1.
//! policy: Greedy
func.func @main(%x: tensor<4096x4096xbf16>) -> (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) {
  %victim = "ttir.relu"(%x) : (tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %first = "ttir.exp"(%victim) : (tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %other = "ttir.sigmoid"(%x) : (tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %sum = "ttir.exp"(%other) : (tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %more = "ttir.sigmoid"(%first) : (tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %last = "ttir.add"(%sum, %victim) : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  return %last, %more : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>
}
