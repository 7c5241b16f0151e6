//! opt: --ttnn-layout --convert-ttir-to-ttnn --ttnn-workaround
// Rows that do not fit in L1 twice, padding in the middle of five dims, heads that are no whole tiles, positions that
// are none.
module {
  func.func @main(%a: tensor<8x6x400000xbf16>, %b: tensor<2x3x8x8x32xbf16>, %h: tensor<1x4x64x48xbf16>, %x: tensor<1x2x40x64xbf16>, %c: tensor<1x1x40x64xbf16>, %s: tensor<1x1x40x64xbf16>)
      -> (tensor<4x3x400000xbf16>, tensor<2x4x10x11x32xbf16>, tensor<1x64x192xbf16>, tensor<1x2x40x64xbf16>) {
    %0 = "ttir.slice_static"(%a) <{begins = [1 : i32, 2 : i32, 0 : i32], ends = [5 : i32, 5 : i32, 400000 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<8x6x400000xbf16>) -> tensor<4x3x400000xbf16>
    %1 = "ttir.pad"(%b) <{padding = array<i32: 0, 0, 1, 0, 0, 2, 1, 2, 0, 0>, value = 0.0 : f32}> : (tensor<2x3x8x8x32xbf16>) -> tensor<2x4x10x11x32xbf16>
    %2 = "ttir.concatenate_heads"(%h) : (tensor<1x4x64x48xbf16>) -> tensor<1x64x192xbf16>
    %3 = "ttir.rotary_embedding"(%x, %c, %s) : (tensor<1x2x40x64xbf16>, tensor<1x1x40x64xbf16>, tensor<1x1x40x64xbf16>) -> tensor<1x2x40x64xbf16>
    return %0, %1, %2, %3 : tensor<4x3x400000xbf16>, tensor<2x4x10x11x32xbf16>, tensor<1x64x192xbf16>, tensor<1x2x40x64xbf16>
  }
}
