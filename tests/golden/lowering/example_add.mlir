//! opt: --ttir-to-ttnn-backend-pipeline="preset=seed"
// docs/rules/lowering.md#examples: no output operand, DRAM, nothing else to do.
module {
  func.func @add(%arg0: tensor<32x32xbf16>, %arg1: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
    %0 = ttir.empty() : tensor<32x32xbf16>
    %1 = ttir.add %arg0, %arg1, %0 : tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16> -> tensor<32x32xbf16>
    return %1 : tensor<32x32xbf16>
  }
}
