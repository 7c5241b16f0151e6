// Element-wise ops of one size follow each other: each can keep the layout of the one before.
func.func @main(%arg0: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %0 = "ttir.exp"(%arg0) : (tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  %1 = "ttir.relu"(%0) : (tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  %2 = "ttir.neg"(%1) : (tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  return %2 : tensor<1024x1024xbf16>
}
