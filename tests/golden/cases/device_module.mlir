// A dump's outer shell: two nested modules, a device, location aliases defined after their use.
module @outer attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x1>]>} {
  ttcore.device_module {
    builtin.module @inner {
      func.func @main(%arg0: tensor<64x64xbf16> loc("x")) -> (tensor<64x64xbf16> {ttir.name = "y"}) {
        %0 = "ttir.relu"(%arg0) : (tensor<64x64xbf16>) -> tensor<64x64xbf16> loc(#loc2)
        return %0 : tensor<64x64xbf16> loc(#loc)
      } loc(#loc)
    } loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("activation.7")
#loc2 = loc("activation.7_relu"(#loc1))
