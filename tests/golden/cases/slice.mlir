// Every second row of the lower half of a tensor.
func.func @main(%arg0: tensor<512x256xbf16>) -> tensor<128x256xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<512x256xbf16>) -> tensor<512x256xbf16>
  %1 = "ttir.slice_static"(%0) <{begins = [256 : i32, 0 : i32], ends = [512 : i32, 256 : i32], step = [2 : i32, 1 : i32]}> : (tensor<512x256xbf16>) -> tensor<128x256xbf16>
  return %1 : tensor<128x256xbf16>
}
