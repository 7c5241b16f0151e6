// A concat along the second last dim wants its inputs sharded by width.
func.func @main(%arg0: tensor<128x1024xbf16>, %arg1: tensor<256x1024xbf16>) -> tensor<384x1024xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<128x1024xbf16>) -> tensor<128x1024xbf16>
  %1 = "ttir.relu"(%arg1) : (tensor<256x1024xbf16>) -> tensor<256x1024xbf16>
  %2 = "ttir.concat"(%0, %1) <{dim = 0 : si32}> : (tensor<128x1024xbf16>, tensor<256x1024xbf16>) -> tensor<384x1024xbf16>
  return %2 : tensor<384x1024xbf16>
}
