// One op gives three results of which one is never used.
func.func @main(%arg0: tensor<1x128x2304xbf16>) -> tensor<1x12x128x64xbf16> {
  %0:3 = "ttir.split_query_key_value_and_split_heads"(%arg0) <{num_heads = 12 : ui32, transpose_key = false}> : (tensor<1x128x2304xbf16>) -> (tensor<1x12x128x64xbf16>, tensor<1x12x128x64xbf16>, tensor<1x12x128x64xbf16>)
  %1 = "ttir.add"(%0#0, %0#2) : (tensor<1x12x128x64xbf16>, tensor<1x12x128x64xbf16>) -> tensor<1x12x128x64xbf16>
  return %1 : tensor<1x12x128x64xbf16>
}
