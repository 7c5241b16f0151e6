#pragma once
// Result<T, E>: a value, or the reason why there is none. For answers whose failure is data (a verdict);
// user mistakes go to a Diagnostics sink instead, see diagnostics.h.

#include <utility>
#include <variant>

#include "core/support/check.h"

namespace tessera {

template <class T, class E>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(E error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return const_cast<Result*>(this)->value(); }
  // By value: a reference into a temporary would dangle in `for (x : *f())`.
  T operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &const_cast<Result*>(this)->value(); }
  const E& error() const {
    TESSERA_CHECK(!ok(), "error() of a Result that holds a value");
    return *std::get_if<1>(&state_);
  }

 private:
  T& value() {
    TESSERA_CHECK(ok(), "value of a Result that holds an error");
    return *std::get_if<0>(&state_);
  }
  std::variant<T, E> state_;
};

}  // namespace tessera
