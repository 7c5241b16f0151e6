// A constant's bytes stand at the end of the file, as large dumps have it.
func.func @main(%arg0: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "ttir.constant"() <{value = dense_resource<table> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
  %1 = "ttir.add"(%arg0, %0) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
{-#
  dialect_resources: {
    builtin: {
      table: "0x040000000000803F000000400000404000008040"
    }
  }
#-}
