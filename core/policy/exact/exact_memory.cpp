#include "core/policy/exact/exact_memory.h"

namespace tessera {

void ExactMemory::clear() {
  configKeys = figureKeys = opKeys = tableKeys = {};
  configs.clear();
  figures.clear();
  ops.clear();
  tables.clear();
  cells = 0;
  tree = nullptr;
  selection = {};
  plans = {};
}

}  // namespace tessera
