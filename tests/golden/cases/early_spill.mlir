// As late_spill, but the victim leaves right after it was made: its first reader already reads DRAM.
//! policy: Greedy
//! spill-point: early
func.func @main(%x: tensor<4096x4096xbf16>) -> (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) {
  %victim = "ttir.relu"(%x) : (tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %first = "ttir.exp"(%victim) : (tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %other = "ttir.sigmoid"(%x) : (tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %sum = "ttir.exp"(%other) : (tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %more = "ttir.sigmoid"(%first) : (tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %last = "ttir.add"(%sum, %victim) : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  return %last, %more : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>
}
