// new and delete of the page's engine. A graph is made of many small pieces that come and go with every pass; pools of
// one size each give and take them in a few instructions, where the library's allocator searches lists.
//
// Memory is cut into pages of 64 KB. A page of a pool holds pieces of one size; which pool a page belongs to stands in
// a table by address, so that delete finds the pool of a piece. Pages of a pool are never given back. What is larger
// than a pool's pieces is the library's.

#include <emscripten/heap.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

constexpr size_t kPageBits = 16, kPage = size_t{1} << kPageBits;
constexpr size_t kStep = 16, kLargest = 512;  // bytes; pools hold pieces of 16, 32 ... 512
constexpr size_t kPagesAtOnce = 16;
constexpr size_t kAddresses = size_t{1} << (32 - kPageBits);

struct Piece {
  Piece* next;
};

Piece* free_[kLargest / kStep + 1];  // by pool: pieces that were given back or never given out
uint8_t poolOf_[kAddresses];         // by page: its pool, 0 for memory of the library
char* pages_ = nullptr;              // pages that no pool has yet, and their end
char* end_ = nullptr;

bool fill(size_t pool) {
  if (pages_ == end_) {
    pages_ = static_cast<char*>(std::aligned_alloc(kPage, kPagesAtOnce * kPage));
    if (pages_ == nullptr) return false;
    end_ = pages_ + kPagesAtOnce * kPage;
  }
  char* page = pages_;
  pages_ += kPage;
  poolOf_[reinterpret_cast<uintptr_t>(page) >> kPageBits] = static_cast<uint8_t>(pool);
  const size_t size = pool * kStep;
  for (size_t at = (kPage / size) * size; at > 0; at -= size) {
    auto* piece = reinterpret_cast<Piece*>(page + at - size);
    piece->next = free_[pool];
    free_[pool] = piece;
  }
  return true;
}

void* allocate(size_t bytes) {
  if (bytes > kLargest) return std::malloc(bytes);
  const size_t pool = bytes == 0 ? 1 : (bytes + kStep - 1) / kStep;
  if (free_[pool] == nullptr && !fill(pool)) return nullptr;
  Piece* piece = free_[pool];
  free_[pool] = piece->next;
  return piece;
}

// The page reads the limit from this line (web/src/app/failure.ts).
[[noreturn]] void outOfMemory() {
  std::fprintf(stderr, "out of memory: the limit is %zu MiB\n", emscripten_get_heap_max() >> 20U);
  std::abort();
}

}  // namespace

void* operator new(size_t bytes) {
  void* memory = allocate(bytes);
  if (memory == nullptr) outOfMemory();
  return memory;
}
void* operator new[](size_t bytes) { return operator new(bytes); }

void operator delete(void* memory) noexcept {
  const uint8_t pool = poolOf_[reinterpret_cast<uintptr_t>(memory) >> kPageBits];
  if (pool == 0) return std::free(memory);
  auto* piece = static_cast<Piece*>(memory);
  piece->next = free_[pool];
  free_[pool] = piece;
}
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete(void* memory, size_t) noexcept { operator delete(memory); }
void operator delete[](void* memory, size_t) noexcept { operator delete(memory); }
