#include "core/cli/system_desc.h"

#include <algorithm>
#include <charconv>

#include "core/device/device_spec.h"
#include "core/driver/read_file.h"

namespace tessera {

namespace {

struct ChipFacts {
  std::optional<Arch> arch;
  GridShape grid{0, 0};  // 0x0: not said
};

std::string lowerCase(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::optional<Arch> archOf(std::string_view text) {
  const std::string word = lowerCase(text);
  if (word == "wormhole_b0") return Arch::WormholeB0;
  if (word == "blackhole") return Arch::Blackhole;
  return {};
}

// Behind `key`, past what stands between a name and its value in either notation.
std::string_view behind(std::string_view text, std::string_view key) {
  const size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  std::string_view rest = text.substr(at + key.size());
  const size_t start = rest.find_first_not_of("\" \t\r\n:=<{[");
  return start == std::string_view::npos ? std::string_view() : rest.substr(start);
}

int32_t leadingNumber(std::string_view text) {
  int32_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

std::string_view leadingWord(std::string_view text) { return text.substr(0, text.find_first_of("\"<>,} \t\r\n")); }

// `arch = <wormhole_b0>, grid = 8x8` of MLIR; `"arch": "Wormhole_b0", "grid_size": {"y": 8, "x": 8}` of JSON.
ChipFacts readFacts(std::string_view text) {
  ChipFacts facts;
  const size_t chips = text.find("chip_descs");
  if (chips != std::string_view::npos) text.remove_prefix(chips);
  std::string_view arch = text;  // a host's triple may hold the word, too
  while (!arch.empty() && !facts.arch) {
    arch = behind(arch, "arch");
    facts.arch = archOf(leadingWord(arch));
  }
  if (!facts.arch) return facts;
  std::string_view record = arch.substr(0, arch.find(chips == std::string_view::npos ? "}" : "chip_desc_indices"));
  std::string_view json = behind(record, "grid_size");
  if (!json.empty()) {
    json = json.substr(0, json.find('}'));
    facts.grid = {leadingNumber(behind(json, "y")), leadingNumber(behind(json, "x"))};
    return facts;
  }
  std::string_view grid = behind(record, "grid");
  facts.grid.rows = leadingNumber(grid);
  const size_t by = grid.find('x');
  if (by != std::string_view::npos) facts.grid.cols = leadingNumber(grid.substr(by + 1));
  return facts;
}

bool isBinary(std::string_view text) { return text.find('\0') != std::string_view::npos; }

}  // namespace

std::string takeSystemDesc(const std::string& path, Options& options) {
  const std::string subject = "`" + std::string(kSystemDescOption) + "`: ";
  const std::string instead = "; the device is " + options.device + ", named by `device` or `mock-system-desc-arch`";
  std::string text;
  if (path == "-" || !readFile(path, text)) return subject + "cannot read `" + path + "`" + instead;
  if (isBinary(text)) return subject + "`" + path + "` is the runtime's binary, which is not read" + instead;
  const ChipFacts facts = readFacts(text);
  if (!facts.arch) return subject + "no chip is found in `" + path + "`" + instead;
  const DeviceSpec* best = nullptr;
  for (const DeviceSpec& device : allDevices()) {
    if (device.arch != *facts.arch) continue;
    const bool same = device.grid.rows == facts.grid.rows && device.grid.cols == facts.grid.cols;
    if (best == nullptr || (same && !(best->grid == device.grid))) best = &device;
  }
  if (best == nullptr) return subject + "no device of the catalog is like the chip in `" + path + "`" + instead;
  options.device = best->id;
  if (facts.grid.rows > 0) options.maxGridRows = std::min<int64_t>(facts.grid.rows, kMostGridSide);
  if (facts.grid.cols > 0) options.maxGridCols = std::min<int64_t>(facts.grid.cols, kMostGridSide);
  return subject + "the device is " + options.device + ", by `" + path + "`";
}

}  // namespace tessera
