//! row-major-enabled: true
// Layouts without tiles are candidates too.
func.func @main(%arg0: tensor<64x48xbf16>) -> tensor<64x48xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<64x48xbf16>) -> tensor<64x48xbf16>
  %1 = "ttir.exp"(%0) : (tensor<64x48xbf16>) -> tensor<64x48xbf16>
  return %1 : tensor<64x48xbf16>
}
