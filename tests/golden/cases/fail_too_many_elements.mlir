//! policy: DRAM
// The number of elements does not fit 63 bits.
func.func @main(%arg0: tensor<4294967296x4294967296xbf16>) -> tensor<4294967296x4294967296xbf16> {
  return %arg0 : tensor<4294967296x4294967296xbf16>
}
