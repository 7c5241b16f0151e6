#a = affine_map<(d0, d1)[s0] -> (d0 floordiv 8, d1 - s0)>
!t = !d.tile<32x32, bf16>
module @m attributes {x = [1, -2.5 : f32, "s\0A", unit]} {
  func.func @f(%x: tensor<2x?xf32, #a> {k} loc("l"), %y: !t) -> (tensor<0x4xbf16> {b = @p::@q}) {
    %0:2 = "d.op"(%x, %y)[^bb1] <{v = dense<"0xFF"> : tensor<1xi8>, w = array<i64: 1, -2>}> ({
    ^bb0(%i: i32):
      "d.y"(%i) : (i32) -> ()
    }, {
    }) {g = #d.l<(d0) -> (d0), <8x8>>} : (tensor<2x?xf32, #a>, !t) -> (i32, (i1) -> ())
  ^bb1:
    return %0#1 : i32 loc(fused["a", "b":1:2])
  }
}
