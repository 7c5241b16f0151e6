// 34 operands of two layouts combine to 2^34, more than 32 bits count: where the count is cut, none are left and Exact
// takes other candidates.
//! policy: Exact
func.func @main(%x: tensor<1024x64xbf16>, %y: tensor<1024x64xbf16>, %wt: tensor<64x64xbf16>) -> tensor<1024x2176xbf16> {
  %0 = "ttir.matmul"(%x, %wt) : (tensor<1024x64xbf16>, tensor<64x64xbf16>) -> tensor<1024x64xbf16>
  %1 = "ttir.add"(%y, %x) : (tensor<1024x64xbf16>, tensor<1024x64xbf16>) -> tensor<1024x64xbf16>
  %2 = "ttir.softmax"(%1) <{dimension = 1 : si32}> : (tensor<1024x64xbf16>) -> tensor<1024x64xbf16>
  %3 = "ttir.matmul"(%1, %wt) : (tensor<1024x64xbf16>, tensor<64x64xbf16>) -> tensor<1024x64xbf16>
  %4 = "ttir.add"(%y, %x) : (tensor<1024x64xbf16>, tensor<1024x64xbf16>) -> tensor<1024x64xbf16>
  %5 = "ttir.softmax"(%1) <{dimension = 1 : si32}> : (tensor<1024x64xbf16>) -> tensor<1024x64xbf16>
  %6 = "ttir.concat"(%0, %1, %2, %3, %4, %5, %0, %1, %2, %3, %4, %5, %0, %1, %2, %3, %4, %5, %0, %1, %2, %3, %4, %5, %0, %1, %2, %3, %4, %5, %0, %1, %2, %3) <{dim = 1 : si32}> : (tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>, tensor<1024x64xbf16>) -> tensor<1024x2176xbf16>
  %7 = "ttir.relu"(%6) : (tensor<1024x2176xbf16>) -> tensor<1024x2176xbf16>
  return %7 : tensor<1024x2176xbf16>
}
