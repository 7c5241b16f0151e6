// An op nobody knows is kept, with a warning; its operands and results live in DRAM.
func.func @main(%arg0: tensor<512x512xbf16>) -> tensor<512x512xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  %1 = "mylib.fancy_filter"(%0) <{radius = 3 : i64}> {note = "kept as it is"} : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  %2 = "ttir.relu"(%1) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %2 : tensor<512x512xbf16>
}
