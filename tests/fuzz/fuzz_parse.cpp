// LIBS: tessera_text
// Any bytes: the parser must return. When it found no mistake, what it prints must read as the same tree again.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/support/check.h"
#include "core/text/syntax.h"
#include "tests/fuzz/text_mutator.h"
#include "tests/text/print_text.h"

using namespace tessera;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  SourceBuffer source("fuzz", std::string(reinterpret_cast<const char*>(data), size));
  Diagnostics diags;
  text::SyntaxTree tree = text::parseText(source, diags);
  for (text::AttrId id : tree.attrs.ids()) tree.resolve(id);
  for (text::TypeId id : tree.types.ids()) tree.resolve(id);
  for (const Diagnostic& diagnostic : diags.all()) renderDiagnostic(diagnostic, source);
  std::string printed = text::printText(tree);
  if (diags.hasErrors()) return 0;

  SourceBuffer again("printed", printed);
  Diagnostics moreDiags;
  text::SyntaxTree second = text::parseText(again, moreDiags);
  TESSERA_CHECK(!moreDiags.hasErrors(), "printed text does not parse");
  TESSERA_CHECK(second.ops.size() == tree.ops.size(), "printed text has another number of ops");
  TESSERA_CHECK(second.uses.size() == tree.uses.size(), "printed text has another number of operands");
  TESSERA_CHECK(text::printText(second) == printed, "printed text prints differently");
  return 0;
}
