#include "core/io/npy.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/error.h"

namespace attn {
namespace {

std::vector<std::byte> toBytes(const std::string& text) {
  std::vector<std::byte> bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

template <typename T>
std::string raw(const std::vector<T>& values, bool bigEndian = false) {
  std::string bytes;
  for (const T& value : values) {
    std::string item(reinterpret_cast<const char*>(&value), sizeof value);
    if (bigEndian == (std::endian::native == std::endian::little)) item = {item.rbegin(), item.rend()};
    bytes += item;
  }
  return bytes;
}

/// An .npy file with the given dict, whatever it says.
std::string npy(const std::string& dict, const std::string& data, int version = 1) {
  std::string file = "\x93NUMPY";
  file += {static_cast<char>(version), '\0'};
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) file += static_cast<char>(dict.size() >> (8 * i) & 0xff);
  return file + dict + data;
}

std::string dictOf(const std::string& descr, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }\n";
}

NpyArray parse(const std::string& file) {
  return parseNpy(toBytes(file), "a.npz: array 'q'");
}

std::vector<double> valuesOf(const NpyArray& array) {
  std::vector<double> values;
  for (std::size_t i = 0; i < array.count(); ++i) values.push_back(array.at(i));
  return values;
}

/// The error line without its start.
std::string refusal(const std::string& file) {
  const std::string where = "a.npz: array 'q': ";
  try {
    parse(file);
  } catch (const Error& error) {
    const std::string line = error.what();
    EXPECT_EQ(line.substr(0, where.size()), where);
    return line.substr(std::min(where.size(), line.size()));
  }
  return "no error";
}

std::string refusalOfType(const std::string& descr) {
  return refusal(npy(dictOf(descr, "(1,)"), "12345678"));
}

using Shape = std::vector<std::size_t>;

TEST(Npy, ReadsEveryFormatVersion) {
  for (const int version : {1, 2, 3}) {
    const NpyArray array = parse(npy(dictOf("<f4", "(2, 1)"), raw<float>({1.5f, -2.0f}), version));
    EXPECT_EQ(array.shape, (Shape{2, 1}));
    EXPECT_EQ(array.type, ElementType::float32);
    EXPECT_EQ(valuesOf(array), (std::vector<double>{1.5, -2.0}));
  }
}

TEST(Npy, ReadsEveryTypeInBothByteOrders) {
  const std::vector<double> expected{1.5, -2.0, 1e30};
  for (const bool big : {false, true}) {
    const std::string order = big ? ">" : "<";
    const NpyArray doubles = parse(npy(dictOf(order + "f8", "(3,)"), raw<double>(expected, big)));
    EXPECT_EQ(doubles.type, ElementType::float64);
    EXPECT_EQ(valuesOf(doubles), expected);
    const NpyArray floats = parse(npy(dictOf(order + "f4", "(3,)"), raw<float>({1.5f, -2.f, 1e30f}, big)));
    EXPECT_EQ(floats.type, ElementType::float32);
    EXPECT_EQ(valuesOf(floats), (std::vector<double>{1.5, -2.0, static_cast<double>(1e30f)}));
  }
}

TEST(Npy, ReadsNativeByteOrder) {
  const bool big = std::endian::native == std::endian::big;
  for (const char* descr : {"=f4", "f4", "|f4"})
    EXPECT_EQ(parse(npy(dictOf(descr, "(1,)"), raw<float>({0.25f}, big))).at(0), 0.25);
}

TEST(Npy, NormalisesBooleans) {
  for (const char* descr : {"|b1", "b1", "<b1"}) {
    const NpyArray array = parse(npy(dictOf(descr, "(2, 2)"), std::string("\0\1\2\xff", 4)));
    EXPECT_EQ(array.type, ElementType::boolean);
    EXPECT_EQ(array.bytes, (std::vector<std::byte>{std::byte{0}, std::byte{1}, std::byte{1}, std::byte{1}}));
    EXPECT_EQ(valuesOf(array), (std::vector<double>{0, 1, 1, 1}));
  }
}

TEST(Npy, TurnsFortranOrderIntoCOrder) {
  // [[0, 1, 2], [3, 4, 5]] by columns.
  const NpyArray matrix = parse(npy(dictOf("<f8", "(2, 3)", true), raw<double>({0, 3, 1, 4, 2, 5})));
  EXPECT_EQ(valuesOf(matrix), (std::vector<double>{0, 1, 2, 3, 4, 5}));
  const NpyArray swapped = parse(npy(dictOf(">f4", "(2, 3)", true), raw<float>({0, 3, 1, 4, 2, 5}, true)));
  EXPECT_EQ(valuesOf(swapped), (std::vector<double>{0, 1, 2, 3, 4, 5}));
}

TEST(Npy, TurnsFortranOrderOfHighRankIntoCOrder) {
  const Shape shape{2, 3, 1, 2, 2, 1, 3, 2};
  const std::size_t count = 144;
  std::vector<double> source(count);
  std::vector<double> expected(count);
  for (std::size_t flat = 0; flat < count; ++flat) {
    std::size_t rest = flat;
    std::size_t place = count;
    std::size_t fortran = 0;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      place /= shape[axis];
      fortran += rest % shape[axis] * place;
      rest /= shape[axis];
    }
    source[fortran] = expected[flat] = static_cast<double>(flat);
  }
  const NpyArray array = parse(npy(dictOf("<f8", "(2, 3, 1, 2, 2, 1, 3, 2)", true), raw(source)));
  EXPECT_EQ(array.shape, shape);
  EXPECT_EQ(valuesOf(array), expected);
}

