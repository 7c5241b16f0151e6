// A public function calls a private one: the caller is optimized, the callee is kept.
module @calls {
  func.func private @scale(%arg0: tensor<256x256xbf16>) -> tensor<256x256xbf16> {
    %0 = "ttir.add"(%arg0, %arg0) : (tensor<256x256xbf16>, tensor<256x256xbf16>) -> tensor<256x256xbf16>
    return %0 : tensor<256x256xbf16>
  }
  func.func @main(%arg0: tensor<256x256xbf16>) -> tensor<256x256xbf16> {
    %0 = "ttir.relu"(%arg0) : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
    %1 = call @scale(%0) : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
    return %1 : tensor<256x256xbf16>
  }
}
