#pragma once
// Random graphs as MLIR text: 5 to 60 ops, with forks, several results returned and shapes that are not always whole
// tiles. The same seed gives the same text everywhere.

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::test {

// SplitMix64 (Steele, Lea, Flood, 2014).
class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  // 0 .. count-1
  int64_t below(int64_t count) { return static_cast<int64_t>(next() % static_cast<uint64_t>(count)); }
  bool oneIn(int64_t count) { return below(count) == 0; }

 private:
  uint64_t state_;
};

struct RandomGraphOptions {
  std::string prefix = "v";  // of value names: another one must change nothing but names
  int copies = 1;            // of the whole body one after the other, each with arguments of its own
  bool images = false;       // convolutions too, with their halos and activations to free
};

class RandomGraphWriter {
 public:
  RandomGraphWriter(uint64_t seed, const RandomGraphOptions& options) : seed_(seed), options_(options) {}

  std::string write() {
    for (int copy = 0; copy < options_.copies; ++copy) writeCopy(copy);
    std::string names, types;
    for (const Tensor& t : returned_) {
      names += (names.empty() ? "" : ", ") + t.name;
      types += (types.empty() ? "" : ", ") + typeText(t);
    }
    std::string arguments;
    for (const Tensor& t : arguments_) arguments += (arguments.empty() ? "" : ", ") + t.name + ": " + typeText(t);
    return "func.func @main(" + arguments + ") -> (" + types + ") {\n" + body_ + "  return " + names + " : " + types +
           "\n}\n";
  }

 private:
  struct Tensor {
    std::string name;
    std::vector<int64_t> shape;
    int uses = 0;
    bool isArgument = false;
  };

  static std::string dimsText(const std::vector<int64_t>& dims, const char* between, const char* after) {
    std::string text;
    for (int64_t dim : dims) text += (text.empty() ? "" : between) + std::to_string(dim) + after;
    return text;
  }
  static std::string typeText(const Tensor& t) { return "tensor<" + dimsText(t.shape, "", "x") + "bf16>"; }

  void writeCopy(int copy) {
    SplitMix64 random(seed_);  // every copy draws the same numbers
    random_ = &random;
    live_.clear();
    copy_ = copy;
    counter_ = 0;
    int64_t arguments = 1 + random.below(4);
    for (int64_t i = 0; i < arguments; ++i) addArgument(randomShape());
    int64_t ops = 5 + random.below(56);
    for (int64_t i = 0; i < ops; ++i) addOp();
    for (const Tensor& t : live_) {
      if (!t.isArgument && (t.uses == 0 || random.oneIn(12))) returned_.push_back(t);
    }
  }

  std::vector<int64_t> randomShape() {
    static constexpr int64_t kDims[] = {1, 7, 32, 33, 64, 96, 128, 200, 256, 512, 1024, 2048};
    auto dim = [&] { return kDims[random_->below(12)]; };
    std::vector<int64_t> shape = {dim(), dim()};
    if (random_->oneIn(4)) shape.insert(shape.begin(), 1 + random_->below(8));
    if (random_->oneIn(8)) shape.insert(shape.begin(), 1 + random_->below(2));
    return shape;
  }

  std::string freshName() { return "%" + options_.prefix + std::to_string(copy_) + "_" + std::to_string(counter_++); }

  size_t addArgument(std::vector<int64_t> shape) {
    live_.push_back({freshName(), std::move(shape), 0, true});
    arguments_.push_back(live_.back());
    return live_.size() - 1;
  }

  // Recent values are likelier, older ones make forks and long lifetimes.
  size_t pick() {
    auto count = static_cast<int64_t>(live_.size());
    int64_t back = random_->oneIn(3) ? random_->below(count) : random_->below(count < 4 ? count : 4);
    return static_cast<size_t>(count - 1 - back);
  }

  void emit(const std::string& op, const std::vector<size_t>& operands, const std::string& properties,
            std::vector<int64_t> shape) {
    Tensor result{freshName(), std::move(shape), 0, false};
    std::string names, types;
    for (size_t i : operands) {
      ++live_[i].uses;
      names += (names.empty() ? "" : ", ") + live_[i].name;
      types += (types.empty() ? "" : ", ") + typeText(live_[i]);
    }
    body_ += "  " + result.name + " = \"" + op + "\"(" + names + ")" +
             (properties.empty() ? "" : " <{" + properties + "}>") + " : (" + types + ") -> " + typeText(result) + "\n";
    live_.push_back(std::move(result));
  }

  void addOp() {
    if (options_.images && random_->oneIn(4)) return addConvolution();
    size_t a = pick();
    switch (random_->below(9)) {
      case 0:
      case 1: return addUnary(a);
      case 2:
      case 3: return addBinary(a);
      case 4: return addMatmul(a);
      case 5: return addReduce(a);
      case 6: return random_->oneIn(2) ? addReshape(a) : addPermute(a);
      case 7: return emit("ttir.softmax", {a}, "dimension = -1 : si32", live_[a].shape);
      default: return addConcat(a);
    }
  }