TEST(Npy, ReadsScalarsAndEmptyArrays) {
  for (const bool fortran : {false, true}) {
    const NpyArray scalar = parse(npy(dictOf("<f4", "()", fortran), raw<float>({7})));
    EXPECT_TRUE(scalar.shape.empty());
    EXPECT_EQ(valuesOf(scalar), std::vector<double>{7});
    const NpyArray empty = parse(npy(dictOf("<f4", "(3, 0, 2)", fortran), ""));
    EXPECT_EQ(empty.shape, (Shape{3, 0, 2}));
    EXPECT_EQ(empty.count(), 0u);
  }
}

TEST(Npy, BothWaysInGiveTheSame) {
  const std::vector<std::byte> file =
      toBytes(npy(dictOf("<f8", "(2, 3)", true), raw<double>({0, 3, 1, 4, 2, 5})));
  const NpyArray viewed = parseNpy(std::span(file), "w");
  const NpyArray taken = parseNpy(std::vector(file), "w");
  EXPECT_EQ(viewed.shape, taken.shape);
  EXPECT_EQ(viewed.bytes, taken.bytes);
}

TEST(Npy, ReadsTheHeaderAsPythonDoes) {
  const std::string data = raw<float>({1, 2});
  for (const char* dict : {
           "{'shape':(2,),'descr':'<f4','fortran_order':False}",
           "{\"fortran_order\" : False ,\t\"shape\" : ( 2 , ) , \"descr\" : \"<f4\" , }   \n",
           "  {'descr':\n'<f4', 'shape': (2L,), 'fortran_order': True}",
           "{'descr': '<f4', 'shape': (1, 2,), 'fortran_order': False,}",
           "{'descr': '<f4', 'shape': (1L, 2L), 'fortran_order': False,}",
       })
    EXPECT_EQ(valuesOf(parse(npy(dict, data))), (std::vector<double>{1, 2})) << dict;
}

TEST(Npy, RefusesMalformedHeaders) {
  const std::string start = "malformed npy header: expected ";
  const auto malformed = [](const std::string& dict) { return refusal(npy(dict, "1234")); };
  EXPECT_EQ(malformed(""), start + "'{' at character 0");
  EXPECT_EQ(malformed("{"), start + "a string at character 1");
  EXPECT_EQ(malformed("{'descr"), start + "a plain string at character 7");
  EXPECT_EQ(malformed("{'de\\x73cr': '<f4'}"), start + "a plain string at character 10");
  EXPECT_EQ(malformed("{'descr' '<f4'}"), start + "':' at character 9");
  EXPECT_EQ(malformed("{'descr': '<f4' 'shape': ()}"), start + "'}' at character 16");
  EXPECT_EQ(malformed("{'fortran_order': 1}"), start + "True or False at character 18");
  EXPECT_EQ(malformed("{'shape': 4}"), start + "'(' at character 10");
  EXPECT_EQ(malformed("{'shape': (4)}"), start + "',' at character 12");
  EXPECT_EQ(malformed("{'shape': (-1,)}"), start + "a length of at most 64 bits at character 11");
  EXPECT_EQ(malformed("{'shape': (99999999999999999999,)}"),
            start + "a length of at most 64 bits at character 11");
  EXPECT_EQ(malformed(dictOf("<f4", "()") + "x"), start + "the end at character 56");
  EXPECT_EQ(malformed("{}"), "npy header lacks 'descr'");
  EXPECT_EQ(malformed("{'descr': '<f4'}"), "npy header lacks 'fortran_order'");
  EXPECT_EQ(malformed("{'descr': '<f4', 'fortran_order': True}"), "npy header lacks 'shape'");
  EXPECT_EQ(malformed("{'other': 1}"), "npy header has an unexpected key 'other'");
  EXPECT_EQ(malformed("{'shape': (), 'shape': ()}"), "npy header has an unexpected key 'shape'");
  EXPECT_EQ(malformed("{'shape': (1,1,1,1,1,1,1,1,1)}"), "more than 8 dimensions");
}

