#pragma once
// Streaming JSON writer: appends to one string, puts the commas, escapes, never fails.
//   JsonWriter w; w.beginObject(); w.field("ops", 3); w.key("list"); w.beginArray(); w.value("a"); w.endArray();
//   w.endObject();
// Numbers are integers, or fixed-point with a stated number of decimals, so native and wasm print the same bytes.

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace tessera {

class JsonWriter {
 public:
  void beginObject() { open('{'); }
  void endObject() { close('}'); }
  void beginArray() { open('['); }
  void endArray() { close(']'); }
  void key(std::string_view name);
  void key(const char* name);  // most names are literals, and a call with nothing but an address is short
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void null();
  // Integers beyond +-2^53 are written as strings: a JavaScript number cannot hold them.
  void integer(int64_t number);
  // number / 10^decimals, e.g. fixed(1234, 2) writes 12.34.
  void fixed(int64_t number, int decimals);
  void boolean(bool b);
  // JSON text produced by another writer, inserted as it is.
  void raw(std::string_view json);

  template <class T>
  void value(T v) requires std::is_integral_v<T> {
    if constexpr (std::is_same_v<T, bool>) boolean(v);
    else integer(static_cast<int64_t>(v));
  }
  template <class T>
  void field(std::string_view name, T v) {
    key(name);
    value(v);
  }
  template <class T>
  void field(const char* name, T v) {
    key(name);
    value(v);
  }

  // About as much will be written: a text of megabytes that doubles as it grows leaves as much memory behind again.
  void reserve(size_t bytes) { out_.reserve(bytes); }
  // Until more is written.
  std::string_view text() const { return {out_.data(), size_}; }
  std::string take();

 private:
  void open(char bracket);
  void close(char bracket);
  void comma();
  // `after` stands behind the text in quotes; 0: nothing does.
  void quote(std::string_view text, char after);
  void put(std::string_view json);
  // The end of what is written, with room for so many bytes.
  char* room(size_t bytes) {
    if (out_.size() - size_ < bytes) grow(bytes);
    return out_.data() + size_;
  }
  void grow(size_t bytes);
  void endAt(const char* end) { size_ = static_cast<size_t>(end - out_.data()); }

  // Most of a report is short names and numbers, each written by a loop over its bytes, without a call of append().
  std::string out_;
  size_t size_ = 0;  // of `out_`, what is written
  bool needComma_ = false;
};

}  // namespace tessera
