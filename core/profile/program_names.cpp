#include "core/profile/program_names.h"

#include <string>

#include "core/profile/profile_text.h"

namespace tessera {

namespace {

struct ProfiledName {
  std::string_view part;  // of the program's name in small letters; the first line that fits counts
  OpKind kind;
};
constexpr ProfiledName kNames[] = {
    {"allgather", OpKind::TtnnAllGather},
    {"all_gather", OpKind::TtnnAllGather},
    {"allreduce", OpKind::TtnnAllReduce},
    {"reducescatter", OpKind::TtnnReduceScatter},
    {"reduce_scatter", OpKind::TtnnReduceScatter},
    {"alltoall", OpKind::TtnnAllToAll},
    {"pointtopoint", OpKind::TtnnPointToPoint},
    {"matmul", OpKind::TtnnMatmul},
    {"conv3d", OpKind::TtnnConv3d},
    {"reshape", OpKind::TtnnReshape},
    {"transpose", OpKind::TtnnTranspose},
    {"permute", OpKind::TtnnPermute},
    {"interleavedtosharded", OpKind::TtnnToMemoryConfig},
    {"shardedtointerleaved", OpKind::TtnnToMemoryConfig},
    {"tilize", OpKind::TtnnToLayout},  // also untilize
    {"reshard", OpKind::TtnnToMemoryConfig},
    {"move", OpKind::TtnnMove},
    {"copy", OpKind::TtnnToMemoryConfig},
    {"clone", OpKind::TtnnToMemoryConfig},
    {"slicewrite", OpKind::TtnnSliceStatic},
    {"slice", OpKind::TtnnSliceStatic},
    {"split", OpKind::TtnnSliceStatic},
    {"concatheadsdecode", OpKind::TtnnNlpConcatHeadsDecode},
    {"concatheads", OpKind::TtnnConcatenateHeads},
    {"concatenateheads", OpKind::TtnnConcatenateHeads},
    {"createqkvheadsdecode", OpKind::TtnnNlpCreateQkvHeadsDecode},
    {"create", OpKind::TtnnSplitQueryKeyValueAndSplitHeads},
    {"concat", OpKind::TtnnConcat},
    {"typecast", OpKind::TtnnTypecast},
    {"upsample", OpKind::TtnnUpsample},
    {"gridsample", OpKind::TtnnGridSample},
    {"groupnorm", OpKind::TtnnGroupNorm},
    {"batchnorm", OpKind::TtnnBatchNorm},
    {"rmsnorm", OpKind::TtnnRmsNorm},
    {"layernorm", OpKind::TtnnLayerNorm},
    {"softmax", OpKind::TtnnSoftmax},
    {"accumulation", OpKind::TtnnCumsum},
    {"cumsum", OpKind::TtnnCumsum},
    {"sdpadecode", OpKind::TtnnScaledDotProductAttentionDecode},
    {"scaleddotproductattentiondecode", OpKind::TtnnScaledDotProductAttentionDecode},
    {"sdpa", OpKind::TtnnScaledDotProductAttention},
    {"scaleddotproductattention", OpKind::TtnnScaledDotProductAttention},
    {"prod", OpKind::TtnnProd},
    {"reduce", OpKind::TtnnSum},
    {"argmax", OpKind::TtnnArgmax},
    {"topk", OpKind::TtnnTopk},
    {"sort", OpKind::TtnnSort},
    {"rotaryembeddingllama", OpKind::TtnnRotaryEmbeddingLlama},
    {"rotary", OpKind::TtnnRotaryEmbedding},
    {"embedding", OpKind::TtnnEmbedding},
    {"fillcache", OpKind::TtnnFillCache},
    {"kvcache", OpKind::TtnnFillCache},
    {"pagedupdatecache", OpKind::TtnnPagedUpdateCache},
    {"updatecache", OpKind::TtnnUpdateCache},
    {"pad", OpKind::TtnnPad},
    {"repeat", OpKind::TtnnRepeat},
    {"expand", OpKind::TtnnRepeat},
    {"scatter", OpKind::TtnnScatter},
    {"gather", OpKind::TtnnGather},
    {"where", OpKind::TtnnWhere},
    {"ternary", OpKind::TtnnWhere},
    {"bcast", OpKind::TtnnAdd},
    {"fill", OpKind::TtnnFull},
    {"full", OpKind::TtnnFull},
    {"arange", OpKind::TtnnArange},
};

struct Alias {
  std::string_view theirs, ours;
};
constexpr Alias kAliases[] = {
    {"mul", "multiply"}, {"sub", "subtract"},           {"rsub", "subtract"},          {"recip", "reciprocal"},
    {"power", "pow"},    {"where_tss", "where_scalar"}, {"where_tst", "where_scalar"}, {"where_tts", "where_scalar"}};

// The word behind `key`: "BinaryOpType::ADD;" -> "add".
std::string wordAfter(std::string_view text, std::string_view key) {
  std::string word;
  for (char c : textAfter(text, key)) {
    if (c >= 'A' && c <= 'Z') word += static_cast<char>(c - 'A' + 'a');
    else if (c == '_' || (c >= '0' && c <= '9')) word += c;
    else break;
  }
  return word;
}

OpKind functionKind(std::string_view attributes, std::string_view key, OpKind otherwise) {
  std::string word = wordAfter(attributes, key);
  for (const Alias& alias : kAliases) {
    if (word == alias.theirs) word = alias.ours;
  }
  OpKind kind = opKindFromName("ttnn." + word);
  return kind == OpKind::Opaque ? otherwise : kind;
}

}  // namespace

OpKind profiledKind(std::string_view name, std::string_view attributes) {
  std::string known = lowerCase(name);
  if (known.rfind("binary", 0) == 0) return functionKind(attributes, "BinaryOpType::", OpKind::TtnnMaximum);
  if (known.rfind("unary", 0) == 0) return functionKind(attributes, "UnaryOpType::", OpKind::TtnnSign);
  for (const ProfiledName& line : kNames) {
    if (contains(known, line.part)) return line.kind;
  }
  return OpKind::Opaque;
}

}  // namespace tessera
