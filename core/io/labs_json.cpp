#include "core/io/labs_json.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/io/json_reader.h"
#include "core/io/json_writer.h"
#include "core/labs/members.h"

namespace attn {
namespace {

void readValue(const JsonReader& place, double& value) {
  value = place.number();
}
void readValue(const JsonReader& place, bool& value) {
  value = place.flag();
}
template <std::integral Whole>
void readValue(const JsonReader& place, Whole& value) {
  value = place.whole<Whole>();
}
template <std::size_t count>
void readValue(const JsonReader& place, std::array<Index, count>& values) {
  if (place.length("whole numbers") != count) place.refuse(std::to_string(count) + " whole numbers");
  for (std::size_t i = 0; i < count; ++i) values[i] = place[i].whole<Index>();
}

/// Reads the members that are there, and knows afterwards which there can be.
struct MemberReader {
  const JsonReader& place;
  std::vector<std::string_view> keys = {};

  template <class Value, class... Bounds>
  void operator()(const char* key, Value& value, const Bounds&... bounds) {
    keys.push_back(key);
    if (!place.has(key)) return;
    if constexpr (std::is_enum_v<Value>)
      value = place.at(key).oneOf(bounds...);
    else
      readValue(place.at(key), value);
  }
};

void refuseOthers(const JsonReader& place, const std::vector<std::string_view>& known) {
  std::string expected;
  for (const std::string_view key : known) expected += (expected.empty() ? "" : ", ") + std::string(key);
  if (!place.isObject()) place.refuse("an object with " + expected);
  for (const auto& member : place.node().items())
    if (std::find(known.begin(), known.end(), member.key()) == known.end())
      place.refuse("the unknown key \"" + member.key() + "\"", "only " + expected);
}

void writeValue(JsonWriter& out, double value) {
  out.number(value);
}
void writeValue(JsonWriter& out, bool value) {
  out.flag(value);
}
template <std::integral Whole>
void writeValue(JsonWriter& out, Whole value) {
  out.whole(value);
}
template <std::size_t count>
void writeValue(JsonWriter& out, const std::array<Index, count>& values) {
  out.open('[');
  for (const Index value : values) out.whole(value);
  out.close();
}

/// Asked for each member of a lab and of a default one, in turn: writes those that differ.
template <class Lab>
void writeMembers(JsonWriter& out, const Lab& lab) {
  std::vector<std::string> standard;
  std::size_t at = 0;
  bool isWriting = false;
  const auto textOf = [](const auto& value) {
    JsonWriter alone;
    writeValue(alone, value);
    return alone.take();
  };
  const auto visit = [&](const char* key, const auto& value, const auto&... words) {
    using Value = std::remove_cvref_t<decltype(value)>;
    std::string text;
    if constexpr (std::is_enum_v<Value>)
      text = std::to_string(static_cast<int>(value));
    else
      text = textOf(value);
    if (!isWriting) return standard.push_back(text);
    if (standard[at++] == text) return;
    out.key(key);
    if constexpr (std::is_enum_v<Value>)
      out.text(wordFor(words..., value));
    else
      writeValue(out, value);
  };
  const Lab plain;
  visitMembers(plain, visit);
  isWriting = true;
  visitMembers(lab, visit);
}

}  // namespace

Labs readLabs(const JsonReader& place) {
  Labs labs;
  std::vector<std::string_view> known;
  visitLabs(labs, [&](const char* key, auto& lab) {
    known.push_back(key);
    if (!place.has(key)) return;
    const JsonReader inner = place.at(key);
    MemberReader members{inner};
    visitMembers(lab, members);
    refuseOthers(inner, members.keys);
  });
  refuseOthers(place, known);
  return labs;
}

void writeLabs(JsonWriter& out, const Labs& labs) {
  out.open('{', JsonWriter::Layout::lines);
  visitLabs(labs, [&](const char* key, const auto& lab) {
    if (lab == std::remove_cvref_t<decltype(lab)>{}) return;
    out.key(key).open('{');
    writeMembers(out, lab);
    out.close();
  });
  out.close();
}

}  // namespace attn
