//! opt: --ttnn-resolve-composites
// A composite that the library has an op for becomes that op, another one what its function says.
module {
  func.func @main(%a: tensor<32x64xbf16>, %w: tensor<64x128xbf16>, %b: tensor<32x128xbf16>) -> (tensor<32x4xui16>, tensor<32x4xbf16>, tensor<32x64xbf16>) {
    %0:2 = "ttcore.composite"(%a, %w, %b) <{composite_name = "topk_router_gpt", decomposition = @route, composite_attributes = {k = 4 : i32, num_experts = 128 : i32}}> : (tensor<32x64xbf16>, tensor<64x128xbf16>, tensor<32x128xbf16>) -> (tensor<32x4xui16>, tensor<32x4xbf16>)
    %1 = "ttcore.composite"(%a) <{composite_name = "twice", decomposition = @twice, composite_attributes = {}}> : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
    return %0#0, %0#1, %1 : tensor<32x4xui16>, tensor<32x4xbf16>, tensor<32x64xbf16>
  }
  func.func private @route(%a: tensor<32x64xbf16>, %w: tensor<64x128xbf16>, %b: tensor<32x128xbf16>) -> (tensor<32x4xui16>, tensor<32x4xbf16>) {
    %0:2 = "ttir.topk_router_gpt"(%a, %w, %b) <{k = 4 : i32, num_experts = 128 : i32}> : (tensor<32x64xbf16>, tensor<64x128xbf16>, tensor<32x128xbf16>) -> (tensor<32x4xui16>, tensor<32x4xbf16>)
    return %0#0, %0#1 : tensor<32x4xui16>, tensor<32x4xbf16>
  }
  func.func private @twice(%a: tensor<32x64xbf16>) -> tensor<32x64xbf16> {
    %0 = "ttir.add"(%a, %a) : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
    return %0 : tensor<32x64xbf16>
  }
}
