#pragma once
// Mistakes found while reading, before they are reported. Lexer and parser find them in different orders, and a
// speculative parse takes some back; at the end they are reported in the order of their places.

#include <string>
#include <vector>

#include "core/support/diagnostics.h"
#include "core/support/source.h"

namespace tessera::text {

class ErrorList {
 public:
  void add(DiagKind kind, Span span, std::initializer_list<std::string_view> arguments = {});
  size_t size() const { return pending_.size(); }
  void truncate(size_t size) {
    if (size < pending_.size()) pending_.resize(size);
  }
  // Reports all of them, in the order of their places.
  void flush(Diagnostics& diags);

 private:
  static constexpr size_t kMaxPending = 10'000;  // more are neither read nor helpful
  static constexpr size_t kMaxArgumentBytes = 256;
  struct Pending {
    DiagKind kind;
    Span span;
    std::vector<std::string> arguments;
  };
  std::vector<Pending> pending_;
};

}  // namespace tessera::text
