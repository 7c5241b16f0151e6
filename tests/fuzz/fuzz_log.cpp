// LIBS: tessera_driver
// Any bytes as a log of passes: cut into pieces anywhere (the first byte says how long they are) it is read alike.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/driver/api.h"
#include "core/driver/session.h"
#include "core/support/check.h"
#define FUZZ_HEAD_BYTES 1
#include "tests/fuzz/text_mutator.h"

using namespace tessera;

namespace {

std::string read(const std::string& log, size_t piece) {
  Session session;
  for (size_t at = 0; at < log.size(); at += piece) apiLogFeed(session, log.substr(at, piece));
  return apiLogEnd(session);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  const std::string log(reinterpret_cast<const char*>(data) + 1, size - 1);
  TESSERA_CHECK(read(log, data[0] + size_t{1}) == read(log, log.size() + 1), "a log in pieces reads differently");
  apiLogDump(log);
  return 0;
}
