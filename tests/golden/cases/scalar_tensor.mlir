// A tensor of rank 0 takes one tile and stretches to anything.
func.func @main(%arg0: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %0 = "ttir.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
  %1 = "ttir.multiply"(%arg0, %0) : (tensor<256x256xf32>, tensor<f32>) -> tensor<256x256xf32>
  return %1 : tensor<256x256xf32>
}
