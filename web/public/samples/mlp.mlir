// Three linear layers with relu, batch 256: one chain from end to end; 300 and 100 are padded to whole tiles.
// Architecture: LeNet-300-100, LeCun et al., Gradient-Based Learning Applied to Document Recognition, 1998.
module @mlp {
  func.func @forward(
      %arg0: tensor<256x784xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "pixels"},
      %arg1: tensor<784x300xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "fc1.weight"},
      %arg2: tensor<300xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "fc1.bias"},
      %arg3: tensor<300x100xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "fc2.weight"},
      %arg4: tensor<100xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "fc2.bias"},
      %arg5: tensor<100x10xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "fc3.weight"},
      %arg6: tensor<10xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "fc3.bias"}) -> tensor<256x10xbf16> {
    %0 = "ttir.linear"(%arg0, %arg1, %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<256x784xbf16>, tensor<784x300xbf16>, tensor<300xbf16>) -> tensor<256x300xbf16> loc("fc1")
    %1 = "ttir.relu"(%0) : (tensor<256x300xbf16>) -> tensor<256x300xbf16> loc("relu1")
    %2 = "ttir.linear"(%1, %arg3, %arg4) <{transpose_a = false, transpose_b = false}> : (tensor<256x300xbf16>, tensor<300x100xbf16>, tensor<100xbf16>) -> tensor<256x100xbf16> loc("fc2")
    %3 = "ttir.relu"(%2) : (tensor<256x100xbf16>) -> tensor<256x100xbf16> loc("relu2")
    %4 = "ttir.linear"(%3, %arg5, %arg6) <{transpose_a = false, transpose_b = false}> : (tensor<256x100xbf16>, tensor<100x10xbf16>, tensor<10xbf16>) -> tensor<256x10xbf16> loc("fc3")
    return %4 : tensor<256x10xbf16>
  }
}
