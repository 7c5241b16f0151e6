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
  // A collective stays where all chips meet, and a cache is not updated when the model is loaded.
  func.func @stays(%w: tensor<64x64xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %cache: tensor<1x1x32x32xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>}, %row: tensor<1x1x1x32xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %at: tensor<1xsi32> {ttcore.argument_type = #ttcore.argument_type<constant>}) -> tensor<64x128xf32> {
    %0 = "ttir.exp"(%w) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %1 = "ttir.all_gather"(%0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32}> : (tensor<64x64xf32>) -> tensor<64x128xf32>
    "ttir.update_cache"(%cache, %row, %at) <{batch_offset = 0 : i32}> : (tensor<1x1x32x32xbf16>, tensor<1x1x1x32xbf16>, tensor<1xsi32>) -> ()
    return %1 : tensor<64x128xf32>
  }
}
