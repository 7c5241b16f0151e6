// What every row of the layout workarounds wants, of operands of all element types, in tiles and rows, of several
// ranks and sizes, by the rules of the compiler and of the specification. A line per row.

#include "core/ir/builder.h"
#include "core/lowering/layout_workaround_table.h"
#include "core/ops/table/op_table.h"
#include "tests/lowering/lowering_testing.h"
#include "tests/pinned.h"
#include "tests/short_forms.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

PinnedFile& workaroundRowPins = PinnedFile::named("pinned_workaround_rows");

ValueType inDram(const Shape& shape, DType dtype, PageLayout page) {
  TensorType type{shape, dtype};
  const LayoutRequest request{.dtype = deviceDType(dtype), .page = page};
  if (auto layout = makeLayout(shape, request, n150()); layout.ok()) type.layout = *layout;
  return ValueType{type, {}};
}

// An op on four operands of one shape; the types and page of the first two are drawn, the others are bf16 in tiles.
Wanted wantedOf(const WorkaroundRow& row, const Shape& shape, DType first, DType second, PageLayout page, bool ours) {
  Graph graph;
  GraphBuilder builder(graph);
  const FuncId func = builder.addFunction("f");
  std::vector<ValueId> operands;
  for (const DType dtype : {first, second, first, DType::BF16})
    operands.push_back(builder.addArgument(func, "a" + std::to_string(operands.size()), inDram(shape, dtype, page)));
  OpSpec spec = makeOp(row.op, operands, {inDram(shape, first, page)});
  spec.attrs = {{"dim", intAttr(shape.size() > 1 ? -2 : -1, "si32")}};
  const OpId op = builder.append(func, std::move(spec));
  return row.wanted({graph.ops[op], graph, ours});
}

TEST(PinnedWorkaroundRows, WantWhatTheyWanted) {
  constexpr DType kFirst[] = {DType::F32, DType::BF16, DType::BFP8, DType::U32, DType::I32, DType::U16, DType::U8};
  constexpr DType kSecond[] = {DType::F32, DType::BF16, DType::BFP8, DType::U32, DType::I32, DType::U16};
  const Shape kShapes[] = {{64}, {64, 32}, {31, 65536}, {65536, 33}, {1, 2, 40, 64}};
  int wanting = 0;
  std::map<std::string, int> seen;
  for (const WorkaroundRow& row : layoutWorkaroundRows()) {
    const std::string key = std::string(opInfo(row.op).name) + " " + std::to_string(row.which);
    const int again = seen[key]++;
    if (smallTests() && seen.size() % 4 != 0) continue;
    Fingerprint print;
    int any = 0;
    for (const Shape& shape : kShapes)
      for (const DType first : kFirst)
        for (const DType second : kSecond)
          for (const PageLayout page : {PageLayout::Tile, PageLayout::RowMajor})
            for (const bool ours : {false, true}) {
              const Wanted wanted = wantedOf(row, shape, first, second, page, ours);
              any += wanted.any();
              print.add(wanted.page ? int64_t{static_cast<int>(*wanted.page)} : -1);
              print.add(wanted.dtype ? int64_t{static_cast<int>(*wanted.dtype)} : -1);
              print.add(wanted.buffer ? int64_t{static_cast<int>(*wanted.buffer)} : -1);
            }
    workaroundRowPins.expect(key + (again > 0 ? " again " + std::to_string(again) : ""),
                             std::to_string(any) + " want something, print " + digits(print));
    wanting += any > 0;
  }
  EXPECT_GT(wanting, enough(100));
}

}  // namespace
}  // namespace tessera::test
