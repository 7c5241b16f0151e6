//! opt: --ttnn-layout --convert-ttir-to-ttnn --ttnn-optimizer
//! opt: --ttnn-layout --convert-ttir-to-ttnn --ttnn-greedy-memory-layout-propagation
//! opt: --ttnn-layout --convert-ttir-to-ttnn --ttnn-greedy-memory-layout-propagation="beam-width=1 max-legal-layouts=1 max-input-candidates-per-operand=1 max-reshard-candidates-per-type=1"
//! opt: --ttnn-layout --convert-ttir-to-ttnn --ttnn-greedy-memory-layout-propagation="enable-l1-sharding-layouts=false"
//! opt: --ttnn-layout --convert-ttir-to-ttnn --ttnn-greedy-memory-layout-propagation --ttnn-greedy-l1-spill-management
// The optimizer, and its two passes: the first puts every result where it wants it, the second takes out of L1 what has
// no room: the module lets plans fill a seventh of L1, which three large tensors at a time exceed.
module attributes {ttnn.tensor_l1_usage_cap = 1.400000e-01 : f32} {
  func.func @forward(%a: tensor<1024x2048xbf16>, %b: tensor<1024x2048xbf16>) -> tensor<1024x2048xbf16> {
    %0 = "ttir.add"(%a, %b) : (tensor<1024x2048xbf16>, tensor<1024x2048xbf16>) -> tensor<1024x2048xbf16>
    %1 = "ttir.relu"(%0) : (tensor<1024x2048xbf16>) -> tensor<1024x2048xbf16>
    %2 = "ttir.exp"(%1) : (tensor<1024x2048xbf16>) -> tensor<1024x2048xbf16>
    %3 = "ttir.add"(%1, %2) : (tensor<1024x2048xbf16>, tensor<1024x2048xbf16>) -> tensor<1024x2048xbf16>
    %4 = "ttir.multiply"(%0, %3) : (tensor<1024x2048xbf16>, tensor<1024x2048xbf16>) -> tensor<1024x2048xbf16>
    return %4 : tensor<1024x2048xbf16>
  }
}
