#include "core/import/import_mlir.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/import/finish_graph.h"
#include "core/import/function_importer.h"
#include "core/import/tree_reader.h"
#include "core/ir/builder.h"

namespace tessera {

namespace {

bool isModule(std::string_view name) {
  return name == "builtin.module" || name == "module" || name == "ttcore.device_module" ||
         name == "ttcore.cpu_module" || name == "tt.device_module" || name == "tt.cpu_module";
}

bool isFunction(std::string_view name) { return name == "func.func" || name == "func"; }

class ModuleImporter {
 public:
  ModuleImporter(const text::SyntaxTree& tree, Diagnostics& diags, const ImportOptions& options)
      : tree_(tree), diags_(diags), reader_(tree, diags, options.longestConstant), state_{tree_,  reader_, graph_,
                                                                                          diags_, {},      {},
                                                                                          {},     {}} {}

  Graph run() {
    collect();
    dropDeclarations();
    for (const Found& found : functions_) state_.functionNames.emplace(tree_.ops[found.function].symbol);
    for (const Found& found : functions_) importFunction(found);
    if (anyBody_) reportStrays();
    else importStrays();
    reportCounts();
    Span place = tree_.topLevel.empty() ? Span{} : tree_.ops[tree_.topLevel.front()].nameSpan;
    finishGraph(graph_, place, diags_, state_.damaged);
    return std::move(graph_);
  }

 private:
  struct Found {
    text::OpNodeId function;
    text::OpNodeId module;  // that it stands in; invalid at top level
  };

  // Functions and other ops of all modules, in source order.
  void collect() {
    struct Level {
      const std::vector<text::OpNodeId>* ops;
      size_t next;
      text::OpNodeId module;
    };
    std::vector<Level> levels = {{&tree_.topLevel, 0, {}}};
    while (!levels.empty()) {
      Level& level = levels.back();
      if (level.next == level.ops->size()) {
        levels.pop_back();
        continue;
      }
      text::OpNodeId id = (*level.ops)[level.next++];
      text::OpNodeId module = level.module;
      const text::OpNode& node = tree_.ops[id];
      if (isModule(node.name)) {
        parents_.emplace(id.index, module);
        for (uint32_t r = node.regions.count; r > 0; --r) {
          const text::Region& region = tree_.regions[tree_.regionLists[node.regions.first + r - 1]];
          for (size_t b = region.blocks.size(); b > 0; --b)
            levels.push_back({&tree_.blocks[region.blocks[b - 1]].ops, 0, id});
        }
      } else if (isFunction(node.name)) {
        functions_.push_back({id, module});
        anyBody_ = anyBody_ || hasBody(tree_, node);
      } else {
        strays_.push_back({id, module});
      }
    }
    if (functions_.empty() || !functions_.front().module.valid()) return;
    home_ = functions_.front().module;
    readModule(tree_.ops[home_]);
    readEnclosing();
  }

  // The modules around the one with the first function, and what else they hold as text.
  void readEnclosing() {
    text::OpNodeId inner = home_;
    for (auto at = parents_.find(inner.index); at != parents_.end() && at->second.valid();
         at = parents_.find(inner.index)) {
      text::OpNodeId outer = at->second;
      const text::OpNode& node = tree_.ops[outer];
      EnclosingModule module;
      module.op = std::string(node.name == "module" ? std::string_view("builtin.module") : node.name);
      module.name = std::string(node.symbol);
      module.attrs = reader_.attrs({node.properties, node.attrs}, node.name, node.nameSpan);
      takeSymbolName(module.attrs, module.name);
      for (uint32_t r = 0; r < node.regions.count; ++r) {
        for (text::BlockId block : tree_.regions[tree_.regionLists[node.regions.first + r]].blocks) {
          for (text::OpNodeId op : tree_.blocks[block].ops) {
            if (op == inner) continue;
            module.after += reader_.opText(op);
            elsewhere_.insert(op.index);
          }
        }
      }
      graph_.enclosing.insert(graph_.enclosing.begin(), std::move(module));
      inner = outer;
    }
  }

  // Whether a module that is kept as text holds this one.
  bool isElsewhere(text::OpNodeId module) const {
    while (module.valid()) {
      if (elsewhere_.count(module.index) > 0) return true;
      auto at = parents_.find(module.index);
      module = at == parents_.end() ? text::OpNodeId{} : at->second;
    }
    return false;
  }

  // A declaration in one module and the body in another are one function: the body.
  void dropDeclarations() {
    std::unordered_map<std::string_view, text::OpNodeId> bodies;
    for (const Found& found : functions_) {
      if (hasBody(tree_, tree_.ops[found.function])) bodies.emplace(tree_.ops[found.function].symbol, found.module);
    }
    auto superfluous = [&](const Found& found) {
      const text::OpNode& node = tree_.ops[found.function];
      auto body = bodies.find(node.symbol);
      return !hasBody(tree_, node) && !node.symbol.empty() && body != bodies.end() && body->second != found.module;
    };
    for (const Found& found : functions_) {
      if (superfluous(found) && found.module == home_)
        declarations_.emplace(tree_.ops[found.function].symbol, reader_.opText(found.function));
    }
    functions_.erase(std::remove_if(functions_.begin(), functions_.end(), superfluous), functions_.end());
  }

  void readModule(const text::OpNode& node) {
    graph_.name = std::string(node.symbol);
    graph_.attrs = reader_.attrs({node.properties, node.attrs}, node.name, node.nameSpan);
    takeSymbolName(graph_.attrs, graph_.name);
  }

