%1  ttnn.matmul  L1 block 8x8 shard 2x2
%2  ttnn.neg  L1 block 8x8 shard 2x2
    return %2 -> DRAM
func.return
--  time 14033 ns  dram 1572864 B  peak L1 139264/1396448 at step 0  spills 0  reloads 0  reshards 0  returns 1  failures 0
--  L1 addresses  first fit 16384 B  planned 16384 B (runtime)  bound 16384 B  fragmentation 0 B
