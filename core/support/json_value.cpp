#include "core/support/json_value.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace tessera {

const char* jsonKindName(JsonKind kind) {
  switch (kind) {
    case JsonKind::Null: return "null";
    case JsonKind::Bool: return "a boolean";
    case JsonKind::Integer: return "an integer";
    case JsonKind::Number: return "a number";
    case JsonKind::String: return "a string";
    case JsonKind::Array: return "an array";
    case JsonKind::Object: return "an object";
  }
  return "";
}

namespace {

// Feeds the reader and lets the builder know how far it has read.
struct CountingIterator {
  using difference_type = std::ptrdiff_t;
  using value_type = char;
  using pointer = const char*;
  using reference = const char&;
  using iterator_category = std::input_iterator_tag;
  const char* at = nullptr;
  const char* begin = nullptr;
  uint32_t* offset = nullptr;
  const char& operator*() const { return *at; }
  CountingIterator& operator++() {
    ++at;
    *offset = static_cast<uint32_t>(at - begin);
    return *this;
  }
  // Which of the two is used depends on the standard library.
  [[maybe_unused]] friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at == b.at; }
  [[maybe_unused]] friend bool operator!=(const CountingIterator& a, const CountingIterator& b) { return a.at != b.at; }
};

}  // namespace

// Receives nlohmann's events and appends nodes. Returning false stops the reader.
struct JsonBuilder {
  using Json = nlohmann::json;
  JsonDocument& document;
  const SourceBuffer& source;
  Diagnostics& diags;
  uint32_t offset = 0;
  std::vector<uint32_t> open;  // nodes of the containers we are inside of
  uint32_t pendingKey = 0;

  bool add(JsonDocument::Node node, bool container = false) {
    if (document.nodes_.size() >= JsonDocument::kMaxNodes) {
      diags.report(DiagKind::JsonSyntax, here(), {"the document has too many values"});
      return false;
    }
    node.span = here();
    auto index = static_cast<uint32_t>(document.nodes_.size());
    if (!open.empty()) document.nodes_[open.back()].members.emplace_back(pendingKey, index);
    document.nodes_.push_back(std::move(node));
    if (!container) return true;
    open.push_back(index);
    if (open.size() <= static_cast<size_t>(JsonDocument::kMaxDepth)) return true;
    diags.report(DiagKind::NestingTooDeep, here(), {std::to_string(JsonDocument::kMaxDepth)});
    return false;
  }
  Span here() const {
    uint32_t at = offset > 0 ? offset - 1 : 0;
    return {at, at + 1};
  }
  uint32_t intern(std::string& text) {
    document.strings_.push_back(std::move(text));
    return static_cast<uint32_t>(document.strings_.size() - 1);
  }
  bool close() {
    open.pop_back();
    return true;
  }

  bool null() { return add({.kind = JsonKind::Null}); }
  bool boolean(bool b) { return add({.kind = JsonKind::Bool, .integer = b}); }
  bool number_integer(Json::number_integer_t v) {
    return add({.kind = JsonKind::Integer, .integer = v, .number = static_cast<double>(v)});
  }
  bool number_unsigned(Json::number_unsigned_t v) {
    if (v > static_cast<uint64_t>(INT64_MAX)) return number_float(static_cast<double>(v), {});
    return number_integer(static_cast<int64_t>(v));
  }
  bool number_float(Json::number_float_t v, const std::string&) { return add({.kind = JsonKind::Number, .number = v}); }
  bool string(std::string& text) { return add({.kind = JsonKind::String, .text = intern(text)}); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(size_t) { return add({.kind = JsonKind::Object}, true); }
  bool end_object() { return close(); }
  bool start_array(size_t) { return add({.kind = JsonKind::Array}, true); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    pendingKey = intern(name);
    return true;
  }
  bool parse_error(size_t position, const std::string& lastToken, const nlohmann::detail::exception&) {
    uint32_t at = position > 0 ? static_cast<uint32_t>(position - 1) : 0;
    bool atEnd = at >= source.text().size();
    std::string seen = atEnd ? "the text ends too early" : "unexpected `" + lastToken + "`";
    diags.report(DiagKind::JsonSyntax, {at, at}, {seen});
    return false;
  }
};

JsonDocument JsonDocument::parse(const SourceBuffer& source, Diagnostics& diags) {
  JsonDocument document;
  JsonBuilder builder{document, source, diags};
  const char* begin = source.text().data();
  const char* end = begin + source.text().size();
  CountingIterator first{begin, begin, &builder.offset};
  CountingIterator last{end, begin, &builder.offset};
  if (!nlohmann::json::sax_parse(first, last, &builder)) return {};
  return document;
}

JsonKind JsonValue::kind() const { return present() ? document_->nodes_[node_].kind : JsonKind::Null; }
Span JsonValue::span() const { return present() ? document_->nodes_[node_].span : Span{}; }

std::optional<bool> JsonValue::asBool() const {
  if (!present() || kind() != JsonKind::Bool) return {};
  return document_->nodes_[node_].integer != 0;
}

std::optional<int64_t> JsonValue::asInteger() const {
  if (!present()) return {};
  const auto& node = document_->nodes_[node_];
  if (node.kind == JsonKind::Integer) return node.integer;
  bool whole = node.kind == JsonKind::Number && std::abs(node.number) < 9e15 && node.number == std::floor(node.number);
  if (whole) return static_cast<int64_t>(node.number);
  return {};
}

std::optional<double> JsonValue::asNumber() const {
  if (!present()) return {};
  const auto& node = document_->nodes_[node_];
  if (node.kind != JsonKind::Integer && node.kind != JsonKind::Number) return {};
  return node.number;
}

std::optional<std::string_view> JsonValue::asString() const {
  if (!isString()) return {};
  return document_->strings_[document_->nodes_[node_].text];
}

size_t JsonValue::size() const { return present() ? document_->nodes_[node_].members.size() : 0; }

JsonValue JsonValue::at(size_t index) const {
  if (index >= size()) return {};
  return {document_, document_->nodes_[node_].members[index].second};
}

std::string_view JsonValue::keyAt(size_t index) const {
  if (!isObject() || index >= size()) return {};
  return document_->strings_[document_->nodes_[node_].members[index].first];
}

JsonValue JsonValue::get(std::string_view name) const {
  if (!isObject()) return {};
  for (size_t i = size(); i > 0; --i) {
    if (keyAt(i - 1) == name) return at(i - 1);
  }
  return {};
}

}  // namespace tessera
