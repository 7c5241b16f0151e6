#pragma once
// Answers in JSON against docs/schema: the words of JSON Schema that those files use, read anew for tests of the native
// program. References are followed within a file and between files.

#include <deque>
#include <map>
#include <set>
#include <string>

#include "core/support/json_value.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {

class AnswerSchemas {
 public:
  // What is wrong with the answer, and where; "" when it is as the schema says. `name`: "report", or
  // "passes#PassChecks" for one definition of a file.
  std::string problemOf(const std::string& name, const std::string& answer) {
    const SourceBuffer source("answer", answer);
    Diagnostics diags;
    const JsonDocument document = JsonDocument::parse(source, diags);
    if (!document.root().present()) return "no JSON: " + answer.substr(0, 80);
    const size_t hash = name.find('#');
    const File& file = fileOf(name.substr(0, hash));
    const JsonValue schema =
        hash == std::string::npos ? file.root() : file.root().get("$defs").get(name.substr(hash + 1));
    return check({schema, &file}, document.root(), "");
  }

  // "report.Layout.page" of every property of every definition that no answer had.
  std::set<std::string> unseen(const std::string& name) {
    const File& file = fileOf(name);
    const JsonValue definitions = file.root().get("$defs");
    std::set<std::string> missing;
    for (size_t i = 0; i < definitions.size(); ++i) {
      const JsonValue properties = definitions.at(i).get("properties");
      for (size_t k = 0; k < properties.size(); ++k) {
        if (!seen_.count(placeOf(file, properties.at(k))))
          missing.insert(name + "." + std::string(definitions.keyAt(i)) + "." + std::string(properties.keyAt(k)));
      }
    }
    return missing;
  }

 private:
  struct File {
    std::string name;
    SourceBuffer source;
    JsonDocument document;
    JsonValue root() const { return document.root(); }
  };
  struct Schema {
    JsonValue value;
    const File* file;
  };

  static std::string placeOf(const File& file, JsonValue value) {
    return file.name + ":" + std::to_string(value.span().begin);
  }

  const File& fileOf(const std::string& name) {
    for (const File& file : files_) {
      if (file.name == name) return file;
    }
    const std::filesystem::path path =
        std::filesystem::path(TESSERA_SOURCE_DIR) / "docs/schema" / (name + ".schema.json");
    File& file = files_.emplace_back();
    file.name = name;
    file.source = SourceBuffer(name, readFile(path));
    Diagnostics diags;
    file.document = JsonDocument::parse(file.source, diags);
    EXPECT_TRUE(file.root().isObject()) << path;
    return file;
  }

  Schema resolved(const Schema& from, const std::string& reference) {
    const size_t hash = reference.find('#');
    const std::string other = reference.substr(0, reference.find(".schema.json"));
    const File& file = hash == 0 ? *from.file : fileOf(other);
    JsonValue value = file.root();
    const std::string path = hash == std::string::npos ? "" : reference.substr(hash + 1);
    for (size_t at = 0; at < path.size();) {
      const size_t end = std::min(path.find('/', at + 1), path.size());
      value = value.get(path.substr(at + 1, end - at - 1));
      at = end;
    }
    EXPECT_TRUE(value.present()) << reference;
    return {value, &file};
  }

  static bool isOfType(JsonValue value, std::string_view type) {
    switch (value.kind()) {
      case JsonKind::Null: return type == "null";
      case JsonKind::Bool: return type == "boolean";
      case JsonKind::Integer: return type == "integer" || type == "number";
      case JsonKind::Number: return type == "number";
      case JsonKind::String: return type == "string";
      case JsonKind::Array: return type == "array";
      case JsonKind::Object: return type == "object";
    }
    return false;
  }

  static bool same(JsonValue a, JsonValue b) {
    return a.kind() == b.kind() && a.asString() == b.asString() && a.asNumber() == b.asNumber() &&
           a.asBool() == b.asBool();
  }

  static bool typeFits(JsonValue type, JsonValue value) {
    if (!type.present()) return true;
    if (type.isString()) return isOfType(value, *type.asString());
    for (size_t i = 0; i < type.size(); ++i) {
      if (isOfType(value, type.at(i).asString().value_or(""))) return true;
    }
    return false;
  }

  std::string check(const Schema& schema, JsonValue value, const std::string& at) {
    if (schema.value.kind() == JsonKind::Bool)
      return schema.value.asBool().value_or(true) ? "" : at + " is not in the schema";
    if (const auto reference = schema.value.get("$ref").asString()) {
      const std::string problem = check(resolved(schema, std::string(*reference)), value, at);
      if (!problem.empty()) return problem;
    }
    if (!typeFits(schema.value.get("type"), value)) return at + " is " + jsonKindName(value.kind());
    if (const std::string problem = checkWords(schema, value, at); !problem.empty()) return problem;
    const JsonValue choices = schema.value.get("anyOf");
    std::string choice;
    for (size_t i = 0; i < choices.size(); ++i) {
      choice = check({choices.at(i), schema.file}, value, at);
      if (choice.empty()) break;
    }
    if (!choice.empty()) return choice;
    return value.isArray() ? checkElements(schema, value, at) : value.isObject() ? checkMembers(schema, value, at) : "";
  }

  static std::string checkWords(const Schema& schema, JsonValue value, const std::string& at) {
    const JsonValue words = schema.value.get("enum"), one = schema.value.get("const");
    bool found = !words.present();
    for (size_t i = 0; i < words.size(); ++i) found = found || same(words.at(i), value);
    return found && (!one.present() || same(one, value)) ? "" : at + " is another word or number";
  }

  std::string checkElements(const Schema& schema, JsonValue value, const std::string& at) {
    const JsonValue first = schema.value.get("prefixItems"), rest = schema.value.get("items");
    const int64_t least = schema.value.get("minItems").asInteger().value_or(0);
    if (static_cast<int64_t>(value.size()) < least) return at + " is too short";
    for (size_t i = 0; i < value.size(); ++i) {
      const JsonValue own = i < first.size() ? first.at(i) : rest;
      if (!own.present()) continue;
      const std::string problem = check({own, schema.file}, value.at(i), at + "[" + std::to_string(i) + "]");
      if (!problem.empty()) return problem;
    }
    return "";
  }

  std::string checkMembers(const Schema& schema, JsonValue value, const std::string& at) {
    const JsonValue required = schema.value.get("required"), properties = schema.value.get("properties"),
                    others = schema.value.get("additionalProperties");
    for (size_t i = 0; i < required.size(); ++i) {
      const std::string name(required.at(i).asString().value_or(""));
      if (!value.get(name).present()) return at + "." + name + " is missing";
    }
    for (size_t i = 0; i < value.size(); ++i) {
      const std::string name(value.keyAt(i));
      const JsonValue own = properties.get(name);
      if (own.present()) seen_.insert(placeOf(*schema.file, own));
      const JsonValue used = own.present() ? own : others;
      if (!used.present()) continue;
      const std::string problem = check({used, schema.file}, value.at(i), at + "." + name);
      if (!problem.empty()) return problem;
    }
    return "";
  }

  std::deque<File> files_;  // stay where they are
  std::set<std::string> seen_;
};

}  // namespace tessera::test
