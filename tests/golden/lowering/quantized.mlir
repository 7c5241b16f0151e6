//! opt: --ttir-to-ttir-decomposition --ttir-quant-data-type-conversion="target-bit-width=32"
//! opt: "--pass-pipeline=builtin.module(ttir-to-ttir-decomposition,ttir-quant-data-type-conversion{target-bit-width=16})"
// Scales and zero points of quantized types become operands; one width for all.
module {
  func.func @main(%x: tensor<2x4xf32>, %y: tensor<3x4x!quant.uniform<i8:f32:0, {0.5:1, 0.25:2, 0.125:3}>>) -> (tensor<2x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x4xf32>) {
    %0 = "ttir.quantize"(%x) : (tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i8:f32, 5.000000e-01>>
    %1 = "ttir.dequantize"(%y) : (tensor<3x4x!quant.uniform<i8:f32:0, {0.5:1, 0.25:2, 0.125:3}>>) -> tensor<3x4xf32>
    return %0, %1 : tensor<2x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x4xf32>
  }
}