  void addUnary(size_t a) {
    static const char* const kOps[] = {"ttir.relu", "ttir.exp", "ttir.gelu", "ttir.sqrt"};
    emit(kOps[random_->below(4)], {a}, "", live_[a].shape);
  }

  // With a value of the same shape if there is one, else with a row that is broadcast.
  void addBinary(size_t a) {
    static const char* const kOps[] = {"ttir.add", "ttir.multiply", "ttir.subtract"};
    std::vector<size_t> alike;
    for (size_t i = 0; i < live_.size(); ++i) {
      if (live_[i].shape == live_[a].shape) alike.push_back(i);
    }
    size_t b = alike[static_cast<size_t>(random_->below(static_cast<int64_t>(alike.size())))];
    if (random_->oneIn(4)) b = addArgument({1, live_[a].shape.back()});
    emit(kOps[random_->below(3)], {a, b}, "", live_[a].shape);
  }

  void addMatmul(size_t a) {
    static constexpr int64_t kWidths[] = {32, 64, 100, 256, 768};
    int64_t n = kWidths[random_->below(5)];
    std::vector<int64_t> shape = live_[a].shape;
    size_t b = addArgument({shape.back(), n});
    if (random_->oneIn(3)) {  // a second operand that was computed
      emit("ttir.relu", {b}, "", live_[b].shape);
      b = live_.size() - 1;
    }
    shape.back() = n;
    emit("ttir.matmul", {a, b}, "transpose_a = false, transpose_b = false", shape);
  }

  // On the last image of at least 3x3, or a new one.
  void addConvolution() {
    static constexpr int64_t kChannels[] = {16, 32, 64, 128, 256};
    static constexpr int64_t kSides[] = {7, 14, 28, 56};
    size_t a = live_.size();
    while (a > 0 && !(live_[a - 1].shape.size() == 4 && live_[a - 1].shape[1] >= 3 && live_[a - 1].shape[2] >= 3)) --a;
    if (a == 0) {
      int64_t side = kSides[random_->below(4)];
      a = addArgument({1, side, side, kChannels[random_->below(5)]}) + 1;
    }
    std::vector<int64_t> shape = live_[a - 1].shape;
    int64_t out = kChannels[random_->below(5)], side = random_->oneIn(2) ? 3 : 1;
    size_t weight = addArgument({out, shape[3], side, side});
    std::string pad = std::to_string(side / 2);
    shape[3] = out;
    emit("ttir.conv2d", {a - 1, weight},
         "batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : "
         "i64, padding = array<i32: " +
             pad + ", " + pad + ", " + pad + ", " + pad + ">, stride = array<i32: 1, 1>, width_dim = 2 : i64",
         shape);
  }

  void addReduce(size_t a) {
    std::vector<int64_t> shape = live_[a].shape;
    auto dim = static_cast<size_t>(random_->below(static_cast<int64_t>(shape.size())));
    shape[dim] = 1;
    emit(random_->oneIn(2) ? "ttir.sum" : "ttir.max", {a},
         "dim_arg = [" + std::to_string(dim) + " : i32], keep_dim = true", shape);
  }

  // Two neighbouring dims become one, or a 1 is put in front.
  void addReshape(size_t a) {
    std::vector<int64_t> shape = live_[a].shape;
    if (shape.size() > 2) {
      shape[1] *= shape[0];
      shape.erase(shape.begin());
    } else {
      shape.insert(shape.begin(), 1);
    }
    emit("ttir.reshape", {a}, "shape = [" + dimsText(shape, ", ", " : i32") + "]", shape);
  }

  void addPermute(size_t a) {
    std::vector<int64_t> shape = live_[a].shape, order;
    for (size_t i = 0; i < shape.size(); ++i) order.push_back(static_cast<int64_t>(i));
    std::swap(order[shape.size() - 1], order[shape.size() - 2]);
    std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    emit("ttir.permute", {a}, "permutation = array<i64: " + dimsText(order, ", ", "") + ">", shape);
  }

  void addConcat(size_t a) {
    std::vector<int64_t> shape = live_[a].shape;
    if (elements(shape) > kMostElements) return addUnary(a);
    auto dim = static_cast<size_t>(random_->below(static_cast<int64_t>(shape.size())));
    shape[dim] *= 2;
    emit("ttir.concat", {a, a}, "dim = " + std::to_string(dim) + " : si32", shape);
  }

  static constexpr int64_t kMostElements = 8 << 20;
  static int64_t elements(const std::vector<int64_t>& shape) {
    int64_t product = 1;
    for (int64_t dim : shape) product *= dim;
    return product;
  }

  uint64_t seed_;
  RandomGraphOptions options_;
  SplitMix64* random_ = nullptr;
  int copy_ = 0;
  int counter_ = 0;
  std::vector<Tensor> live_;
  std::vector<Tensor> arguments_;
  std::vector<Tensor> returned_;
  std::string body_;
};

inline std::string randomGraphText(uint64_t seed, const RandomGraphOptions& options = {}) {
  return RandomGraphWriter(seed, options).write();
}

}  // namespace tessera::test
