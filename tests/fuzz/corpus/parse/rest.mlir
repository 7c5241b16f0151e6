func.func private @"a b"(i32, f32) -> ()
// -----
#l = loc(callsite("a" at "b"))
{-# x #-}
