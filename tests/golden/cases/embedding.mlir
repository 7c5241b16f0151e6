// A table lookup with integer indices; indices and table are read row by row.
func.func @main(%arg0: tensor<1x32xui32>, %arg1: tensor<32000x1024xbf16>) -> tensor<1x32x1024xbf16> {
  %0 = "ttir.embedding"(%arg0, %arg1) : (tensor<1x32xui32>, tensor<32000x1024xbf16>) -> tensor<1x32x1024xbf16>
  %1 = "ttir.relu"(%0) : (tensor<1x32x1024xbf16>) -> tensor<1x32x1024xbf16>
  return %1 : tensor<1x32x1024xbf16>
}
