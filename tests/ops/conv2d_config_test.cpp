// Fields of a convolution's settings: read, replaced where they are, added where the compiler prints them.

#include "core/ops/table/conv2d_config.h"

#include <gtest/gtest.h>

namespace tessera::test {
namespace {

TEST(Conv2dConfig, AFieldThatIsThereGetsTheNewValue) {
  const std::string text = "#ttnn.conv2d_config<weights_dtype = bf16, shard_layout = height_sharded>";
  EXPECT_EQ(withConv2dConfigField(text, "weights_dtype", "f32"),
            "#ttnn.conv2d_config<weights_dtype = f32, shard_layout = height_sharded>");
  EXPECT_EQ(withConv2dConfigField(text, "shard_layout", "block_sharded"),
            "#ttnn.conv2d_config<weights_dtype = bf16, shard_layout = block_sharded>");
}

// In any order of setting, the same text.
TEST(Conv2dConfig, NewFieldsStandInTheirPlaces) {
  const std::pair<const char*, const char*> fields[] = {{"weights_dtype", "bf16"},
                                                        {"activation", "<op_type = relu>"},
                                                        {"act_block_h_override", "64"},
                                                        {"shard_layout", "height_sharded"}};
  std::string forwards, backwards;
  for (size_t i = 0; i < 4; ++i) {
    forwards = withConv2dConfigField(forwards, fields[i].first, fields[i].second);
    backwards = withConv2dConfigField(backwards, fields[3 - i].first, fields[3 - i].second);
  }
  EXPECT_EQ(forwards, backwards);
  for (const auto& [name, value] : fields) EXPECT_EQ(conv2dConfigField(forwards, name), value);
  EXPECT_EQ(conv2dConfigField(forwards, "output_layout"), "");
  EXPECT_LT(forwards.find("weights_dtype"), forwards.find("activation"));
  EXPECT_LT(forwards.find("activation"), forwards.find("act_block_h_override"));
  EXPECT_LT(forwards.find("act_block_h_override"), forwards.find("shard_layout"));
}

}  // namespace
}  // namespace tessera::test
