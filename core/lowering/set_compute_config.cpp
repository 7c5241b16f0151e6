#include "core/lowering/set_compute_config.h"

#include "core/lowering/rewriter.h"

namespace tessera {

PassResult setComputeConfig(const Graph& graph, const PassContext& context) {
  GraphRewriter rewriter(graph);
  for (FuncId func : graph.funcs.ids()) {
    for (OpId op : graph.funcs[func].ops) {
      OpId made = rewriter.copy(op);
      if (!takesComputeConfig(graph.ops[op].kind)) continue;
      const AttrValue* attr = findAttr(graph.ops[op], "compute_config");
      ComputeConfig own = attr ? parseComputeConfig(attr->text) : ComputeConfig{};
      ComputeConfig filled = filledFrom(own, context.options.compute);
      if (filled == own) continue;
      std::vector<Attribute>& attrs = rewriter.graph().ops[made].attrs;
      std::erase_if(attrs, [](const Attribute& a) { return a.name == "compute_config"; });
      attrs.push_back({"compute_config", rawAttr(computeConfigText(filled, attr ? std::string_view(attr->text) : ""))});
      sortAttrs(attrs);
    }
  }
  return {rewriter.finish()};
}

}  // namespace tessera
