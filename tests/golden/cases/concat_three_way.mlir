// Three chains end in one concat: all three results have to be in L1 at once.
func.func @main(%arg0: tensor<1024x64xbf16>, %arg1: tensor<1024x64xbf16>, %arg2: tensor<1024x64xbf16>) -> tensor<1024x192xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<1024x64xbf16>) -> tensor<1024x64xbf16>
  %1 = "ttir.gelu"(%arg1) : (tensor<1024x64xbf16>) -> tensor<1024x64xbf16>
  %2 = "ttir.silu"(%arg2) : (tensor<1024x64xbf16>) -> tensor<1024x64xbf16>
  %3 = "ttir.concat"(%0, %1, %2) <{dim = 1 : si32}> : (tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>) -> tensor<1024x192xbf16>
  return %3 : tensor<1024x192xbf16>
}
