#include "core/io/npy.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "core/error.h"

namespace attn {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostDimensions = 8;
constexpr std::string_view kReadable = "expected float32, float64 or bool";

struct Format {
  ElementType type = ElementType::float32;
  bool swapped = false;  // not the byte order of this machine
};

struct Layout {
  std::optional<Format> format;
  std::optional<bool> fortranOrder;
  std::optional<std::vector<std::size_t>> shape;
};

const char* nameOf(ElementType type) {
  switch (type) {
    case ElementType::float32:
      return "float32";
    case ElementType::float64:
      return "float64";
    case ElementType::boolean:
      break;
  }
  return "bool";
}

/// As Python writes a tuple: (), (3,), (3, 4).
std::string tupleText(const std::vector<std::size_t>& shape) {
  std::string text = "(";
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    text += (axis > 0 ? ", " : "") + std::to_string(shape[axis]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

/// NumPy's name of a type code without its byte order: "i8" is int64.
std::string friendlyName(std::string_view code) {
  constexpr std::pair<char, const char*> kSized[] = {
      {'i', "int"}, {'u', "uint"}, {'f', "float"}, {'c', "complex"}};
  constexpr std::pair<char, const char*> kOthers[] = {{'O', "object"},      {'S', "bytes"},
                                                      {'U', "str"},         {'M', "datetime64"},
                                                      {'m', "timedelta64"}, {'V', "void"}};
  const char kind = code.empty() ? '\0' : code.front();
  int size = 0;
  std::from_chars(code.data() + std::min<std::size_t>(code.size(), 1), code.data() + code.size(), size);
  for (const auto& [letter, name] : kSized)
    if (kind == letter && size > 0 && size <= 32) return name + std::to_string(8 * size);
  for (const auto& [letter, name] : kOthers)
    if (kind == letter) return name;
  return "'" + printable(code) + "'";
}

Format formatOf(std::string_view descr, const std::string& where) {
  const char order = descr.empty() ? '=' : descr.front();
  const bool ordered = std::string_view("<>|=").find(order) != std::string_view::npos;
  const std::string_view code = ordered && !descr.empty() ? descr.substr(1) : descr;
  const char foreign = std::endian::native == std::endian::little ? '>' : '<';
  if (code == "f4") return {ElementType::float32, order == foreign};
  if (code == "f8") return {ElementType::float64, order == foreign};
  if (code == "b1") return {ElementType::boolean, false};
  const std::string name = friendlyName(code);
  const bool castable = name.starts_with("int") || name.starts_with("uint") || name.starts_with("float");
  throw Error(where + ": dtype " + name + ", " + std::string(kReadable) +
              (castable ? "; save it with .astype(np.float32), a mask with .astype(bool)" : ""));
}

/// Reads the Python dict literal of a header, and nothing that such a header does not need.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  Layout parse() {
    Layout layout;
    expect('{');
    while (!accept('}')) {
      readEntry(layout);
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skipSpace();
    if (at_ != text_.size()) fail("the end");
    if (!layout.format) throw Error(where_ + ": npy header lacks 'descr'");
    if (!layout.fortranOrder) throw Error(where_ + ": npy header lacks 'fortran_order'");
    if (!layout.shape) throw Error(where_ + ": npy header lacks 'shape'");
    return layout;
  }

 private:
  void readEntry(Layout& layout) {
    const std::string_view key = readString();
    expect(':');
    if (key == "descr" && !layout.format) {
      layout.format = readFormat();
    } else if (key == "fortran_order" && !layout.fortranOrder) {
      layout.fortranOrder = readBool();
    } else if (key == "shape" && !layout.shape) {
      layout.shape = readShape();
    } else {
      throw Error(where_ + ": npy header has an unexpected key '" + printable(key) + "'");
    }
  }

  Format readFormat() {
    if (next() == '[' || next() == '(') throw Error(where_ + ": dtype structured, " + std::string(kReadable));
    return formatOf(readString(), where_);
  }

  std::string_view readString() {
    const char quote = next();
    if (quote != '\'' && quote != '"') fail("a string");
    const std::size_t start = ++at_;
    at_ = std::min(text_.find(quote, start), text_.size());
    const std::string_view value = text_.substr(start, at_ - start);
    if (at_ == text_.size() || value.find('\\') != std::string_view::npos) fail("a plain string");
    ++at_;
    return value;
  }

  bool readBool() {
    skipSpace();
    for (const auto& [word, value] : {std::pair("True", true), std::pair("False", false)}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += std::strlen(word);
      return value;
    }
    fail("True or False");
  }

  std::vector<std::size_t> readShape() {
    std::vector<std::size_t> shape;
    expect('(');
    while (!accept(')')) {
      if (shape.size() == kMostDimensions)
        throw Error(where_ + ": more than " + std::to_string(kMostDimensions) + " dimensions");
      shape.push_back(readLength());
      if (accept(',')) continue;
      if (shape.size() == 1) fail("','");  // to Python (3) is a number, only (3,) is a tuple
      expect(')');
      break;
    }
    return shape;
  }

  std::size_t readLength() {
    skipSpace();
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("a length of at most 64 bits");
    at_ = static_cast<std::size_t>(end - text_.data());
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote long integers so
    return value;
  }

  void skipSpace() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  /// The next character that is not space, NUL at the end. Stays in front of it.
  char next() {
    skipSpace();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool accept(char wanted) {
    if (next() != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) fail(std::string("'") + wanted + "'");
  }

  [[noreturn]] void fail(const std::string& wanted) const {
    throw Error(where_ + ": malformed npy header: expected " + wanted + " at character " +
                std::to_string(at_));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  const std::string& where_;
};

/// Where the dict of the header lies: right after the length field, of 2 bytes in version 1.0 and of 4 later.
std::pair<std::size_t, std::size_t> headerExtent(std::string_view file, const std::string& where) {
  if (!file.starts_with(kMagic)) throw Error(where + ": not an npy array: it does not start with \\x93NUMPY");
  const auto byteAt = [&](std::size_t at) -> std::size_t {
    if (at >= file.size()) throw Error(where + ": truncated: the npy header is incomplete");
    return static_cast<unsigned char>(file[at]);
  };
  const std::size_t major = byteAt(6);
  const std::size_t minor = byteAt(7);
  if (major < 1 || major > 3 || minor != 0)
    throw Error(where + ": npy format " + std::to_string(major) + "." + std::to_string(minor) +
                ", expected 1.0, 2.0 or 3.0");
  const std::size_t start = major == 1 ? 10 : 12;
  std::size_t length = 0;
  for (std::size_t at = start; at-- > 8;) length = length << 8 | byteAt(at);
  if (length > file.size() - start)
    throw Error(where + ": truncated: an npy header of " + std::to_string(length) + " bytes expected, " +
                std::to_string(file.size() - start) + " found");
  return {start, length};
}

/// Bytes of an array, refusing every shape whose size does not fit (also where a zero hides it).
std::size_t byteCount(const std::vector<std::size_t>& shape, ElementType type, const std::string& where) {
  std::size_t bytes = itemSize(type);
  bool empty = false;
  for (const std::size_t length : shape) {
    empty = empty || length == 0;
    if (length != 0 && (__builtin_mul_overflow(bytes, length, &bytes) || bytes > PTRDIFF_MAX))
      throw Error(where + ": shape " + tupleText(shape) + " " + nameOf(type) + " is too large");
  }
  return empty ? 0 : bytes;
}

/// Reads the header and holds the data's size against it: returns the layout and where the data starts.
std::pair<Layout, std::size_t> readLayout(std::span<const std::byte> file, const std::string& where) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const auto [start, length] = headerExtent(text, where);
  Layout layout = HeaderParser(text.substr(start, length), where).parse();
  const std::size_t dataStart = start + length;
  const std::size_t found = file.size() - dataStart;
  const std::size_t expected = byteCount(*layout.shape, layout.format->type, where);
  if (found != expected)
    throw Error(where + ": " + (found < expected ? "truncated" : "too long") + ": " +
                std::to_string(expected) + " bytes of data expected for shape " + tupleText(*layout.shape) +
                " " + nameOf(layout.format->type) + ", " + std::to_string(found) + " found");
  return {std::move(layout), dataStart};
}

/// Walks the result in order and keeps the matching place in the source, where the first axis is dense.
std::vector<std::byte> fromFortranOrder(const std::vector<std::byte>& source,
                                        const std::vector<std::size_t>& shape, std::size_t size) {
  std::vector<std::size_t> strides;
  std::size_t stride = size;
  for (const std::size_t length : shape) {
    strides.push_back(stride);
    stride *= length;
  }
  std::vector<std::byte> result(source.size());
  std::vector<std::size_t> index(shape.size(), 0);
  std::size_t from = 0;
  for (std::size_t to = 0; to < result.size(); to += size) {
    std::memcpy(&result[to], &source[from], size);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      from += strides[axis];
      if (++index[axis] < shape[axis]) break;
      from -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return result;
}

NpyArray assemble(Layout&& layout, std::vector<std::byte>&& data) {
  NpyArray array{std::move(*layout.shape), layout.format->type, std::move(data)};
  const std::size_t size = itemSize(array.type);
  if (array.type == ElementType::boolean)
    for (std::byte& value : array.bytes) value = std::byte{value != std::byte{0}};
  if (layout.format->swapped)
    for (std::size_t at = 0; at < array.bytes.size(); at += size)
      std::reverse(array.bytes.data() + at, array.bytes.data() + at + size);
  if (*layout.fortranOrder && array.shape.size() > 1 && !array.bytes.empty())
    array.bytes = fromFortranOrder(array.bytes, array.shape, size);
  return array;
}

template <typename T>
T loadItem(const std::vector<std::byte>& bytes, std::size_t flat) {
  T value;
  std::memcpy(&value, bytes.data() + flat * sizeof(T), sizeof(T));
  return value;
}

}  // namespace

std::size_t itemSize(ElementType type) {
  switch (type) {
    case ElementType::float32:
      return 4;
    case ElementType::float64:
      return 8;
    case ElementType::boolean:
      break;
  }
  return 1;
}

std::size_t NpyArray::count() const {
  return bytes.size() / itemSize(type);
}

double NpyArray::at(std::size_t flat) const {
  assert(flat < count());
  switch (type) {
    case ElementType::float32:
      return static_cast<double>(loadItem<float>(bytes, flat));
    case ElementType::float64:
      return loadItem<double>(bytes, flat);
    case ElementType::boolean:
      break;
  }
  return bytes[flat] == std::byte{0} ? 0.0 : 1.0;
}

NpyArray parseNpy(std::span<const std::byte> file, const std::string& where) {
  auto [layout, dataStart] = readLayout(file, where);
  const auto data = file.subspan(dataStart);
  return assemble(std::move(layout), std::vector<std::byte>(data.begin(), data.end()));
}

NpyArray parseNpy(std::vector<std::byte>&& file, const std::string& where) {
  auto [layout, dataStart] = readLayout(file, where);
  file.erase(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(dataStart));
  return assemble(std::move(layout), std::move(file));
}

std::string npyHeader(ElementType type, const std::vector<std::size_t>& shape) {
  const char order = std::endian::native == std::endian::little ? '<' : '>';
  const std::string descr =
      type == ElementType::boolean ? "|b1" : order + ("f" + std::to_string(itemSize(type)));
  std::string dict =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + tupleText(shape) + ", }";

  // Version 1.0 has 2 bytes for the length; the data starts at a multiple of 64 so that it can be mapped.
  const bool large = dict.size() + 64 > UINT16_MAX;
  const std::size_t lengthBytes = large ? 4 : 2;
  const std::size_t before = kMagic.size() + 2 + lengthBytes;
  const std::size_t padding = 63 - (before + dict.size()) % 64;
  dict += std::string(padding, ' ') + '\n';

  std::string header(kMagic);
  header += {large ? '\2' : '\1', '\0'};
  for (std::size_t i = 0; i < lengthBytes; ++i) header += static_cast<char>(dict.size() >> (8 * i) & 0xff);
  return header + dict;
}

std::string printable(std::string_view text, std::size_t most) {
  std::size_t length = std::min(text.size(), most);
  // Never cut a UTF-8 character in half: go back over bytes of the form 10xxxxxx.
  if (length < text.size())
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;
  std::string result(text.substr(0, length));
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return length < text.size() ? result + "..." : result;
}

}  // namespace attn
