#include "core/execute/stablehlo_attrs.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace tessera {

namespace {

bool partOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The integers between the brackets behind `name =`, or the one number there.
std::vector<int64_t> numbersBehind(std::string_view text, std::string_view name) {
  std::vector<int64_t> out;
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    if (at > 0 && partOfName(text[at - 1])) continue;
    size_t i = at + name.size();
    while (i < text.size() && text[i] == ' ') ++i;
    if (i >= text.size() || text[i] != '=') continue;
    size_t end = text.find_first_of("[,>", i);
    if (end != std::string_view::npos && text[end] == '[') end = text.find(']', end);
    if (end == std::string_view::npos) end = text.size();
    while (i < end) {
      bool digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
      if (!digit) {
        ++i;
        continue;
      }
      size_t stop = i;
      while (stop < end && std::isdigit(static_cast<unsigned char>(text[stop])) != 0) ++stop;
      out.push_back(std::strtoll(std::string(text.substr(i, stop - i)).c_str(), nullptr, 10));
      i = stop;
    }
    return out;
  }
  return out;
}

std::string_view textOf(const Op& op, std::string_view name) {
  const AttrValue* value = findAttr(op, name);
  return value == nullptr ? std::string_view() : std::string_view(value->text);
}

std::vector<int64_t> listOf(const Op& op, std::string_view name, size_t count, int64_t fallback) {
  const AttrValue* value = findAttr(op, name);
  if (value != nullptr && value->ints.size() == count) return value->ints;
  return std::vector<int64_t>(count, fallback);
}

bool placesOf(std::string_view list, char first, char second, ShloPlaces& out) {
  int64_t at = 0;
  for (char c : list) {
    if (c == first) out.first = at++;
    else if (c == second) out.second = at++;
    else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      auto place = static_cast<size_t>(c - '0');
      if (out.spatial.size() <= place) out.spatial.resize(place + 1, -1);
      out.spatial[place] = at++;
    }
  }
  for (int64_t place : out.spatial) {
    if (place < 0) return false;
  }
  return out.first >= 0 && out.second >= 0;
}

}  // namespace

DotDims readShloDot(const Op& op) {
  std::string_view text = textOf(op, "dot_dimension_numbers");
  return {numbersBehind(text, "lhs_batching_dimensions"), numbersBehind(text, "rhs_batching_dimensions"),
          numbersBehind(text, "lhs_contracting_dimensions"), numbersBehind(text, "rhs_contracting_dimensions")};
}

ShloWindow readShloWindow(const Op& op, size_t dims, std::string_view strides, std::string_view dilations) {
  ShloWindow w;
  w.stride = listOf(op, strides, dims, 1);
  w.dilation = listOf(op, dilations, dims, 1);
  w.baseDilation = listOf(op, dilations == "rhs_dilation" ? "lhs_dilation" : "base_dilations", dims, 1);
  std::vector<int64_t> padding = listOf(op, "padding", 2 * dims, 0);
  for (size_t d = 0; d < dims; ++d) {
    w.low.push_back(padding[2 * d]);
    w.high.push_back(padding[2 * d + 1]);
  }
  return w;
}

bool ShloWindow::isSane() const {
  constexpr int64_t kMost = int64_t{1} << 30;
  const auto within = [&](const std::vector<int64_t>& values, int64_t least) {
    return std::all_of(values.begin(), values.end(), [&](int64_t v) { return v >= least && v < kMost; });
  };
  return within(stride, 1) && within(dilation, 1) && within(baseDilation, 1) && within(low, -kMost) &&
         within(high, -kMost);
}

bool readShloConv(const Op& op, ShloConv& out) {
  std::string_view text = textOf(op, "dimension_numbers");
  if (text.find("input_batch_dimension") != std::string_view::npos) {
    auto one = [&](std::string_view name) {
      std::vector<int64_t> all = numbersBehind(text, name);
      return all.empty() ? int64_t{-1} : all[0];
    };
    out.input = {one("input_batch_dimension"), one("input_feature_dimension"),
                 numbersBehind(text, "input_spatial_dimensions")};
    out.kernel = {one("kernel_output_feature_dimension"), one("kernel_input_feature_dimension"),
                  numbersBehind(text, "kernel_spatial_dimensions")};
    out.output = {one("output_batch_dimension"), one("output_feature_dimension"),
                  numbersBehind(text, "output_spatial_dimensions")};
  } else {
    std::string_view lists[3];
    size_t from = 0;
    for (std::string_view& list : lists) {
      size_t open = text.find('[', from), close = text.find(']', from);
      if (open == std::string_view::npos || close == std::string_view::npos || close < open) return false;
      list = text.substr(open + 1, close - open - 1);
      from = close + 1;
    }
    if (!placesOf(lists[0], 'b', 'f', out.input) || !placesOf(lists[1], 'o', 'i', out.kernel) ||
        !placesOf(lists[2], 'b', 'f', out.output))
      return false;
  }
  size_t n = out.input.spatial.size();
  for (const ShloPlaces* places : {&out.input, &out.kernel, &out.output}) {
    std::vector<int64_t> all = places->spatial;
    all.insert(all.end(), {places->first, places->second});
    std::sort(all.begin(), all.end());
    if (all.size() != n + 2) return false;
    for (size_t d = 0; d < all.size(); ++d) {
      if (all[d] != static_cast<int64_t>(d)) return false;
    }
  }
  return true;
}

ShloPick readShloPick(const Op& op, std::string_view attr) {
  std::string_view text = textOf(op, attr);
  bool scatter = attr == "scatter_dimension_numbers";
  ShloPick pick;
  pick.offset = numbersBehind(text, scatter ? "update_window_dims" : "offset_dims");
  pick.collapsed = numbersBehind(text, scatter ? "inserted_window_dims" : "collapsed_slice_dims");
  pick.batchOperand = numbersBehind(text, scatter ? "input_batching_dims" : "operand_batching_dims");
  pick.batchIndices = numbersBehind(text, scatter ? "scatter_indices_batching_dims" : "start_indices_batching_dims");
  pick.map = numbersBehind(text, scatter ? "scatter_dims_to_operand_dims" : "start_index_map");
  std::vector<int64_t> dim = numbersBehind(text, "index_vector_dim");
  pick.vectorDim = dim.empty() ? 0 : dim[0];
  return pick;
}

}  // namespace tessera
