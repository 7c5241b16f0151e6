#include "core/driver/session.h"

#include <algorithm>

#include "core/import/graph_json.h"
#include "core/import/import_mlir.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/text/pass_log.h"
#include "core/text/syntax.h"

namespace tessera {

namespace {

// The last state in a log that can be read, the best kind of it first.
LoadedGraph loadLastState(std::string name, const std::string& text, const ImportOptions& options) {
  constexpr int kMostAttempts = 8;
  const PassLogText log = readPassLog(text);
  int attempts = 0;
  for (int rank = kBestDumpRank; rank >= 0; --rank) {
    for (size_t i = log.dumps.size(); i-- > 0 && attempts < kMostAttempts;) {
      const IrDump& dump = log.dumps[i];
      if (dumpRank(dump) != rank) continue;
      ++attempts;
      LoadedGraph loaded = loadGraph(name, dumpText(text, dump), options);
      if (!loaded.graph) continue;
      loaded.diagnostics.report(DiagKind::LogState, {},
                                {std::to_string(log.dumps.size()), dump.pass, std::to_string(dump.line)});
      return loaded;
    }
  }
  LoadedGraph nothing;
  nothing.source = SourceBuffer(std::move(name), text);
  nothing.diagnostics.report(DiagKind::NoLogState, {}, {std::to_string(log.dumps.size())});
  return nothing;
}

LoadedGraph readGraph(std::string name, std::string text, const ImportOptions& options) {
  LoadedGraph loaded;
  if (text.size() > kMaxSourceBytes) {
    loaded.diagnostics.report(DiagKind::SourceTooLarge, {},
                              {std::to_string(text.size()), std::to_string(kMaxSourceBytes)});
    return loaded;
  }
  if (looksLikePassLog(text)) return loadLastState(std::move(name), text, options);
  loaded.source = SourceBuffer(std::move(name), std::move(text));
  loaded.isJson = looksLikeJson(loaded.source.text());
  if (loaded.isJson) {
    loaded.graph = importGraphJson(loaded.source, loaded.diagnostics);
    return loaded;
  }
  text::SyntaxTree tree = text::parseText(loaded.source, loaded.diagnostics);
  if (!loaded.diagnostics.hasErrors()) loaded.graph = importGraph(tree, loaded.source, loaded.diagnostics, options);
  return loaded;
}

// What the passes made is held to the rules for what is read.
Diagnostics refusedOps(const Graph& graph) {
  Diagnostics errors, out;
  for (const Function& func : graph.funcs) {
    for (OpId op : func.ops) checkShapes(graph, op, errors);
  }
  for (const Diagnostic& one : errors.all()) out.report(DiagKind::RefusedByVerifier, one.span, {one.message});
  return out;
}

}  // namespace

LoadedGraph loadGraph(std::string name, std::string text, const ImportOptions& options) {
  LoadedGraph loaded = readGraph(std::move(name), std::move(text), options);
  if (!loaded.graph) return loaded;
  loaded.forward = describeForward(*loaded.graph);
  loaded.defects = verifyGraph(*loaded.graph);
  return loaded;
}

const LoadedGraph& Session::load(const std::string& name, const std::string& text, const ImportOptions& options) {
  const bool same = loaded_ && loaded_->source.name() == name && loaded_->source.text() == text;
  if (!same) {
    loaded_ = std::make_shared<const LoadedGraph>(loadGraph(name, text, options));
    chosen_ = loaded_;
    lowered_ = nullptr;
  }
  return *loaded_;
}

const std::shared_ptr<const LoadedGraph>& Session::choose(const std::string& function) {
  if (!loaded_->graph) return chosen_;
  FuncId wanted = loaded_->graph->forward;
  const auto named = [&](const ForwardFunction& one) { return one.name == function; };
  if (std::any_of(loaded_->forward.begin(), loaded_->forward.end(), named)) {
    for (FuncId id : loaded_->graph->funcs.ids()) wanted = loaded_->graph->funcs[id].name == function ? id : wanted;
  }
  if (chosen_->graph->forward == wanted) return chosen_;
  lowered_ = nullptr;
  chosen_ = loaded_;
  if (wanted != loaded_->graph->forward) {
    LoadedGraph other = *loaded_;
    other.graph->forward = wanted;
    other.defects = verifyGraph(*other.graph);
    chosen_ = std::make_shared<const LoadedGraph>(std::move(other));
  }
  return chosen_;
}

std::shared_ptr<const LoweredGraph> Session::lower(const LoweringOptions& options, const DeviceSpec& device,
                                                   Bytes budget) {
  const bool same =
      lowered_ && lowered_->options == options && lowered_->device == device && lowered_->budgets.holds(budget.count);
  if (changed_) {  // what is known of plans belongs to that graph
    changed_ = nullptr;
    classes_ = nullptr;
    memory.exact.plans = {};
  }
  if (same) return lowered_;
  const OpModel model(device);
  L1Budget asked(budget);
  LoweringResult result = tessera::lower(*chosen_->graph, {device, model, asked, options}, PassDetail::Notes);
  Diagnostics refused = refusedOps(result.graph);
  lowered_ = std::make_shared<const LoweredGraph>(
      LoweredGraph{options, device, asked.takeRange(), std::move(result), std::move(refused)});
  classes_ = nullptr;
  memory.exact.plans = {};  // they belong to the graph
  return lowered_;
}

std::shared_ptr<const LoweredGraph> Session::withGraph(const LoweredGraph& from, Graph graph) {
  LoweredGraph changed = from;
  changed.result.graph = std::move(graph);
  changed_ = std::make_shared<const LoweredGraph>(std::move(changed));
  classes_ = nullptr;
  memory.exact.plans = {};
  return changed_;
}

OpModel Session::modelOf(const LoweredGraph& lowered, const DeviceSpec& device) {
  memory.prepare(device);
  const bool same = classes_ && &classes_->graph == &lowered.result.graph && memory.answers.knows(*classes_);
  if (!same) classes_ = memory.answers.classify(lowered.result.graph);
  return OpModel(device, memory.answers, classes_);
}

}  // namespace tessera
