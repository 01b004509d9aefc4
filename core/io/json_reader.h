#pragma once
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace attn {

class JsonLines;

/// A place in a JSON document that knows its path, so that what it refuses is named in one line:
/// "scene.json: heads[0].q[1][2]: found "abc", expected a number"; where the lines are known, with the line:
/// "lesson.json: line 12: steps[0].title: …". The document, the name of the file and the lines must outlive
/// it.
class JsonReader {
 public:
  JsonReader(const nlohmann::json& root, const std::string& file, const JsonLines* lines = nullptr)
      : node_(&root), file_(&file), lines_(lines) {}

  bool isObject() const { return node_->is_object(); }
  bool isList() const { return node_->is_array(); }
  bool isFlag() const { return node_->is_boolean(); }
  bool isText() const { return node_->is_string(); }

  /// Refuses what is not an object, and a key that is not in the list.
  void allow(std::initializer_list<std::string_view> keys) const;
  bool has(std::string_view key) const { return isObject() && node_->contains(key); }
  /// A member that must be there.
  JsonReader at(std::string_view key) const;

  /// The length of what must be a list, e.g. of "numbers".
  std::size_t length(std::string_view elements) const;
  /// The same of a list that must not be empty.
  std::size_t lengthOfSome(std::string_view elements) const;
  JsonReader operator[](std::size_t index) const;

  /// "nan", "inf" and "-inf" are numbers too, as strings: JSON has no other way to write them.
  double number() const;
  /// The same as (*this)[index].number(), without the cost of a path while all is well.
  double numberAt(std::size_t index) const;
  double numberOr(std::string_view key, double fallback) const;
  bool flag() const;  // true, false, 1 or 0
  std::string text() const;
  const nlohmann::json& node() const { return *node_; }
  template <std::integral Whole>
  Whole whole(Whole least = std::numeric_limits<Whole>::min()) const;
  /// What one of the words stands for; see Word.
  template <class Words>
  auto oneOf(const Words& words) const;

  [[noreturn]] void refuse(const std::string& expected) const { refuse(found(), expected); }
  [[noreturn]] void refuse(const std::string& found, const std::string& expected) const;
  /// "scene.json: heads[0].q[1][2]", to begin a message about this place with.
  std::string where() const;

 private:
  /// A place inside this one.
  JsonReader inside(const nlohmann::json& node, std::string path) const;

  std::string found() const;

  const nlohmann::json* node_;
  const std::string* file_;
  const JsonLines* lines_;
  std::string path_;
};

template <std::integral Whole>
Whole JsonReader::whole(Whole least) const {
  if (!node_->is_number_integer()) refuse("a whole number");
  const bool isPositive = node_->is_number_unsigned();
  constexpr Whole kMost = std::numeric_limits<Whole>::max();
  if (isPositive ? std::cmp_greater(node_->get<std::uint64_t>(), kMost)
                 : std::cmp_greater(node_->get<std::int64_t>(), kMost))
    refuse("a whole number of at most " + std::to_string(kMost));
  if (isPositive ? std::cmp_less(node_->get<std::uint64_t>(), least)
                 : std::cmp_less(node_->get<std::int64_t>(), least))
    refuse("a whole number of at least " + std::to_string(least));
  return node_->get<Whole>();
}

template <class Words>
auto JsonReader::oneOf(const Words& words) const {
  std::string expected;
  for (const auto& candidate : words) {
    if (isText() && node_->get_ref<const std::string&>() == candidate.word) return candidate.meaning;
    expected += (expected.empty() ? "one of " : ", ") + std::string(candidate.word);
  }
  refuse(expected);
}

}  // namespace attn
