func @f(%a: tensor<4xf32>) {
  %0 = ttir.add %a, %a, %a {s = [1]}
    : tensor<4xf32>, tensor<4xf32> // c
    -> tensor<4xf32>
  %1 = arith.constant dense<1> : tensor<2xi32>
  %2, %3 = call @g(%0) : (tensor<4xf32>) -> (i1, i1)
  %4 = d.load(@f, [%0, %1#0]) <{p}> : tensor<4xf32>
  %5 = scf.for %i = %0 to %1 { a.b } loc("x")
  ttcore.device @d = <grid = #d.g<8x8>, m = (d0) -> (d0)>
  cf.br ^bb1(%0 : i32)
}