  // The generic form spells names of modules and functions as an attribute.
  static void takeSymbolName(AttrList& attrs, std::string& name) {
    auto at = std::find_if(attrs.begin(), attrs.end(), [](const Attribute& a) { return a.name == "sym_name"; });
    if (at == attrs.end()) return;
    if (name.empty()) name = at->value.string;
    attrs.erase(at);
  }

  void importFunction(const Found& found) {
    const text::OpNode& node = tree_.ops[found.function];
    Function func;
    func.name = std::string(node.symbol);
    func.attrs = reader_.attrs({node.properties, node.attrs}, "func.func", node.nameSpan);
    takeSymbolName(func.attrs, func.name);
    std::string visibility = takeVisibility(func.attrs);
    func.saysPublic = node.visibility == "public" || visibility == "public";
    if (isElsewhere(found.module)) {
      auto declared = declarations_.find(node.symbol);
      func.declaration = declared != declarations_.end() ? declared->second : "// @" + func.name + " stands below\n";
    }
    addResultAttrs(node, func);
    std::erase_if(func.attrs.own(), [](const Attribute& a) {
      const bool saysNothing = a.name == "res_attrs" && a.value.text.find_first_not_of("[]{}, ") == std::string::npos;
      return saysNothing || a.name == "function_type" || a.name == "arg_attrs";
    });
    if (func.name.empty()) func.name = "unnamed_" + std::to_string(graph_.funcs.size());
    auto [known, isNew] = names_.emplace(func.name, found.module);
    if (!isNew) {
      // Every module has names of its own; the first one is read.
      bool sameModule = known->second == found.module;
      diags_.report(sameModule ? DiagKind::DuplicateFunction : DiagKind::StrayOp, node.nameSpan,
                    {sameModule ? func.name : "func.func @" + func.name});
      return;
    }
    FuncId id = graph_.funcs.push(std::move(func));
    FunctionImporter(state_, id).importFunction(node);
    if (visibility == "private") graph_.funcs[id].isPrivate = true;
  }

  static std::string takeVisibility(AttrList& attrs) {
    auto at = std::find_if(attrs.begin(), attrs.end(), [](const Attribute& a) { return a.name == "sym_visibility"; });
    if (at == attrs.end()) return "";
    std::string visibility = at->value.string;
    attrs.erase(at);
    return visibility;
  }

  // Attributes of results become the function attribute `res_attrs`, as in the generic form; the exporter puts them
  // back.
  void addResultAttrs(const text::OpNode& node, Function& func) {
    bool any = false;
    std::string text = "[";
    for (uint32_t i = 0; i < node.resultAttrs.count; ++i) {
      text::AttrId id = tree_.attrLists[node.resultAttrs.first + i];
      any = any || id.valid();
      text += (i > 0 ? ", " : "") + (id.valid() ? reader_.attr(id).text : std::string("{}"));
    }
    if (!any) return;
    auto at = func.attrs.begin();
    while (at != func.attrs.end() && at->name < "res_attrs") ++at;
    func.attrs.insert(at, {"res_attrs", rawAttr(text + "]")});
  }

  void importStrays() {
    if (strays_.empty()) return;
    Function func;
    func.name = "main";
    for (int i = 0; names_.count(func.name) > 0; ++i) func.name = "main_" + std::to_string(i);
    FuncId id = graph_.funcs.push(std::move(func));
    std::vector<text::OpNodeId> ops;
    for (const Found& stray : strays_) ops.push_back(stray.function);
    FunctionImporter(state_, id).importBareOps(ops);
  }

  // `ttcore.device @default_device = <...>` and the like describe the module: kept as attributes of it.
  void reportStrays() {
    NameCounter strays;
    for (const Found& stray : strays_) {
      const text::OpNode& node = tree_.ops[stray.function];
      if (isElsewhere(stray.module) || isVariable(node.name)) continue;
      bool describes =
          (node.name == "ttcore.device" || node.name == "tt.device" || node.name == "sdy.mesh") && node.defs.count == 0;
      if (!describes) {
        strays.add(node.name, node.nameSpan);
        continue;
      }
      std::string text = "@" + std::string(node.symbol) + " " + reader_.expanded(node.tail);
      auto at = graph_.attrs.begin();
      while (at != graph_.attrs.end() && at->name < node.name) ++at;
      if (at == graph_.attrs.end() || at->name != node.name)
        graph_.attrs.insert(at, {std::string(node.name), stringAttr(text)});
      else strays.add(node.name, node.nameSpan);  // one is kept
    }
    strays.report(DiagKind::StrayOp, diags_);
  }

  void reportCounts() {
    state_.unknownOps.report(DiagKind::UnknownOp, diags_);
    state_.unreadRegions.report(DiagKind::UnsupportedRegion, diags_);
  }

  const text::SyntaxTree& tree_;
  Diagnostics& diags_;
  TreeReader reader_;
  Graph graph_;
  ImportState state_;
  std::vector<Found> functions_;
  std::vector<Found> strays_;                                       // other ops
  std::unordered_map<std::string, text::OpNodeId> names_;           // of functions, with their modules
  text::OpNodeId home_;                                             // the module of the first function
  std::unordered_map<int32_t, text::OpNodeId> parents_;             // of modules
  std::unordered_set<int32_t> elsewhere_;                           // ops of enclosing modules that are kept as text
  std::unordered_map<std::string_view, std::string> declarations_;  // in the home module, of bodies elsewhere
  bool anyBody_ = false;
};

}  // namespace

std::optional<Graph> importGraph(const text::SyntaxTree& tree, const SourceBuffer&, Diagnostics& diags,
                                 const ImportOptions& options) {
  Graph graph = ModuleImporter(tree, diags, options).run();
  if (diags.hasErrors()) return {};
  return graph;
}

}  // namespace tessera
