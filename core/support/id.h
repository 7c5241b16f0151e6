#pragma once
// Typed indices: an OpId never converts to a ValueId, and only an OpId may index an IdVec<OpId, T>.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/support/check.h"

namespace tessera {

template <class Tag>
struct Id {
  int32_t index = -1;  // -1 is "none"

  constexpr bool valid() const { return index >= 0; }
  friend constexpr bool operator==(Id, Id) = default;
  friend constexpr auto operator<=>(Id, Id) = default;
};

// A vector that only one id type may index. Every access is checked: an index out of range is a bug of ours.
template <class IdT, class T>
class IdVec {
 public:
  IdVec() = default;
  explicit IdVec(size_t count, const T& value = T()) : items_(count, value) {}

  IdT push(const T& value) {
    items_.push_back(value);
    return last();
  }
  IdT push(T&& value) {
    items_.push_back(std::move(value));
    return last();
  }
  decltype(auto) operator[](IdT id) {
    TESSERA_CHECK(contains(id), "id out of range");
    return items_[static_cast<size_t>(id.index)];
  }
  decltype(auto) operator[](IdT id) const {
    TESSERA_CHECK(contains(id), "id out of range");
    return items_[static_cast<size_t>(id.index)];
  }
  bool contains(IdT id) const { return id.index >= 0 && static_cast<size_t>(id.index) < items_.size(); }
  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  void reserve(size_t count) { items_.reserve(count); }
  void resize(size_t count, const T& value = T()) { items_.resize(count, value); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  friend bool operator==(const IdVec&, const IdVec&) = default;

  // Iterates over the ids, for loops that need both the id and the item.
  class IdRange {
   public:
    struct Iterator {
      int32_t at;
      IdT operator*() const { return IdT{at}; }
      Iterator& operator++() {
        ++at;
        return *this;
      }
      bool operator!=(const Iterator& other) const { return at != other.at; }
    };
    explicit IdRange(size_t count) : count_(static_cast<int32_t>(count)) {}
    Iterator begin() const { return {0}; }
    Iterator end() const { return {count_}; }

   private:
    int32_t count_;
  };
  IdRange ids() const { return IdRange(items_.size()); }

 private:
  IdT last() const { return IdT{static_cast<int32_t>(items_.size() - 1)}; }

  std::vector<T> items_;
};

}  // namespace tessera
