//! opt: --inline
//! opt: --inline --legalize-stablehlo-composite-to-ttir
//! opt: --inline --legalize-stablehlo-composite-to-ttir --convert-stablehlo-to-ttir
// From StableHLO: calls are inlined, a composite that the compiler knows becomes its op, every op its TTIR op.
module @model {
  func.func @main(%a: tensor<32x64xbf16>, %b: tensor<64x32xbf16>) -> tensor<32x32xbf16> {
    %0 = call @half(%a) : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
    %1 = stablehlo.composite "tenstorrent.gelu" %0 {decomposition = @gelu_body} : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
    %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0] : (tensor<32x64xbf16>, tensor<64x32xbf16>) -> tensor<32x32xbf16>
    return %2 : tensor<32x32xbf16>
  }
  func.func private @half(%x: tensor<32x64xbf16>) -> tensor<32x64xbf16> {
    %c = stablehlo.constant dense<5.000000e-01> : tensor<32x64xbf16>
    %0 = stablehlo.multiply %x, %c : tensor<32x64xbf16>
    return %0 : tensor<32x64xbf16>
  }
  func.func private @gelu_body(%x: tensor<32x64xbf16>) -> tensor<32x64xbf16> {
    %0 = stablehlo.tanh %x : tensor<32x64xbf16>
    return %0 : tensor<32x64xbf16>
  }
}
