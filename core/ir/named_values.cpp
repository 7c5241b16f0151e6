#include "core/ir/named_values.h"

namespace tessera {

namespace {

uint64_t hashOf(FuncId func, std::string_view name) { return hashText(static_cast<uint64_t>(func.index), name); }

}  // namespace

ValueId NamedValues::find(FuncId func, std::string_view name) const {
  const int32_t known = index_.find(hashOf(func, name), [&](int32_t at) {
    const Entry& entry = entries_[static_cast<size_t>(at)];
    return entry.func == func && graph_.values[entry.value].name == name;
  });
  return known < 0 ? ValueId() : entries_[static_cast<size_t>(known)].value;
}

void NamedValues::reserve(size_t values) {
  index_.reserve(values);
  entries_.reserve(values);
}

void NamedValues::add(FuncId func, ValueId value) {
  index_.add(hashOf(func, graph_.values[value].name));
  entries_.push_back({func, value});
}

}  // namespace tessera
