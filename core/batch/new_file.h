#pragma once
// A file that is there in full or not at all: written beside its place, then put there.

#include <cstdio>
#include <string>
#include <string_view>

namespace tessera {

class NewFile {
 public:
  explicit NewFile(std::string path);
  ~NewFile();  // without finish(), nothing is left of it
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void add(std::string_view text);
  // "" when all of it is in its place, else what went wrong, with the path.
  std::string finish();

 private:
  void fail();  // as errno says, unless something failed before

  std::string path_;
  std::string temporary_;
  std::FILE* file_ = nullptr;
  std::string problem_;
};

// "" when the folder is there and can be written into.
std::string makeFolder(const std::string& path);

}  // namespace tessera
