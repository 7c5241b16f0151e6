#include "core/cli/gzip.h"

#include <zlib.h>

#include <algorithm>

namespace tessera {

bool isGzip(const std::string& bytes) { return bytes.size() > 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b'; }

bool gunzip(const std::string& bytes, size_t limit, std::string& out, std::string& why) {
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) {
    why = "zlib does not start";
    return false;
  }
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(std::min<size_t>(bytes.size(), UINT32_MAX));
  char buffer[1 << 16];
  int state = Z_OK;
  while (state == Z_OK && out.size() <= limit) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    state = inflate(&stream, Z_NO_FLUSH);
    out.append(buffer, std::min(sizeof buffer - stream.avail_out, limit + 1 - out.size()));
  }
  inflateEnd(&stream);
  if (state == Z_STREAM_END || out.size() > limit) return true;
  why = state == Z_BUF_ERROR ? "the gzip data ends too early" : "the gzip data is damaged";
  return false;
}

}  // namespace tessera
