#pragma once
// The running program, as studies know it.

#include "core/study/study.h"

namespace tessera {

// Its version, and the hash of its file.
StudyProgram thisProgram();

}  // namespace tessera
