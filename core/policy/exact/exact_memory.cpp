#include "core/policy/exact/exact_memory.h"

namespace tessera {

void ExactMemory::clear() {
  configKeys = opKeys = tableKeys = {};
  configs.clear();
  ops.clear();
  tables.clear();
  cells = 0;
  tree = nullptr;
  plans = {};
}

}  // namespace tessera
