// A profile as the device's tools write it.

#include <algorithm>

#include "core/profile/csv.h"
#include "core/profile/profile.h"
#include "core/profile/profile_text.h"
#include "core/profile/program_names.h"

namespace tessera {

namespace {

// "32[19]", padded and logical, or "19".
int64_t logicalDim(const CsvTable& t, size_t row, const char* dim) {
  const std::string base = std::string("OUTPUT_0_") + dim;
  std::string_view text = t.text(row, base + "_PAD[LOGICAL]");
  if (text.empty()) text = t.text(row, base);
  const size_t bracket = text.find('[');
  if (bracket != std::string_view::npos) text.remove_prefix(bracket + 1);
  int64_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9' || value > (int64_t{1} << 40)) break;
    value = value * 10 + (c - '0');
  }
  return value;
}

// "DEV_1_L1_HEIGHT_SHARDED" -> "l1 height_sharded"
std::string memoryWords(std::string_view text) {
  const std::string lower = lowerCase(text);
  if (lower.empty()) return "";
  const char* buffer = contains(lower, "_l1_") ? "l1" : contains(lower, "dram") ? "dram" : "";
  for (const char* memory : {"height_sharded", "width_sharded", "block_sharded", "interleaved"}) {
    if (contains(lower, memory)) return std::string(buffer) + " " + memory;
  }
  return buffer;
}

// Programs that the library runs ahead of an op's own.
bool isPart(std::string_view name) {
  for (std::string_view begin : {"Halo", "Move", "PaddedSlice", "SliceWrite"}) {
    if (name.substr(0, begin.size()) == begin) return true;
  }
  return false;
}

OpKind kindOf(std::string_view name, std::string_view attributes) {
  if (name.substr(0, 6) == "Conv2d" || name.substr(0, 13) == "OptimizedConv") return OpKind::TtnnConv2d;
  if (name.substr(0, 6) == "Pool2D") return OpKind::TtnnMaxPool2d;
  return profiledKind(name, attributes);
}

// From what share of its time on a program is bound by what it used (tt-perf-report, perf_report.py@00b7324a).
constexpr int64_t kBoundPercent = 65;

// No compute kernel, or one that mostly waits for its inputs: data. Else by the share of time that the device needs at
// least, as the profile has it.
Evidence evidenceOf(const CsvTable& t, size_t row, int64_t time) {
  const int64_t compute = t.count(row, "DEVICE TRISC1 KERNEL DURATION [ns]");
  const int64_t movers =
      t.count(row, "DEVICE BRISC KERNEL DURATION [ns]") + t.count(row, "DEVICE NCRISC KERNEL DURATION [ns]");
  if (compute == 0 && movers > 0) return Evidence::Data;
  const int64_t waits = t.count(row, "DEVICE COMPUTE CB WAIT FRONT [ns]");
  if (compute > 0 && waits > 0) return 2 * waits >= compute ? Evidence::Data : Evidence::Compute;
  const auto most = [&](const char* column) { return t.count(row, column) * 100 >= time * kBoundPercent; };
  if (t.count(row, "DRAM BW UTIL (%)") >= kBoundPercent || t.count(row, "NOC UTIL (%)") >= kBoundPercent)
    return Evidence::Data;
  if (most("PM COMPUTE [ns]")) return Evidence::Compute;
  return most("PM BANDWIDTH [ns]") ? Evidence::Data : Evidence::None;
}

}  // namespace

std::vector<int64_t> withoutLeadingOnes(std::vector<int64_t> dims) {
  size_t first = 0;
  while (first + 1 < dims.size() && dims[first] <= 1) ++first;
  dims.erase(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(first));
  return dims;
}

int64_t Profile::time() const {
  int64_t sum = 0;
  for (const ProfiledProgram& program : programs) sum += program.nanoseconds;
  return sum;
}

Profile readProfile(std::string_view text) {
  Profile profile;
  CsvTable table;
  if (!parseCsv(text, table)) profile.problem = "it is no table with a line of names, or too large";
  else if (std::find(table.names.begin(), table.names.end(), "OP CODE") == table.names.end())
    profile.problem = "it has no column OP CODE";
  if (!profile.problem.empty()) return profile;
  std::string device;
  for (size_t i = 0; i < table.rows.size(); ++i) {
    ProfiledProgram program;
    program.nanoseconds = table.count(i, "DEVICE KERNEL DURATION [ns]");
    if (program.nanoseconds == 0) program.nanoseconds = table.count(i, "DEVICE FW DURATION [ns]");
    if (device.empty() && program.nanoseconds > 0) device = std::string(table.text(i, "DEVICE ID"));
    if (program.nanoseconds == 0 || table.text(i, "DEVICE ID") != device) {
      ++profile.otherRows;
      continue;
    }
    program.name = std::string(table.text(i, "OP CODE"));
    program.kind = kindOf(program.name, table.text(i, "ATTRIBUTES"));
    program.part = isPart(program.name);
    program.shape = withoutLeadingOnes(
        {logicalDim(table, i, "W"), logicalDim(table, i, "Z"), logicalDim(table, i, "Y"), logicalDim(table, i, "X")});
    program.memory = memoryWords(table.text(i, "OUTPUT_0_MEMORY"));
    program.cores = table.count(i, "CORE COUNT");
    program.line = table.lines[i];
    program.evidence = evidenceOf(table, i, program.nanoseconds);
    profile.programs.push_back(std::move(program));
  }
  return profile;
}

}  // namespace tessera
