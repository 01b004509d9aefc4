#include "core/io/json_reader.h"

#include <algorithm>

#include "core/error.h"
#include "core/io/json_lines.h"
#include "core/io/json_parse.h"

namespace attn {

void JsonReader::allow(std::initializer_list<std::string_view> keys) const {
  std::string list;
  for (const std::string_view key : keys) list += (list.empty() ? "" : ", ") + std::string(key);
  if (!isObject()) refuse("an object with " + list);
  for (const auto& [key, value] : node_->items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      const std::string found = "the unknown key " + inQuotes(key), expected = "only " + list;
      if (!lines_) refuse(found, expected);
      // The line of the key, not that of the object around it.
      const std::size_t line = lines_->lineOf(path_.empty() ? key : path_ + "." + key);
      throw Error(*file_ + ": line " + std::to_string(line) + (path_.empty() ? "" : ": " + path_) +
                  ": found " + found + ", expected " + expected);
    }
}

JsonReader JsonReader::at(std::string_view key) const {
  const std::string name(key);
  if (!isObject()) refuse("an object with " + name);
  const auto member = node_->find(name);
  if (member == node_->end()) refuse("no \"" + name + "\"", "this key");
  return inside(*member, path_.empty() ? name : path_ + "." + name);
}

std::size_t JsonReader::length(std::string_view elements) const {
  if (!isList()) refuse("a list of " + std::string(elements));
  return node_->size();
}

std::size_t JsonReader::lengthOfSome(std::string_view elements) const {
  if (length(elements) == 0) refuse("one or more " + std::string(elements));
  return node_->size();
}

JsonReader JsonReader::operator[](std::size_t index) const {
  return inside((*node_)[index], path_ + "[" + std::to_string(index) + "]");
}

double JsonReader::number() const {
  if (node_->is_number()) return node_->get<double>();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (*node_ == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (*node_ == "inf") return kInfinity;
  if (*node_ == "-inf") return -kInfinity;
  refuse("a number");
}

double JsonReader::numberAt(std::size_t index) const {
  const nlohmann::json& element = (*node_)[index];
  return element.is_number() ? element.get<double>() : (*this)[index].number();
}

double JsonReader::numberOr(std::string_view key, double fallback) const {
  return has(key) ? at(key).number() : fallback;
}

bool JsonReader::flag() const {
  if (node_->is_boolean()) return node_->get<bool>();
  if (*node_ == 1) return true;
  if (*node_ == 0) return false;
  refuse("true, false, 1 or 0");
}

std::string JsonReader::text() const {
  if (!isText()) refuse("a string");
  return node_->get<std::string>();
}

JsonReader JsonReader::inside(const nlohmann::json& node, std::string path) const {
  JsonReader place(node, *file_, lines_);
  place.path_ = std::move(path);
  return place;
}

std::string JsonReader::where() const {
  std::string place = *file_;
  if (lines_) place += ": line " + std::to_string(lines_->lineOf(path_));
  return path_.empty() ? place : place + ": " + path_;
}

void JsonReader::refuse(const std::string& found, const std::string& expected) const {
  throw Error(where() + ": found " + found + ", expected " + expected);
}

std::string JsonReader::found() const {
  if (isText()) return inQuotes(node_->get_ref<const std::string&>());
  if (isObject()) return "an object";
  if (isList()) return node_->empty() ? "an empty list" : "a list of length " + std::to_string(node_->size());
  return node_->dump();
}

}  // namespace attn
