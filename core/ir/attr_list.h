#pragma once
// The attributes of an op, an argument, a function or a module.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "core/support/shared.h"

namespace tessera {

enum class AttrValueKind { Unit, Bool, Integer, Float, String, IntArray, Other };

// An attribute of an op. `text` is its MLIR spelling, always filled, so that what we do not understand is printed back
// as it was (constants above kMaxInlineConstant bytes become `dense_resource<__elided__>`; `bytes` keeps their size).
struct AttrValue {
  static constexpr size_t kMaxInlineConstant = 256;
  AttrValueKind kind = AttrValueKind::Unit;
  std::string text;
  int64_t integer = 0;        // Bool and Integer
  double number = 0;          // Float
  std::string string;         // String, without quotes; also `@symbol` and enum-like `#d.a<value>` give the bare word
  std::vector<int64_t> ints;  // IntArray: array<i64: ...> and [1 : i32, ...]
  int64_t bytes = 0;          // of an elided constant
  friend bool operator==(const AttrValue&, const AttrValue&) = default;
};

struct Attribute {
  std::string name;
  AttrValue value;
  friend bool operator==(const Attribute&, const Attribute&) = default;
};

// A list of attributes as std::vector has it; its copies share the list until one of them is changed.
class AttrList {
  using List = std::vector<Attribute>;

 public:
  using value_type = Attribute;
  using iterator = List::iterator;
  using const_iterator = List::const_iterator;

  AttrList() = default;
  AttrList(List list);
  AttrList(std::initializer_list<Attribute> list) : AttrList(List(list)) {}
  // As copies and moves of any value; defined once, since graphs copy many.
  AttrList(const AttrList& other);
  AttrList(AttrList&& other) noexcept;
  AttrList& operator=(const AttrList& other);
  AttrList& operator=(AttrList&& other) noexcept;
  ~AttrList();

  const List& list() const;
  // The list alone, to be changed.
  List& own();

  bool empty() const { return list().empty(); }
  size_t size() const { return list().size(); }
  const_iterator begin() const { return list().begin(); }
  const_iterator end() const { return list().end(); }
  iterator begin() { return own().begin(); }
  iterator end() { return own().end(); }
  const Attribute& operator[](size_t index) const { return list()[index]; }
  Attribute& operator[](size_t index) { return own()[index]; }
  const Attribute& back() const { return list().back(); }
  Attribute& back() { return own().back(); }

  void push_back(Attribute attribute);
  iterator insert(const_iterator before, Attribute attribute);
  template <class Iterator>
  iterator insert(const_iterator before, Iterator first, Iterator last) {
    return own().insert(before, first, last);
  }
  iterator insert(const_iterator before, std::initializer_list<Attribute> list) { return own().insert(before, list); }
  iterator erase(const_iterator at);
  iterator erase(const_iterator first, const_iterator last);
  void clear();

  friend bool operator==(const AttrList& a, const AttrList& b);

 private:
  Shared<List> list_;  // none: empty
};

}  // namespace tessera
