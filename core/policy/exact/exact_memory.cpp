#include "core/policy/exact/exact_memory.h"

namespace tessera {

void ExactMemory::forgetTables() {
  configKeys = opKeys = tableKeys = {};
  configs.clear();
  ops.clear();
  tables.clear();
  cells = 0;
}

void ExactMemory::makeRoom() {
  if (cells > kMostCells) forgetTables();
}

void ExactMemory::clear() {
  forgetTables();
  figureKeys = {};
  figures.clear();
  figureCells = 0;
  tree = nullptr;
  selection = {};
  plans = {};
}

}  // namespace tessera
