#include "core/policy/exact/exact_memory.h"

namespace tessera {

void ExactMemory::forgetTables() {
  for (KeyIndex* keys : {&configKeys, &opKeys, &tableKeys}) *keys = {};
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
