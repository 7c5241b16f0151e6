// ttnn-optimizer.md 3.3.9, 1: only operand 0 is followed. Both inputs of the add come from chains; DFSharding takes both through DRAM,
// DFSharding2 merges them.
//! policy: DFSharding, DFSharding2
func.func @main(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xbf16> {
  %0 = "ttnn.relu"(%a) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  %1 = "ttnn.gelu"(%b) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  %2 = "ttnn.add"(%0, %1) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %2 : tensor<512x512xbf16>
}
