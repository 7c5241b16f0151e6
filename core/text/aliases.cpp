// Aliases: looked up once, after all of the file is read, because a use may stand before the definition.
#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/text/parser.h"
#include "core/text/raw_text.h"

namespace tessera::text {

namespace {

using AliasIndex = std::unordered_map<std::string_view, int32_t>;  // only looked into, never iterated

AliasIndex indexAliases(const std::vector<AliasDef>& aliases, bool types) {
  AliasIndex index;
  for (size_t i = 0; i < aliases.size(); ++i) {
    if (aliases[i].isType == types) index.emplace(aliases[i].name, static_cast<int32_t>(i));
  }
  return index;
}

int32_t lookUp(const AliasIndex& index, std::string_view name) {
  auto found = index.find(name);
  return found == index.end() ? -1 : found->second;
}

}  // namespace

bool Parser::addAlias(AliasDef alias, uint32_t start) {
  tree_.aliases.push_back(alias);
  aliasTokens_.push_back({start + 2, pos_});
  return true;
}

// Drops second definitions, then connects every use with its definition and reports the names that have none.
void Parser::resolveAliases() {
  std::vector<AliasDef> kept;
  std::vector<AliasTokens> keptTokens;
  AliasIndex seen[2];
  for (size_t i = 0; i < tree_.aliases.size(); ++i) {
    const AliasDef& alias = tree_.aliases[i];
    auto [entry, isNew] = seen[alias.isType ? 1 : 0].emplace(alias.name, static_cast<int32_t>(kept.size()));
    if (isNew) {
      kept.push_back(alias);
      keptTokens.push_back(aliasTokens_[i]);
      continue;
    }
    // Pieces between `// -----` lines were files of their own and may say the same thing again.
    const AliasDef& first = kept[static_cast<size_t>(entry->second)];
    auto split = std::lower_bound(list_.splits.begin(), list_.splits.end(), first.span.end);
    bool otherPiece = split != list_.splits.end() && *split < alias.span.begin;
    auto written = [&](const AliasTokens& t) {
      return t.end > t.first ? text_.substr(token(t.first).begin, token(t.end - 1).end - token(t.first).begin)
                             : std::string_view{};
    };
    bool same = written(keptTokens[static_cast<size_t>(entry->second)]) == written(aliasTokens_[i]);
    if (!otherPiece || !same)
      errors_.add(DiagKind::DuplicateAlias, alias.span,
                  {text_.substr(alias.span.begin, alias.span.end - alias.span.begin)});
  }
  tree_.aliases = std::move(kept);
  aliasTokens_ = std::move(keptTokens);

  AliasIndex reported[2];
  auto connect = [&](std::string_view name, bool type, Span span, DiagKind missing) {
    int32_t index = lookUp(seen[type ? 1 : 0], name);
    if (index < 0 && reported[type ? 1 : 0].emplace(name, 0).second)
      errors_.add(missing, span, {text_.substr(span.begin, span.end - span.begin)});
    return index;
  };
  // A function cut out of a dump, or an example in a document, has layouts whose definitions stand elsewhere.
  std::vector<bool> isLayout(tree_.attrs.size(), false);
  for (const Type& type : tree_.types) {
    if (type.encoding.valid()) isLayout[static_cast<size_t>(type.encoding.index)] = true;
  }
  for (size_t i = 0; i < tree_.attrs.size(); ++i) {
    Attr& attr = tree_.attrs[AttrId{static_cast<int32_t>(i)}];
    const DiagKind missing = isLayout[i] ? DiagKind::UndefinedLayout : DiagKind::UndefinedAlias;
    if (attr.kind == AttrKind::Alias) attr.alias = connect(attr.text, false, attr.span, missing);
  }
  for (Type& type : tree_.types) {
    if (type.kind == TypeKind::Alias) type.alias = connect(type.name, true, type.span, DiagKind::UndefinedAlias);
  }
}

// Depth-first search over "is defined by"; looks at tokens, so that references inside of raw text count as well.
void Parser::checkCycles() {
  AliasIndex attrs = indexAliases(tree_.aliases, false);
  AliasIndex types = indexAliases(tree_.aliases, true);
  enum class State : uint8_t { New, Open, Done };
  std::vector<State> state(tree_.aliases.size(), State::New);
  struct Visit {
    size_t alias;
    uint32_t next;  // token
  };
  std::vector<Visit> stack;
  for (size_t root = 0; root < tree_.aliases.size(); ++root) {
    if (state[root] != State::New) continue;
    state[root] = State::Open;
    stack.push_back({root, aliasTokens_[root].first});
    while (!stack.empty()) {
      Visit& visit = stack.back();
      if (visit.next >= aliasTokens_[visit.alias].end) {
        state[visit.alias] = State::Done;
        stack.pop_back();
        continue;
      }
      const uint32_t i = visit.next++;
      const Token& t = token(i);
      bool reference =
          (t.kind == TokenKind::HashId || t.kind == TokenKind::BangId) && textOf(t).find('.') == std::string_view::npos;
      bool dialect = token(i + 1).kind == TokenKind::LeftAngle && touches(i + 1);  // #name<...> is no reference
      if (!reference || dialect) continue;
      int32_t found = lookUp(t.kind == TokenKind::HashId ? attrs : types, textOf(t).substr(1));
      if (found < 0) continue;
      auto target = static_cast<size_t>(found);
      if (state[target] == State::Open) {
        const AliasDef& alias = tree_.aliases[target];
        errors_.add(DiagKind::CyclicAlias, alias.span,
                    {text_.substr(alias.span.begin, alias.span.end - alias.span.begin)});
      } else if (state[target] == State::New) {
        state[target] = State::Open;
        stack.push_back({target, aliasTokens_[target].first});
      }
    }
  }
}

}  // namespace tessera::text
