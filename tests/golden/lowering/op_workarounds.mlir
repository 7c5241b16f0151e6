//! opt: --ttnn-layout --convert-ttir-to-ttnn --ttnn-workaround
// Ops that the library knows for some ranks and sizes only, spelled out.
module {
  func.func @main(%x: tensor<1x2x40x48xbf16>, %w: tensor<48x8xbf16>, %b: tensor<40x8xbf16>, %n: tensor<4x6x8xf32>) -> (tensor<1x2x40x48xbf16>, tensor<40x8xbf16>, tensor<4x8xsi32>) {
    %0 = "ttir.scaled_dot_product_attention"(%x, %x, %x) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x2x40x48xbf16>, tensor<1x2x40x48xbf16>, tensor<1x2x40x48xbf16>) -> tensor<1x2x40x48xbf16>
    %1 = "ttir.slice_static"(%0) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 1 : i32, 40 : i32, 48 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x40x48xbf16>) -> tensor<1x1x40x48xbf16>
    %2 = "ttir.reshape"(%1) <{shape = [40 : i32, 48 : i32]}> : (tensor<1x1x40x48xbf16>) -> tensor<40x48xbf16>
    %3 = "ttir.linear"(%2, %w, %b) : (tensor<40x48xbf16>, tensor<48x8xbf16>, tensor<40x8xbf16>) -> tensor<40x8xbf16>
    %4 = "ttir.argmax"(%n) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x6x8xf32>) -> tensor<4x8xsi32>
    return %0, %3, %4 : tensor<1x2x40x48xbf16>, tensor<40x8xbf16>, tensor<4x8xsi32>
  }
}
