#include "core/ir/attr_list.h"

namespace tessera {

AttrList::AttrList(List list) {
  if (!list.empty()) list_.emplace(std::move(list));
}

AttrList::AttrList(const AttrList& other) = default;
AttrList::AttrList(AttrList&& other) noexcept = default;
AttrList& AttrList::operator=(const AttrList& other) = default;
AttrList& AttrList::operator=(AttrList&& other) noexcept = default;
AttrList::~AttrList() = default;

const AttrList::List& AttrList::list() const {
  static const List none;
  return list_ ? *list_ : none;
}

AttrList::List& AttrList::own() { return list_ ? *list_ : list_.emplace(); }

void AttrList::push_back(Attribute attribute) { own().push_back(std::move(attribute)); }

AttrList::iterator AttrList::insert(const_iterator before, Attribute attribute) {
  return own().insert(before, std::move(attribute));
}

AttrList::iterator AttrList::erase(const_iterator at) { return own().erase(at); }

AttrList::iterator AttrList::erase(const_iterator first, const_iterator last) { return own().erase(first, last); }

void AttrList::clear() { list_ = {}; }

bool operator==(const AttrList& a, const AttrList& b) { return a.list_.sameAs(b.list_) || a.list() == b.list(); }

}  // namespace tessera
