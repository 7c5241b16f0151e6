#pragma once
// TESSERA_CHECK stops the program on a bug of ours. Never use it on anything a user can cause.

namespace tessera {

// Prints "<file>:<line>: check failed: <condition>: <why>" to stderr and aborts.
[[noreturn]] void checkFailed(const char* file, int line, const char* condition, const char* why);

}  // namespace tessera

#define TESSERA_CHECK(condition, why)                                              \
  do {                                                                             \
    if (!(condition)) ::tessera::checkFailed(__FILE__, __LINE__, #condition, why); \
  } while (false)
