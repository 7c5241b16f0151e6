#pragma once
// A value that its copies share until one of them is changed: the copies of a graph differ in few places. For one
// thread, as the whole program.

#include <cstdint>
#include <optional>
#include <utility>

namespace tessera {

// Like std::optional<T>, but a copy costs a counter. What is reached through a Shared that is not const is its own: a
// reference to it must not be written through any more once the Shared was copied.
template <class T>
class Shared {
 public:
  Shared() = default;
  Shared(std::nullopt_t) {}
  Shared(T value) : block_(new Block{1, std::move(value)}) {}
  Shared(const Shared& other) : block_(other.block_) {
    if (block_ != nullptr) ++block_->holders;
  }
  Shared(Shared&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Shared& operator=(const Shared& other) {
    if (block_ != other.block_) *this = Shared(other);
    return *this;
  }
  Shared& operator=(Shared&& other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Shared() {
    if (block_ != nullptr && --block_->holders == 0) drop();
  }

  bool has_value() const { return block_ != nullptr; }
  explicit operator bool() const { return block_ != nullptr; }
  const T& operator*() const { return block_->value; }
  const T* operator->() const { return &block_->value; }
  T& operator*() { return own(); }
  T* operator->() { return &own(); }
  T& emplace(T value = T()) {
    *this = Shared(std::move(value));
    return block_->value;
  }
  // Copies of one another that nobody changed.
  bool sameAs(const Shared& other) const { return block_ == other.block_; }
  friend bool operator==(const Shared& a, const Shared& b) {
    if (a.block_ == b.block_) return true;
    return a.block_ != nullptr && b.block_ != nullptr && a.block_->value == b.block_->value;
  }

 private:
  struct Block {
    int32_t holders;
    T value;
  };
  T& own() {
    if (block_->holders > 1) part();
    return block_->value;
  }
  // Defined once for each type, not where they are called.
  [[gnu::noinline]] void part() {
    Block* own = new Block{1, std::as_const(block_->value)};
    --block_->holders;
    block_ = own;
  }
  [[gnu::noinline]] void drop() { delete block_; }

  Block* block_ = nullptr;
};

}  // namespace tessera
