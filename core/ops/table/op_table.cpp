#include "core/ops/table/op_table.h"

#include <algorithm>
#include <array>

#include "core/support/check.h"

namespace tessera {

namespace {

constexpr OpInfo kOps[] = {
    {OpKind::Opaque, "", Family::Opaque, "operands*", kNoFlags},
#define TESSERA_OP(kind, name, family, roles, flags) {OpKind::kind, name, Family::family, roles, flags},
#include "core/ops/table/op_kinds.def"
#undef TESSERA_OP
};
constexpr size_t kOpCount = std::size(kOps);

constexpr std::string_view kFamilyNames[] = {
#define TESSERA_FAMILY(family, title) #family,
#include "core/ops/table/families.def"
#undef TESSERA_FAMILY
};
constexpr std::string_view kFamilyTitles[] = {
#define TESSERA_FAMILY(family, title) title,
#include "core/ops/table/families.def"
#undef TESSERA_FAMILY
};

// The named ops by name, built at compile time. Entry i is an index into kOps.
constexpr std::array<uint16_t, kOpCount - 1> sortedByName() {
  std::array<uint16_t, kOpCount - 1> order{};
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<uint16_t>(i + 1);
  std::sort(order.begin(), order.end(), [](uint16_t a, uint16_t b) { return kOps[a].name < kOps[b].name; });
  return order;
}
constexpr std::array<uint16_t, kOpCount - 1> kByName = sortedByName();

constexpr bool namesAreUnique() {
  for (size_t i = 1; i < kByName.size(); ++i) {
    if (kOps[kByName[i - 1]].name == kOps[kByName[i]].name) return false;
  }
  return true;
}
constexpr bool kindsAreInOrder() {
  for (size_t i = 0; i < kOpCount; ++i) {
    if (static_cast<size_t>(kOps[i].kind) != i) return false;
  }
  return true;
}
// A variadic role takes whatever is left, so there can be only one.
constexpr bool atMostOneVariadicRole() {
  for (const OpInfo& op : kOps) {
    size_t stars = 0;
    for (char c : op.roles) stars += c == '*' ? 1 : 0;
    if (stars > 1) return false;
  }
  return true;
}
// Only ops whose roles name an output operand may be flagged as destination-passing, apart from those that take any
// operands.
constexpr bool outputRolesAreFlagged() {
  for (const OpInfo& op : kOps) {
    bool hasOut = op.roles.find("out?") != std::string_view::npos || op.roles.find("out*") != std::string_view::npos;
    if (hasOut && (op.flags & kDpsOutput) == 0) return false;
  }
  return true;
}
static_assert(kOpCount <= UINT16_MAX, "OpKind is 16 bits wide");
static_assert(namesAreUnique(), "two lines of op_kinds.def have the same name");
static_assert(kindsAreInOrder(), "the table and the enumeration must have the same order");
static_assert(atMostOneVariadicRole(), "a roles column has two variadic roles");
static_assert(outputRolesAreFlagged(), "a roles column names an output but lacks kDpsOutput");

// One entry of a roles column.
struct Role {
  std::string_view name;
  bool optional = false;
  bool variadic = false;
};

// Takes the first role off `rest`.
Role takeRole(std::string_view& rest) {
  size_t end = rest.find(' ');
  std::string_view word = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  if (!word.empty() && word.back() == '?') return {word.substr(0, word.size() - 1), true, false};
  if (!word.empty() && word.back() == '*') return {word.substr(0, word.size() - 1), false, true};
  return {word, false, false};
}

}  // namespace

const OpInfo& opInfo(OpKind kind) {
  TESSERA_CHECK(static_cast<size_t>(kind) < kOpCount, "op kind outside of the table");
  return kOps[static_cast<size_t>(kind)];
}

std::span<const OpInfo> allOps() { return kOps; }

OpKind opKindFromName(std::string_view name) {
  auto at = std::lower_bound(kByName.begin(), kByName.end(), name,
                             [](uint16_t index, std::string_view wanted) { return kOps[index].name < wanted; });
  if (at == kByName.end() || kOps[*at].name != name) return OpKind::Opaque;
  return kOps[*at].kind;
}

std::string_view familyName(Family family) {
  TESSERA_CHECK(static_cast<size_t>(family) < std::size(kFamilyNames), "family outside of the table");
  return kFamilyNames[static_cast<size_t>(family)];
}

static_assert(std::size(kFamilyTitles) <= kMostFamilies);
std::span<const std::string_view> allFamilyTitles() { return kFamilyTitles; }

OperandBounds operandBounds(const OpInfo& info) {
  OperandBounds bounds;
  bool unbounded = false;
  std::string_view rest = info.roles;
  while (!rest.empty()) {
    Role role = takeRole(rest);
    if (role.variadic) unbounded = true;
    else if (!role.optional) ++bounds.least;
    if (!role.variadic) ++bounds.most;
  }
  if (unbounded) bounds.most = -1;
  return bounds;
}

std::string_view operandRole(const OpInfo& info, int index, int count) {
  if (index < 0 || index >= count) return {};
  int spare =
      count - operandBounds(info).least;  // operands for the optional and variadic roles; the first ones get them
  int at = 0;
  std::string_view rest = info.roles;
  while (!rest.empty()) {
    Role role = takeRole(rest);
    int taken = 1;
    if (role.optional) taken = spare > 0 ? 1 : 0;
    if (role.variadic) taken = spare > 0 ? spare : 0;
    if (role.optional || role.variadic) spare -= taken;
    if (index < at + taken) return role.name;
    at += taken;
  }
  return {};
}

OpSpec makeOp(OpKind kind, std::vector<ValueId> operands, std::vector<ValueType> resultTypes) {
  TESSERA_CHECK(kind != OpKind::Opaque, "an opaque op has no name in the table");
  OpSpec spec;
  spec.kind = kind;
  spec.name = std::string(opInfo(kind).name);
  spec.operands = std::move(operands);
  spec.resultTypes = std::move(resultTypes);
  return spec;
}

}  // namespace tessera
