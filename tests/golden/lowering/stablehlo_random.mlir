//! opt: --convert-stablehlo-to-ttir
//! opt: --ttir-to-ttnn-backend-pipeline=optimization-level=1
// Numbers drawn between bounds that are known, and bits whose state is passed on.
module @random {
  func.func @main(%state: tensor<2xui32>) -> (tensor<4x6xf32>, tensor<2xui32>, tensor<3x5xui32>) {
    %low = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %high = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %shape = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
    %0 = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x6xf32>
    %1, %2 = stablehlo.rng_bit_generator %state, algorithm = DEFAULT : (tensor<2xui32>) -> (tensor<2xui32>, tensor<3x5xui32>)
    return %0, %1, %2 : tensor<4x6xf32>, tensor<2xui32>, tensor<3x5xui32>
  }
}
