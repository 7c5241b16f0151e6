//! opt: --tt-populate-argument-types="argument-types=main=input,parameter,constant"
//! opt: --ttir-propagate-weight-dtype --ttnn-layout --convert-ttir-to-ttnn --ttnn-weight-dtype-conversion="target-dtype=bfp_bf8"
//! opt: --ttnn-layout --convert-ttir-to-ttnn --ttnn-set-compute-kernel-config="math-fidelity=lofi packer-l1-acc=true fp32-dest-acc-en=unset"
// Weights are stored as their arguments say, else as the option does; the host packs four bits.
module {
  func.func @main(%x: tensor<32x64xbf16>, %a: tensor<64x32xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.weight_dtype = "bfp_bf4"}, %b: tensor<32x96xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<32x96xbf16> {
    %0 = "ttir.reshape"(%a) <{shape = [64 : i32, 32 : i32]}> : (tensor<64x32xbf16>) -> tensor<64x32xbf16>
    %1 = "ttir.matmul"(%x, %0) : (tensor<32x64xbf16>, tensor<64x32xbf16>) -> tensor<32x32xbf16>
    %2 = "ttir.matmul"(%1, %b) : (tensor<32x32xbf16>, tensor<32x96xbf16>) -> tensor<32x96xbf16>
    return %2 : tensor<32x96xbf16>
  }
}
