//! opt: --ttnn-layout --convert-ttir-to-ttnn --ttnn-collect-perf-metrics
//! opt: --ttnn-layout --convert-ttir-to-ttnn --ttnn-collect-perf-metrics="ttnn-perf-metrics-verbose-output-enabled=true"
// Counts of a program: its ops, where their results lie, how many bytes they move and what they compute.
module {
  func.func @forward(%x: tensor<32x64xbf16>, %w: tensor<64x128xbf16>) -> tensor<32x128xbf16> {
    %0 = "ttir.matmul"(%x, %w) : (tensor<32x64xbf16>, tensor<64x128xbf16>) -> tensor<32x128xbf16>
    %1 = "ttir.relu"(%0) : (tensor<32x128xbf16>) -> tensor<32x128xbf16>
    return %1 : tensor<32x128xbf16>
  }
}
