// Whether a JSON value is as a schema says: the part of JSON Schema (2020-12) that ours use. A keyword that is not
// known here is a violation, so that none is passed over.
#pragma once

#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace swizzle::test {

class JsonSchema {
 public:
  explicit JsonSchema(nlohmann::json schema) : root_(std::move(schema)) {}

  // What breaks it, a line each: "/holes/0/kind: no string".
  std::vector<std::string> violations(const nlohmann::json& value) {
    found_.clear();
    check(root_, value, "");
    return found_;
  }

 private:
  using Json = nlohmann::json;

  void check(const Json& schema, const Json& value, const std::string& at) {
    for (const auto& [keyword, rule] : schema.items()) {
      if (keyword == "type") check_type(rule, value, at);
      else if (keyword == "enum")
        expect(std::find(rule.begin(), rule.end(), value) != rule.end(), at, "is none of the enum");
      else if (keyword == "const") expect(rule == value, at, "is not the constant");
      else if (keyword == "required")
        for (const Json& key : rule)
          expect(value.contains(key.get<std::string>()), at, "lacks " + key.get<std::string>());
      else if (keyword == "items")
        for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
          check(rule, value[i], fmt::format("{}/{}", at, i));
      else if (keyword == "minItems") expect(value.size() >= rule.get<std::size_t>(), at, "has too few items");
      else if (keyword == "minimum") expect(!value.is_number() || value >= rule, at, "is below the minimum");
      else if (keyword == "minLength")
        expect(value.get<std::string>().size() >= rule.get<std::size_t>(), at, "is too short");
      else if (keyword == "pattern")
        expect(std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>())), at,
               "does not match the pattern");
      else if (keyword == "anyOf") check_any(rule, value, at);
      else if (keyword == "$ref") check(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value, at);
      else if (keyword == "additionalProperties" || keyword == "properties") continue;  // below
      else if (keyword != "$schema" && keyword != "$defs" && keyword != "title" && keyword != "description")
        expect(false, at, "the keyword is not known: " + keyword);
    }
    check_properties(schema, value, at);
  }

  void check_properties(const Json& schema, const Json& value, const std::string& at) {
    if (!value.is_object()) return;
    const Json known = schema.value("properties", Json::object());
    const auto others = schema.find("additionalProperties");
    for (const auto& [key, inner] : value.items()) {
      if (known.contains(key)) check(known[key], inner, at + "/" + key);
      else if (others != schema.end() && others->is_boolean()) expect(others->get<bool>(), at, "may not have " + key);
      else if (others != schema.end()) check(*others, inner, at + "/" + key);
    }
  }

  void check_type(const Json& rule, const Json& value, const std::string& at) {
    bool is_one = false;
    for (const Json& type : rule.is_array() ? rule : Json::array({rule})) is_one |= is(type.get<std::string>(), value);
    expect(is_one, at, "is no " + rule.dump());
  }

  static bool is(const std::string& type, const Json& value) {
    return type == "object"    ? value.is_object()
           : type == "array"   ? value.is_array()
           : type == "string"  ? value.is_string()
           : type == "integer" ? value.is_number_integer()
           : type == "number"  ? value.is_number()
           : type == "boolean" ? value.is_boolean()
                               : type == "null" && value.is_null();
  }

  void check_any(const Json& rules, const Json& value, const std::string& at) {
    const std::vector<std::string> before = found_;
    std::vector<std::string> last;
    for (const Json& rule : rules) {
      check(rule, value, at);
      if (found_.size() == before.size()) return;
      last = std::exchange(found_, before);
    }
    found_ = last;
  }

  void expect(bool holds, const std::string& at, const std::string& what) {
    if (!holds) found_.push_back(at + ": " + what);
  }

  Json root_;
  std::vector<std::string> found_;
};

}  // namespace swizzle::test
