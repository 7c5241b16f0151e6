// One tensor is both operands of an op: it is held once.
func.func @main(%arg0: tensor<512x512xbf16>) -> tensor<512x512xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  %1 = "ttir.multiply"(%0, %0) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %1 : tensor<512x512xbf16>
}
