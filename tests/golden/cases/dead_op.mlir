// A result that nobody reads is still computed.
func.func @main(%arg0: tensor<512x512xbf16>) -> tensor<512x512xbf16> {
  %0 = "ttir.exp"(%arg0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16> loc("unread")
  %1 = "ttir.relu"(%arg0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %1 : tensor<512x512xbf16>
}
