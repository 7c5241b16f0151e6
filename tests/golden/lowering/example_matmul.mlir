//! opt: --ttnn-layout
//! opt: --ttnn-layout --convert-ttir-to-ttnn --remove-dead-values
//! opt: --ttir-to-ttnn-backend-pipeline="preset=seed memory-layout-analysis-policy=DFSharding"
// docs/rules/lowering.md#examples: layouts, TTNN ops, and the optimizer's sharded result that goes back to DRAM for the return.
module {
  func.func @matmul(%arg0: tensor<32x64xbf16>, %arg1: tensor<64x128xbf16>) -> tensor<32x128xbf16> {
    %0 = ttir.empty() : tensor<32x128xbf16>
    %1 = ttir.matmul %arg0, %arg1, %0 : tensor<32x64xbf16>, tensor<64x128xbf16>, tensor<32x128xbf16> -> tensor<32x128xbf16>
    return %1 : tensor<32x128xbf16>
  }
}
