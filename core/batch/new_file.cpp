#include "core/batch/new_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tessera {

NewFile::NewFile(std::string path)
    : path_(std::move(path)), temporary_(path_ + "." + std::to_string(::getpid()) + ".new") {
  file_ = std::fopen(temporary_.c_str(), "wb");
  if (!file_) fail();
}

NewFile::~NewFile() {
  if (!file_) return;
  std::fclose(file_);
  std::remove(temporary_.c_str());
}

void NewFile::fail() {
  if (problem_.empty()) problem_ = "cannot write `" + path_ + "`: " + std::strerror(errno);
}

void NewFile::add(std::string_view text) {
  if (problem_.empty() && std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
}

std::string NewFile::finish() {
  if (!file_) return problem_;
  if (problem_.empty() && std::fflush(file_) != 0) fail();
  if (std::fclose(file_) != 0) fail();
  file_ = nullptr;
  if (problem_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
  if (!problem_.empty()) std::remove(temporary_.c_str());
  return problem_;
}

std::string makeFolder(const std::string& path) {
  std::error_code problem;
  std::filesystem::create_directories(path, problem);
  if (problem) return "cannot make the folder `" + path + "`: " + problem.message();
  if (::access(path.c_str(), W_OK | X_OK) != 0) return "cannot write into `" + path + "`: " + std::strerror(errno);
  return "";
}

}  // namespace tessera
