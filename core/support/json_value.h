#pragma once
// A parsed JSON document as a flat, read-only tree. nlohmann/json does the reading; this is the only place that
// includes it. Every node knows where it ended in the text, so a schema mistake can be reported with line and column.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/diagnostics.h"
#include "core/support/source.h"

namespace tessera {

enum class JsonKind { Null, Bool, Integer, Number, String, Array, Object };

const char* jsonKindName(JsonKind kind);  // "a string", "an array", ...

class JsonDocument;

// A view of one node; cheap to copy, valid as long as its document. A default-constructed value is "absent".
class JsonValue {
 public:
  JsonValue() = default;
  bool present() const { return document_ != nullptr; }
  JsonKind kind() const;
  Span span() const;
  bool isString() const { return present() && kind() == JsonKind::String; }
  bool isArray() const { return present() && kind() == JsonKind::Array; }
  bool isObject() const { return present() && kind() == JsonKind::Object; }

  // Each returns nothing when the node is absent or of another kind. asInteger also takes 3.0.
  std::optional<bool> asBool() const;
  std::optional<int64_t> asInteger() const;
  std::optional<double> asNumber() const;
  std::optional<std::string_view> asString() const;

  size_t size() const;                         // elements of an array, members of an object, else 0
  JsonValue at(size_t index) const;            // element of an array, or value of the index-th member
  std::string_view keyAt(size_t index) const;  // name of the index-th member
  JsonValue get(std::string_view name) const;  // member by name (the last one wins); absent when there is none

 private:
  friend class JsonDocument;
  JsonValue(const JsonDocument* document, uint32_t node) : document_(document), node_(node) {}
  const JsonDocument* document_ = nullptr;
  uint32_t node_ = 0;
};

class JsonDocument {
 public:
  static constexpr int kMaxDepth = 64;
  static constexpr size_t kMaxNodes = 4'000'000;

  // Reads `source`; on a mistake reports JsonSyntax (or NestingTooDeep) and returns a document whose root is absent.
  static JsonDocument parse(const SourceBuffer& source, Diagnostics& diags);

  JsonValue root() const { return nodes_.empty() ? JsonValue() : JsonValue(this, 0); }

 private:
  friend class JsonValue;
  friend struct JsonBuilder;
  struct Node {
    JsonKind kind = JsonKind::Null;
    Span span;
    int64_t integer = 0;  // also the bool
    double number = 0;
    uint32_t text = 0;                                   // index into strings_, for strings
    std::vector<std::pair<uint32_t, uint32_t>> members;  // (index of the key in strings_, node); key unused in arrays
  };
  std::vector<Node> nodes_;
  std::vector<std::string> strings_;
};

}  // namespace tessera
