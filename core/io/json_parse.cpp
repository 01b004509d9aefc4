#include "core/io/json_parse.h"

#include <algorithm>
#include <vector>

#include "core/error.h"

namespace attn {
namespace {

using nlohmann::json;

constexpr std::size_t kDeepest = 16;
/// What a byte of text can become in memory: small objects are the worst, with a tree node for a few bytes.
constexpr std::uint64_t kMemoryPerByte = 24;

/// "line 3, column 7", of the byte at an offset.
std::string lineAndColumn(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t lineStart = before.rfind('\n') + 1;  // npos + 1 is 0
  return "line " + std::to_string(lines + 1) + ", column " + std::to_string(before.size() - lineStart + 1);
}

/// The last few bytes of a line up to and with the byte at an offset.
std::string_view excerpt(std::string_view text, std::size_t offset) {
  constexpr std::size_t kLength = 20;
  std::string_view until = text.substr(0, offset + 1);
  if (until.ends_with('\n')) until.remove_suffix(1);
  const std::size_t lineStart = until.rfind('\n') + 1;
  return until.substr(std::max(lineStart, until.size() - std::min(until.size(), kLength)));
}

/// What the parser says, without the place: "invalid literal", "unexpected ']', expected '}'".
std::string reasonOf(std::string_view message) {
  const std::size_t dash = message.find(" - ");
  if (dash != std::string_view::npos) message.remove_prefix(dash + 3);
  message = message.substr(0, message.find("; last read: "));
  const std::size_t semicolon = message.find("; ");
  std::string reason(message);
  if (semicolon != std::string_view::npos) reason[semicolon] = ',';
  return reason;
}

/// Builds the document from the parser's events. The library's own builder takes any depth and lets a later
/// key replace an earlier one; this one refuses both, and knows the path of a number that is too large.
class DocumentBuilder final : public nlohmann::json_sax<json> {
 public:
  DocumentBuilder(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  json take() { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // never in text
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = levels_.back();
    level.key.clear();
    if (level.node->contains(name)) refuse("found the key " + inQuotes(name) + " twice, expected it once");
    level.key = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token, const json::exception& error) override {
    constexpr int kNumberOverflow = 406;
    if (error.id == kNumberOverflow) {
      // Not yet in its list, so that the path ends at the place that it would have taken.
      if (!levels_.empty() && levels_.back().node->is_array()) levels_.back().node->push_back(nullptr);
      refuse("found " + token.substr(0, 40) + ", expected a number within ±1.7e308");
    }
    const std::size_t offset = std::min(position > 0 ? position - 1 : 0, text_.size());
    throw Error(where_ + ": " + lineAndColumn(text_, offset) + ": not JSON: " + reasonOf(error.what()) +
                ", at " + inQuotes(excerpt(text_, offset)));
  }

 private:
  struct Level {
    json* node;
    std::string key;  // of the member being read
  };

  template <class Value>
  json* insert(Value&& value) {
    if (levels_.empty()) return &(root_ = std::forward<Value>(value));
    Level& level = levels_.back();
    if (level.node->is_array()) return &level.node->emplace_back(std::forward<Value>(value));
    return &((*level.node)[level.key] = std::forward<Value>(value));
  }

  template <class Value>
  bool put(Value&& value) {
    insert(std::forward<Value>(value));
    return true;
  }

  bool open(json container) {
    json* node = insert(std::move(container));
    if (levels_.size() == kDeepest)
      refuse("found more than " + std::to_string(kDeepest) + " levels of brackets, expected a scene");
    levels_.push_back({node, {}});
    return true;
  }

  bool close() {
    levels_.pop_back();
    return true;
  }

  [[noreturn]] void refuse(const std::string& line) const {
    std::string path;
    for (const Level& level : levels_) {
      if (level.node->is_array() && !level.node->empty())
        path += "[" + std::to_string(level.node->size() - 1) + "]";
      else if (!level.key.empty())
        path += (path.empty() ? "" : ".") + plain(level.key);
    }
    throw Error(where_ + ": " + (path.empty() ? "" : path + ": ") + line);
  }

  static std::string plain(const std::string& key) {
    const std::string text = inQuotes(key);
    return text.substr(1, text.size() - 2);
  }

  std::string_view text_;
  const std::string& where_;
  json root_;
  std::vector<Level> levels_;
};

}  // namespace

json parseJson(std::string_view text, const std::string& where, std::uint64_t memoryLimit) {
  if (text.size() > memoryLimit / kMemoryPerByte)
    throw Error(where + ": found " + std::to_string(text.size()) + " bytes of text, expected at most " +
                std::to_string(memoryLimit / kMemoryPerByte) + " for the memory available");
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  // The parser takes a NUL for the end of the text.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    throw Error(where + ": " + lineAndColumn(text, nul) + ": found a NUL byte, expected text");
  DocumentBuilder builder(text, where);
  json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

std::string inQuotes(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::size_t length = std::min(text.size(), kMost);
  // Never cut a UTF-8 character in half: go back over bytes of the form 10xxxxxx.
  if (length < text.size())
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;
  const json shortened = std::string(text.substr(0, length)) + (length < text.size() ? "..." : "");
  std::string result = shortened.dump(-1, ' ', true, json::error_handler_t::replace);
  // DEL is the one control character that JSON leaves as it is.
  for (std::size_t at; (at = result.find('\x7f')) != std::string::npos;) result.replace(at, 1, "\\u007f");
  return result;
}

}  // namespace attn
