// A concat along the last dim wants its inputs sharded by height.
func.func @main(%arg0: tensor<1024x128xbf16>, %arg1: tensor<1024x256xbf16>) -> tensor<1024x384xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<1024x128xbf16>) -> tensor<1024x128xbf16>
  %1 = "ttir.relu"(%arg1) : (tensor<1024x256xbf16>) -> tensor<1024x256xbf16>
  %2 = "ttir.concat"(%0, %1) <{dim = -1 : si32}> : (tensor<1024x128xbf16>, tensor<1024x256xbf16>) -> tensor<1024x384xbf16>
  return %2 : tensor<1024x384xbf16>
}
