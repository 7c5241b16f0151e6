//! policy: DRAM
// A dim whose size is not known cannot be laid out.
func.func @main(%arg0: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}
