#pragma once
// Reading of gzip files, in the native program only.

#include <string>

namespace tessera {

bool isGzip(const std::string& bytes);
// At most `limit` bytes come out, one more when there is more. False with a reason when the data is damaged.
bool gunzip(const std::string& bytes, size_t limit, std::string& out, std::string& why);

}  // namespace tessera
