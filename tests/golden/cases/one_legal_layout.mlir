//! max-legal-layouts: 1
// Only the sharded layout over most cores is tried.
func.func @main(%arg0: tensor<256x384xbf16>) -> tensor<256x384xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<256x384xbf16>) -> tensor<256x384xbf16>
  %1 = "ttir.exp"(%0) : (tensor<256x384xbf16>) -> tensor<256x384xbf16>
  return %1 : tensor<256x384xbf16>
}
