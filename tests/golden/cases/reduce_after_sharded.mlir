// A reduction reads what an element-wise op left sharded: it decides whether a reshard comes first.
func.func @main(%arg0: tensor<1024x512xbf16>) -> tensor<1024x1xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<1024x512xbf16>) -> tensor<1024x512xbf16>
  %1 = "ttir.sum"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<1024x512xbf16>) -> tensor<1024x1xbf16>
  return %1 : tensor<1024x1xbf16>
}
