// The last dim changes, so the elements move to other tiles: this reshape copies.
func.func @main(%arg0: tensor<512x512xbf16>) -> tensor<1024x256xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  %1 = "ttir.reshape"(%0) <{shape = [1024 : i32, 256 : i32]}> : (tensor<512x512xbf16>) -> tensor<1024x256xbf16>
  %2 = "ttir.relu"(%1) : (tensor<1024x256xbf16>) -> tensor<1024x256xbf16>
  return %2 : tensor<1024x256xbf16>
}
