// The last two dims stay as they are and fill whole tiles: the reshape moves no data.
func.func @main(%arg0: tensor<1x512x512xbf16>) -> tensor<512x512xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<1x512x512xbf16>) -> tensor<1x512x512xbf16>
  %1 = "ttir.reshape"(%0) <{shape = [512 : i32, 512 : i32]}> : (tensor<1x512x512xbf16>) -> tensor<512x512xbf16>
  %2 = "ttir.relu"(%1) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %2 : tensor<512x512xbf16>
}
