//! opt: --ttir-consolidate-static-cache-updates
//! opt: --ttir-consolidate-static-cache-updates --cse
// Two layers count how far their caches are filled; both counts go up by one, so the last argument is read for both. A
// count that no cache is written by stays.
module {
  func.func @decode(%first: tensor<1xi32>, %second: tensor<1xi32>, %other: tensor<1xi32>, %cache: tensor<1x8x16x128xbf16>, %row: tensor<1x8x1x128xbf16>) -> (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x8x16x128xbf16>) {
    %one = "ttir.full"() <{fill_value = 1 : i32, shape = array<i32: 1>}> : () -> tensor<1xi32>
    %0 = "ttir.add"(%first, %one) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %1 = "ttir.add"(%second, %one) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %2 = "ttir.add"(%other, %one) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %3 = "ttir.reshape"(%first) <{shape = [1 : i32]}> : (tensor<1xi32>) -> tensor<1xi32>
    "ttir.update_cache"(%cache, %row, %3) <{batch_offset = 0 : i32}> : (tensor<1x8x16x128xbf16>, tensor<1x8x1x128xbf16>, tensor<1xi32>) -> ()
    "ttir.update_cache"(%cache, %row, %second) <{batch_offset = 0 : i32}> : (tensor<1x8x16x128xbf16>, tensor<1x8x1x128xbf16>, tensor<1xi32>) -> ()
    return %0, %1, %2, %cache : tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x8x16x128xbf16>
  }
}
