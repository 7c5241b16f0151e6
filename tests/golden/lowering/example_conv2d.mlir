//! opt: --ttir-to-ttnn-backend-pipeline="preset=seed optimizer-pass-enabled=true"
//! opt: --ttir-to-ttnn-backend-pipeline="preset=seed optimizer-pass-enabled=true enable-const-eval=false policy=DRAM"
// docs/rules/lowering.md#examples: the input is flattened, weight and bias are prepared, by const-eval when it is on.
module {
  func.func @conv2d(%input: tensor<1x3x224x224xbf16>, %weight: tensor<64x3x3x3xbf16>, %bias: tensor<64xbf16>) -> tensor<1x64x224x224xbf16> {
    %0 = ttir.empty() : tensor<1x64x224x224xbf16>
    %1 = ttir.conv2d %input, %weight, %bias, %0 {stride = [1, 1], padding = [1, 1], dilation = [1, 1], groups = 1}
      : tensor<1x3x224x224xbf16>, tensor<64x3x3x3xbf16>, tensor<64xbf16>, tensor<1x64x224x224xbf16> -> tensor<1x64x224x224xbf16>
    return %1 : tensor<1x64x224x224xbf16>
  }
}
