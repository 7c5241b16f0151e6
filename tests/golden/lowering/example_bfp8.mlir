//! opt: --ttir-to-ttnn-backend-pipeline="preset=seed optimizer-pass-enabled=true policy=DRAM experimental-bfp8-weights=true"
// docs/rules/lowering.md#bfp8-weights: the weight is converted when the model is loaded; activation and result stay bf16, and so does the other matmul,
// which multiplies two activations.
module {
  func.func @main(%activation: tensor<32x64xbf16> {ttcore.argument_type = #ttcore.argument_type<input>},
                  %weight: tensor<64x128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>},
                  %other: tensor<128x32xbf16> {ttcore.argument_type = #ttcore.argument_type<input>}) -> tensor<32x32xbf16> {
    %0 = "ttir.matmul"(%activation, %weight) : (tensor<32x64xbf16>, tensor<64x128xbf16>) -> tensor<32x128xbf16>
    %1 = "ttir.matmul"(%0, %other) : (tensor<32x128xbf16>, tensor<128x32xbf16>) -> tensor<32x32xbf16>
    return %1 : tensor<32x32xbf16>
  }
}
