#include "core/plan/config_json.h"

#include "core/support/enum_table.h"

namespace tessera {

namespace {

constexpr EnumRow<MatmulProgram> kMatmulPrograms[] = {
    {MatmulProgram::MultiCast2d, "multi_cast_2d", ""},        {MatmulProgram::MultiCast1dIn0, "multi_cast_1d_in0", ""},
    {MatmulProgram::MultiCast1dIn1, "multi_cast_1d_in1", ""}, {MatmulProgram::Reuse, "reuse", ""},
    {MatmulProgram::DramSharded, "dram_sharded", ""},
};

// In the compiler's names (tt-mlir TTNNOpsAttrs.td).
struct SizeField {
  std::string_view name;
  int64_t MatmulAttrs::*field;
};
constexpr SizeField kMatmulSizes[] = {
    {"per_core_m", &MatmulAttrs::perCoreM},         {"per_core_n", &MatmulAttrs::perCoreN},
    {"in0_block_w", &MatmulAttrs::in0BlockW},       {"out_subblock_h", &MatmulAttrs::outSubblockH},
    {"out_subblock_w", &MatmulAttrs::outSubblockW}, {"out_block_h", &MatmulAttrs::outBlockH},
    {"out_block_w", &MatmulAttrs::outBlockW},
};

struct FlagField {
  std::string_view name;
  std::optional<bool> Conv2dAttrs::*field;
};
constexpr FlagField kConvFlags[] = {
    {"deallocate_activation", &Conv2dAttrs::deallocateActivation},
    {"reshard_if_not_optimal", &Conv2dAttrs::reshardIfNotOptimal},
};
constexpr std::string_view kActBlockH = "act_block_h_override";
// No tensor of a device has more tiles in a direction.
constexpr int64_t kMostTiles = int64_t{1} << 30;

std::string programNames() {
  std::string names = "one of ";
  for (const auto& row : kMatmulPrograms) names += (names.size() > 7 ? ", " : "") + std::string(row.id);
  return names;
}

bool isSize(const std::optional<int64_t>& size) { return size && *size >= 0 && *size <= kMostTiles; }

ConfigMistake readConv2d(JsonValue object, Conv2dAttrs& attrs) {
  for (size_t i = 0; i < object.size(); ++i) {
    const std::string_view name = object.keyAt(i);
    const JsonValue value = object.at(i);
    const std::string path = "conv2d." + std::string(name);
    if (name == kActBlockH) {
      attrs.actBlockHOverride = value.asInteger();
      if (!isSize(attrs.actBlockHOverride)) return {path, jsonKindName(value.kind()), "a number of rows"};
      continue;
    }
    const FlagField* known = nullptr;
    for (const FlagField& flag : kConvFlags) {
      if (flag.name == name) known = &flag;
    }
    if (!known) return {path, "not known", "a setting of conv2d"};
    attrs.*known->field = value.asBool();
    if (!(attrs.*known->field)) return {path, jsonKindName(value.kind()), "true or false"};
  }
  return {};
}

ConfigMistake readMatmul(JsonValue object, MatmulAttrs& attrs) {
  for (size_t i = 0; i < object.size(); ++i) {
    const std::string_view name = object.keyAt(i);
    const JsonValue value = object.at(i);
    const std::string path = "matmul." + std::string(name);
    if (name == "program") {
      const auto program = parseEnum(kMatmulPrograms, value.asString().value_or(""));
      if (!program) return {path, "something else", programNames()};
      attrs.program = *program;
      continue;
    }
    const SizeField* known = nullptr;
    for (const SizeField& size : kMatmulSizes) {
      if (size.name == name) known = &size;
    }
    if (!known) return {path, "not known", "a setting of matmul"};
    const auto size = value.asInteger();
    if (!isSize(size)) return {path, jsonKindName(value.kind()), "a number of tiles"};
    attrs.*known->field = *size;
  }
  return {};
}

}  // namespace

void writeConfigAttrs(JsonWriter& w, const OpConfig& config) {
  if (const auto* conv = std::get_if<Conv2dAttrs>(&config.attrs)) {
    w.key("conv2d");
    w.beginObject();
    if (conv->actBlockHOverride) w.field(kActBlockH, *conv->actBlockHOverride);
    for (const FlagField& flag : kConvFlags) {
      if (conv->*flag.field) w.field(flag.name, *(conv->*flag.field));
    }
    w.endObject();
  }
  if (const auto* matmul = std::get_if<MatmulAttrs>(&config.attrs)) {
    w.key("matmul");
    w.beginObject();
    w.field("program", enumId(kMatmulPrograms, matmul->program));
    for (const SizeField& size : kMatmulSizes) w.field(size.name, matmul->*size.field);
    w.endObject();
  }
}

ConfigMistake readConfigAttrs(JsonValue object, OpConfig& config) {
  const JsonValue conv = object.get("conv2d"), matmul = object.get("matmul");
  if (conv.present() && matmul.present()) return {"matmul", "given beside conv2d", "one of them"};
  if (conv.present()) {
    if (!conv.isObject()) return {"conv2d", jsonKindName(conv.kind()), "an object"};
    Conv2dAttrs attrs;
    ConfigMistake mistake = readConv2d(conv, attrs);
    if (mistake.field.empty()) config.attrs = attrs;
    return mistake;
  }
  if (matmul.present()) {
    if (!matmul.isObject()) return {"matmul", jsonKindName(matmul.kind()), "an object"};
    MatmulAttrs attrs;
    ConfigMistake mistake = readMatmul(matmul, attrs);
    if (mistake.field.empty()) config.attrs = attrs;
    return mistake;
  }
  return {};
}

}  // namespace tessera
