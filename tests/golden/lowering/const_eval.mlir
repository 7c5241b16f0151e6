//! opt: --ttnn-layout --convert-ttir-to-ttnn --const-eval-hoist-transform
//! opt: --ttnn-layout --convert-ttir-to-ttnn --const-eval-hoist-transform --ttnn-const-eval-inputs-to-system-memory
// What depends on weights only moves into a function that runs when the model is loaded; its inputs wait on the host.
module {
  func.func @forward(%x: tensor<32x64xbf16>, %w: tensor<32x64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<32x64xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>}) -> tensor<32x32xbf16> {
    %0 = "ttir.multiply"(%w, %s) : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
    %1 = "ttir.permute"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<32x64xbf16>) -> tensor<64x32xbf16>
    %2 = "ttir.matmul"(%x, %1) : (tensor<32x64xbf16>, tensor<64x32xbf16>) -> tensor<32x32xbf16>
    return %2 : tensor<32x32xbf16>
  }
}
