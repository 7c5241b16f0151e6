#pragma once
// An IdVec whose copies share their items: a copy costs a counter for each item, and a change copies one item.

#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "core/support/id.h"
#include "core/support/shared.h"

namespace tessera {

// Read with [], changed with edit() alone, so that reading never copies. A reference from edit() must not be written
// through any more once the vector was copied. One that [] gave before an edit() of its item may show the old item.
template <class IdT, class T>
class SharedIdVec {
 public:
  IdT push(T value) {
    items_.push_back(Shared<T>(std::move(value)));
    return last();
  }
  // An item of another vector, shared with it.
  IdT push(const SharedIdVec& from, IdT id) {
    items_.push_back(from.item(id));
    return last();
  }
  // The same, where nobody asks `from` for that item again.
  IdT push(SharedIdVec&& from, IdT id) {
    items_.push_back(std::move(from.items_[from.placeOf(id)]));
    return last();
  }
  const T& operator[](IdT id) const { return *item(id); }
  T& edit(IdT id) { return *items_[placeOf(id)]; }
  // The two share one item: equal without looking at it.
  bool sharesItem(IdT id, const SharedIdVec& other, IdT otherId) const { return item(id).sameAs(other.item(otherId)); }

  // A negative index, as a size_t, is larger than any size.
  bool contains(IdT id) const { return static_cast<size_t>(id.index) < items_.size(); }
  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  void reserve(size_t count) { items_.reserve(count); }

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = const T&;

    Iterator() = default;
    explicit Iterator(const Shared<T>* at) : at_(at) {}
    const T& operator*() const { return **at_; }
    const T* operator->() const { return &**at_; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(at_++); }
    friend bool operator==(Iterator, Iterator) = default;

   private:
    const Shared<T>* at_ = nullptr;
  };
  Iterator begin() const { return Iterator(items_.data()); }
  Iterator end() const { return Iterator(items_.data() + items_.size()); }

  typename IdVec<IdT, T>::IdRange ids() const { return typename IdVec<IdT, T>::IdRange(items_.size()); }

 private:
  // Every access goes through these two: where code is made for size they would be two calls more.
  [[gnu::always_inline]] size_t placeOf(IdT id) const {
    TESSERA_CHECK(contains(id), "id out of range");
    return static_cast<size_t>(id.index);
  }
  [[gnu::always_inline]] const Shared<T>& item(IdT id) const { return items_[placeOf(id)]; }
  IdT last() const { return IdT{static_cast<int32_t>(items_.size() - 1)}; }

  std::vector<Shared<T>> items_;
};

}  // namespace tessera