TEST(Npy, NamesTheTypesItRefuses) {
  const std::string expected = ", expected float32, float64 or bool";
  const std::string hint = "; save it with .astype(np.float32), a mask with .astype(bool)";
  EXPECT_EQ(refusalOfType("<i8"), "dtype int64" + expected + hint);
  EXPECT_EQ(refusalOfType("|u1"), "dtype uint8" + expected + hint);
  EXPECT_EQ(refusalOfType(">i4"), "dtype int32" + expected + hint);
  EXPECT_EQ(refusalOfType("<f2"), "dtype float16" + expected + hint);
  EXPECT_EQ(refusalOfType("<f16"), "dtype float128" + expected + hint);
  EXPECT_EQ(refusalOfType("<c8"), "dtype complex64" + expected);
  EXPECT_EQ(refusalOfType("|O"), "dtype object" + expected);
  EXPECT_EQ(refusalOfType("<U3"), "dtype str" + expected);
  EXPECT_EQ(refusalOfType("|S3"), "dtype bytes" + expected);
  EXPECT_EQ(refusalOfType("<M8[ns]"), "dtype datetime64" + expected);
  EXPECT_EQ(refusalOfType("|V2"), "dtype void" + expected);
  EXPECT_EQ(refusalOfType("nonsense"), "dtype 'nonsense'" + expected);
  EXPECT_EQ(refusalOfType(""), "dtype ''" + expected);
  EXPECT_EQ(refusal(npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", "1234")),
            "dtype structured" + expected);
}

TEST(Npy, RefusesTheWrongAmountOfData) {
  EXPECT_EQ(refusal(npy(dictOf("<f4", "(32, 32)"), std::string(100, 'x'))),
            "truncated: 4096 bytes of data expected for shape (32, 32) float32, 100 found");
  EXPECT_EQ(refusal(npy(dictOf("<f8", "(2,)"), std::string(17, 'x'))),
            "too long: 16 bytes of data expected for shape (2,) float64, 17 found");
  EXPECT_EQ(refusal(npy(dictOf("|b1", "()"), "")),
            "truncated: 1 bytes of data expected for shape () bool, 0 found");
  EXPECT_EQ(refusal(npy(dictOf("<f4", "(1000000000000,)"), "")),
            "truncated: 4000000000000 bytes of data expected for shape (1000000000000,) float32, 0 found");
}

TEST(Npy, RefusesShapesThatOverflow) {
  EXPECT_EQ(refusal(npy(dictOf("<f4", "(4611686018427387904, 4)"), "")),
            "shape (4611686018427387904, 4) float32 is too large");
  EXPECT_EQ(refusal(npy(dictOf("|b1", "(18446744073709551615,)"), "")),
            "shape (18446744073709551615,) bool is too large");
  EXPECT_EQ(refusal(npy(dictOf("<f4", "(0, 4611686018427387904, 4)"), "")),
            "shape (0, 4611686018427387904, 4) float32 is too large");
}

TEST(Npy, RefusesBadStarts) {
  EXPECT_EQ(refusal(""), "not an npy array: it does not start with \\x93NUMPY");
  EXPECT_EQ(refusal("PK\3\4 and more"), "not an npy array: it does not start with \\x93NUMPY");
  EXPECT_EQ(refusal("\x93NUMPY"), "truncated: the npy header is incomplete");
  EXPECT_EQ(refusal(npy("", "", 4)), "npy format 4.0, expected 1.0, 2.0 or 3.0");
  EXPECT_EQ(refusal(npy("{}", "").substr(0, 11)), "truncated: an npy header of 2 bytes expected, 1 found");
}

TEST(Npy, EveryTruncationIsAnError) {
  for (const int version : {1, 2, 3}) {
    const std::string file = npy(dictOf("<f4", "(2, 2)"), raw<float>({1, 2, 3, 4}), version);
    for (std::size_t length = 0; length < file.size(); ++length)
      EXPECT_NE(refusal(file.substr(0, length)), "no error") << length;
  }
}

TEST(Npy, HeaderIsAlignedAndReadBack) {
  for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::boolean})
    for (const Shape& shape : {Shape{}, Shape{3}, Shape{2, 3}, Shape{0, 7}, Shape{1, 2, 1, 2, 1, 2, 1, 2}}) {
      const std::string header = npyHeader(type, shape);
      EXPECT_EQ(header.size() % 64, 0u);
      EXPECT_EQ(header[6], '\1');
      EXPECT_EQ(header.back(), '\n');
      std::size_t count = 1;
      for (const std::size_t length : shape) count *= length;
      const NpyArray array = parse(header + std::string(count * itemSize(type), '\0'));
      EXPECT_EQ(array.shape, shape);
      EXPECT_EQ(array.type, type);
    }
}

TEST(Npy, LongHeaderIsVersion2) {
  const std::string header = npyHeader(ElementType::float32, Shape(30000, 1));
  EXPECT_EQ(header[6], '\2');
  EXPECT_EQ(header.size() % 64, 0u);
  EXPECT_EQ(refusal(header + "1234"), "more than 8 dimensions");
}

TEST(Npy, ErrorLinesStayOneLine) {
  EXPECT_EQ(printable("a\nb\x7f"), "a?b?");
  EXPECT_EQ(printable("q\u00e9"), "q\u00e9");
  EXPECT_EQ(printable(std::string(60, 'x')), std::string(60, 'x'));
  EXPECT_EQ(printable(std::string(61, 'x')), std::string(60, 'x') + "...");
  EXPECT_EQ(printable(std::string(59, 'x') + "\u00e9"), std::string(59, 'x') + "...");
}

}  // namespace
}  // namespace attn
