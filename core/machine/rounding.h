#pragma once
// What storing a tensor on the device makes of its values, worked out by arithmetic alone: the interpreter rounds at
// the same points as the device, so that results can be compared bit for bit. Shares no code with formats.h, which
// makes and reads the bytes.

#include "core/execute/kernel.h"

namespace tessera {

// Floats to the nearest value of the format, ties to even; of a block format 16 neighbours of a row share the exponent
// of the largest; `row`: elements of a row as it is stored, which are not the tensor's own where prepared weights
// travel in the shape they had. Integers keep their low bits.
void roundAsStored(HostTensor& tensor, DType dtype, int64_t row);

}  // namespace tessera
