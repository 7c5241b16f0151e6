// A result with two users stays in L1 until the later one has read it.
func.func @main(%arg0: tensor<512x512xbf16>) -> tensor<512x512xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16> loc("fork")
  %1 = "ttir.exp"(%0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  %2 = "ttir.sigmoid"(%1) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  %3 = "ttir.add"(%2, %0) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16> loc("join")
  return %3 : tensor<512x512xbf16>
}
