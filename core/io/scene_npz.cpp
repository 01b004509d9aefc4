#include "core/io/scene_npz.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

#include "core/error.h"
#include "core/io/available_memory.h"
#include "core/io/npz.h"
#include "core/io/scene_json.h"

namespace attn {
namespace {

using Arrays = std::map<std::string, NpyArray>;
constexpr const char* kNames[] = {"q",   "k",   "v",   "x",    "x_kv",        "w_q",
                                  "w_k", "w_v", "w_o", "mask", "key_padding", "d_out"};

std::string shapeOf(const NpyArray& array) {
  std::string text = "(";
  for (std::size_t i = 0; i < array.shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(array.shape[i]);
  return text + (array.shape.size() == 1 ? ",)" : ")");
}

/// The arrays of one file, with errors that name the file and the array.
class Reader {
 public:
  Reader(const Arrays& arrays, const std::string& where) : arrays_(arrays), where_(where) {}

  bool has(const std::string& name) const { return arrays_.count(name) > 0; }

  [[noreturn]] void fail(const std::string& name, const std::string& found,
                         const std::string& expected) const {
    throw Error(where_ + ": array '" + name + "': " + found + ", expected " + expected);
  }

  /// An array of floats with 2 or 3 axes, as one matrix a head.
  std::vector<InputOf<double>> heads(const std::string& name, const std::string& shape) const {
    const NpyArray& array = numbers(name, shape);
    const std::size_t rank = array.shape.size();
    if (rank != 2 && rank != 3) fail(name, "shape " + shapeOf(array), shape);
    // Before anything is made a head: a shape may promise billions of heads of nothing.
    if (array.count() == 0)
      fail(name, "shape " + shapeOf(array), "at least one head, one row and one column");
    const std::size_t count = rank == 3 ? array.shape[0] : 1;
    if (count > static_cast<std::size_t>(kMostHeads))
      fail(name, std::to_string(count) + " heads", "at most " + std::to_string(kMostHeads));
    std::vector<InputOf<double>> all;
    for (std::size_t h = 0; h < count; ++h) all.push_back({matrixAt(array, h), {}});
    return all;
  }

  InputOf<double> single(const std::string& name, const std::string& shape) const {
    const NpyArray& array = numbers(name, shape);
    if (array.shape.size() != 2) fail(name, "shape " + shapeOf(array), shape);
    if (array.count() == 0) fail(name, "shape " + shapeOf(array), "at least one row and one column");
    return {matrixAt(array, 0), {}};
  }

  const NpyArray& any(const std::string& name, const std::string& expected) const {
    if (!has(name)) throw Error(where_ + ": no array '" + name + "', expected " + expected);
    return arrays_.at(name);
  }

  void expectKnownNames() const {
    for (const auto& [name, array] : arrays_) {
      if (std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames)) continue;
      std::string known;
      for (const char* each : kNames) known += (known.empty() ? "" : ", ") + std::string(each);
      throw Error(where_ + ": array '" + printable(name) + "' is not known, expected some of " + known);
    }
  }

  /// The matrix of one head, whatever the type.
  static MatrixOf<double> matrixAt(const NpyArray& array, std::size_t head) {
    const std::size_t rank = array.shape.size();
    const auto rows = static_cast<Index>(array.shape[rank - 2]),
               cols = static_cast<Index>(array.shape[rank - 1]);
    MatrixOf<double> m(rows, cols);
    const std::size_t first = head * static_cast<std::size_t>(m.size());
    for (Index i = 0; i < m.size(); ++i) m.data()[i] = array.at(first + static_cast<std::size_t>(i));
    return m;
  }

 private:
  const NpyArray& numbers(const std::string& name, const std::string& shape) const {
    const NpyArray& array = any(name, shape);
    if (array.type == ElementType::boolean) fail(name, "dtype bool", "float32 or float64");
    return array;
  }

  const Arrays& arrays_;
  const std::string& where_;
};

void expectSameHeads(const Reader& reader, const std::string& name, std::size_t found,
                     const std::string& other, std::size_t expected) {
  if (found == expected) return;
  const auto heads = [](std::size_t n) { return std::to_string(n) + (n == 1 ? " head" : " heads"); };
  reader.fail(name, heads(found), heads(expected) + " as in '" + other + "'");
}

void readGiven(const Reader& reader, SourceOf<double>& source) {
  const auto q = reader.heads("q", "(n_q, d_k) or (heads, n_q, d_k)");
  const auto k = reader.heads("k", "(n_k, d_k) or (heads, n_k, d_k)");
  const auto v = reader.heads("v", "(n_k, d_v) or (heads, n_k, d_v)");
  expectSameHeads(reader, "k", k.size(), "q", q.size());
  expectSameHeads(reader, "v", v.size(), "q", q.size());
  source.kind = SourceOf<double>::Kind::given;
  for (std::size_t h = 0; h < q.size(); ++h) source.given.push_back({q[h], k[h], v[h]});
}

void readProjected(const Reader& reader, SourceOf<double>& source) {
  source.kind = SourceOf<double>::Kind::projected;
  source.x = reader.single("x", "(n, d)");
  if (reader.has("x_kv")) source.other = reader.single("x_kv", "(n_k, d)");
  const auto wq = reader.heads("w_q", "(d, d_k) or (heads, d, d_k)");
  const auto wk = reader.heads("w_k", "(d, d_k) or (heads, d, d_k)");
  const auto wv = reader.heads("w_v", "(d, d_v) or (heads, d, d_v)");
  expectSameHeads(reader, "w_k", wk.size(), "w_q", wq.size());
  expectSameHeads(reader, "w_v", wv.size(), "w_q", wq.size());
  for (std::size_t h = 0; h < wq.size(); ++h) source.projected.push_back({wq[h], wk[h], wv[h]});
}

void readSource(const Reader& reader, const std::string& where, SourceOf<double>& source) {
  const bool given = reader.has("q") || reader.has("k") || reader.has("v");
  if (given && reader.has("x"))
    throw Error(where + ": found both 'q', 'k', 'v' and 'x', expected one or the other");
  if (!given && !reader.has("x"))
    throw Error(where + ": found neither 'q' nor 'x', expected q, k, v or x, w_q, w_k, w_v");
  if (given) {
    for (const char* name : {"x_kv", "w_q", "w_k", "w_v"})
      if (reader.has(name))
        throw Error(where + ": found '" + name + "' beside 'q', expected it only beside 'x'");
    readGiven(reader, source);
  } else {
    readProjected(reader, source);
  }
  if (reader.has("w_o")) source.wo = reader.single("w_o", "(heads·d_v, d_out)");
}

/// The lowest float64, which some write for −∞, is none of float32: it hides its pair as well.
MatrixOf<double> withHidden(MatrixOf<double> bias) {
  constexpr double kLowest = std::numeric_limits<float>::lowest();
  return (bias.array() < kLowest).select(-std::numeric_limits<double>::infinity(), bias);
}

/// bool: may attend; float: added to the scores.
void readMask(const Reader& reader, const Shapes& s, PreciseScene& scene) {
  const std::string expected = "(" + std::to_string(s.queries) + ", " + std::to_string(s.keys) + ") or (" +
                               std::to_string(s.heads) + ", " + std::to_string(s.queries) + ", " +
                               std::to_string(s.keys) + ")";
  const NpyArray& array = reader.any("mask", expected);
  const std::size_t rank = array.shape.size();
  const bool fits =
      (rank == 2 ||
       (rank == 3 && (array.shape[0] == static_cast<std::size_t>(s.heads) || array.shape[0] == 1))) &&
      array.shape[rank - 2] == static_cast<std::size_t>(s.queries) &&
      array.shape[rank - 1] == static_cast<std::size_t>(s.keys);
  if (!fits) reader.fail("mask", "shape " + shapeOf(array), expected);
  PaintedRule painted;
  for (std::size_t h = 0; h < (rank == 3 ? array.shape[0] : 1); ++h) {
    if (array.type == ElementType::boolean)
      painted.mayAttend.push_back(Reader::matrixAt(array, h).cast<std::uint8_t>());
    else
      scene.bias.push_back({withHidden(Reader::matrixAt(array, h)), {}});
  }
  if (!painted.mayAttend.empty()) scene.masks.push_back(std::move(painted));
}

void readPadding(const Reader& reader, const Shapes& s, PreciseScene& scene) {
  const std::string expected = "(" + std::to_string(s.keys) + ",)";
  const NpyArray& array = reader.any("key_padding", expected);
  if (array.type != ElementType::boolean)
    reader.fail("key_padding", array.type == ElementType::float32 ? "dtype float32" : "dtype float64",
                "bool");
  if (array.shape.size() != 1 || array.shape[0] != static_cast<std::size_t>(s.keys))
    reader.fail("key_padding", "shape " + shapeOf(array), expected);
  PaddingFlagsRule rule;
  for (std::size_t j = 0; j < array.count(); ++j) rule.isPadding.push_back(array.at(j) != 0);
  scene.masks.push_back(std::move(rule));
}

/// With a W_O the gradient has the shape of `out`; without one it has that of `head_out`.
void readUpstream(const Reader& reader, const Shapes& s, PreciseScene& scene) {
  scene.upstream.kind = UpstreamOf<double>::Kind::given;
  if (scene.source.wo) {
    const std::string expected = shapeText(s.queries, s.outWidth);
    scene.upstream.matrix = reader.single("d_out", expected).values;
    if (scene.upstream.matrix.rows() != s.queries || scene.upstream.matrix.cols() != s.outWidth)
      reader.fail("d_out", "shape " + shapeOf(reader.any("d_out", expected)), expected);
    return;
  }
  const std::string one = shapeText(s.queries, s.valueWidth);
  const std::string all = "(" + std::to_string(s.heads) + ", " + std::to_string(s.queries) + ", " +
                          std::to_string(s.valueWidth) + ")";
  const std::string expected = s.heads == 1 ? one + " or " + all : all;
  const auto heads = reader.heads("d_out", expected);
  const bool fits = static_cast<Index>(heads.size()) == s.heads && heads[0].values.rows() == s.queries &&
                    heads[0].values.cols() == s.valueWidth;
  if (!fits) reader.fail("d_out", "shape " + shapeOf(reader.any("d_out", expected)), expected);
  scene.upstream.matrix.resize(s.queries, s.outWidth);
  for (Index h = 0; h < s.heads; ++h)
    scene.upstream.matrix.middleCols(h * s.valueWidth, s.valueWidth) =
        heads[static_cast<std::size_t>(h)].values;
}

}  // namespace

PreciseScene sceneOfArrays(const Arrays& arrays, const std::string& where) {
  const Reader reader(arrays, where);
  reader.expectKnownNames();
  PreciseScene scene;
  readSource(reader, where, scene.source);
  try {
    check(scene);
  } catch (const Error& error) {
    throw Error(where + ": " + error.what());
  }
  const Shapes s = shapesOf(scene);
  if (reader.has("mask")) readMask(reader, s, scene);
  if (reader.has("key_padding")) readPadding(reader, s, scene);
  if (reader.has("d_out")) readUpstream(reader, s, scene);
  return scene;
}

PreciseScene readScene(const std::filesystem::path& file) {
  const std::string where = printable(file.string(), 4096);
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  // Asked before it is opened: opening a pipe waits for somebody to write.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error(where + ": not a regular file, expected a scene file or an .npz archive");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error(where + ": " + std::strerror(errno));
  if (std::filesystem::file_size(file, error) > availableMemory())
    throw Error(where + ": larger than the memory that is free");
  std::string magic(6, '\0');
  stream.read(magic.data(), static_cast<std::streamsize>(magic.size()));
  if (magic == "\x93NUMPY")
    throw Error(where + ": a single array, expected an .npz archive: np.savez(\"in.npz\", q=q, k=k, v=v)");
  // An .npz that does not begin as an archive is a broken one, not a scene: its own reader says so.
  if (magic.starts_with("PK") || file.extension() == ".npz") return sceneOfArrays(readNpz(file), where);
  stream.clear();
  stream.seekg(0);
  std::ostringstream text;
  text << stream.rdbuf();
  return readSceneJson(text.str(), where);
}

}  // namespace attn
