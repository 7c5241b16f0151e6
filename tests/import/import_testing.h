#pragma once
// Shared by the import tests.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "core/import/export_mlir.h"
#include "core/import/graph_json.h"
#include "core/ir/builder.h"
#include "core/ir/verify.h"
#include "core/ops/table/op_table.h"
#include "tests/files.h"
#include "tests/import_text.h"

namespace tessera {

struct Imported {
  SourceBuffer source;
  Diagnostics diags;
  std::optional<Graph> graph;

  // "UndefinedValue 3:12 ..." one per line, notes indented.
  std::string report() const {
    std::string out;
    for (const Diagnostic& d : diags.all()) {
      LineColumn at = source.lineColumn(d.span.begin);
      out += std::string(diagInfo(d.kind).name) + " " + std::to_string(at.line) + ":" + std::to_string(at.column) +
             " " + d.message + "\n";
      for (const std::string& note : d.notes) out += "  " + note + "\n";
    }
    return out;
  }
  bool has(DiagKind kind) const {
    for (const Diagnostic& d : diags.all()) {
      if (d.kind == kind) return true;
    }
    return false;
  }
};

inline Imported importText(std::string text, const ImportOptions& options = {}) {
  Imported out{SourceBuffer("test.mlir", std::move(text)), {}, {}};
  out.graph = importMlirText(out.source, out.diags, options);
  return out;
}

inline Imported importJson(std::string text) {
  Imported out{SourceBuffer("test.json", std::move(text)), {}, {}};
  out.graph = importGraphJson(out.source, out.diags);
  return out;
}

// A function body with arguments %a, %b: tensor<32x64xbf16>.
inline Imported importBody(const std::string& body) {
  return importText("func.func @f(%a: tensor<32x64xbf16>, %b: tensor<32x64xbf16>) -> tensor<32x64xbf16> {\n" + body +
                    "}\n");
}

// No defects, and the same again through MLIR and through JSON.
inline void expectRoundTrips(const Graph& graph) {
  for (const Defect& defect : verifyGraph(graph)) ADD_FAILURE() << graphRuleName(defect.rule) << ": " << defect.text;
  std::string mlir = exportMlir(graph);
  Imported again = importText(mlir);
  ASSERT_TRUE(again.graph) << again.report() << mlir;
  EXPECT_TRUE(sameGraph(graph, *again.graph)) << mlir << "\nbecame\n" << exportMlir(*again.graph);
  EXPECT_EQ(exportMlir(*again.graph), mlir);
  std::string json = exportGraphJson(graph);
  Imported fromJson = importJson(json);
  ASSERT_TRUE(fromJson.graph) << fromJson.report() << json;
  EXPECT_TRUE(sameGraph(graph, *fromJson.graph)) << json << "\nbecame\n" << exportGraphJson(*fromJson.graph);
  EXPECT_EQ(exportGraphJson(*fromJson.graph), json);
}

using test::corpusFiles;
using test::readFile;
using test::sharedFolder;

}  // namespace tessera
