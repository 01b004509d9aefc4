#include "core/io/matrix_json.h"

#include "core/fill.h"
#include "core/io/scene_words.h"

namespace attn {
namespace {

/// `cell(row, j)` reads cell j of a row.
template <class T, class Cell>
MatrixOf<T> rowsOf(const JsonReader& place, Cell cell) {
  const std::size_t rows = place.lengthOfSome("rows");
  const std::size_t cols = place[0].lengthOfSome("numbers");
  MatrixOf<T> matrix(static_cast<Index>(rows), static_cast<Index>(cols));
  for (std::size_t i = 0; i < rows; ++i) {
    const JsonReader row = place[i];
    const std::size_t found = row.length("numbers");
    if (found != cols)
      row.refuse("a row of length " + std::to_string(found), std::to_string(cols) + " as in the first row");
    for (std::size_t j = 0; j < cols; ++j)
      matrix(static_cast<Index>(i), static_cast<Index>(j)) = cell(row, j);
  }
  return matrix;
}

template <class Read>
auto oneOrPerHead(const JsonReader& place, Read read) {
  std::vector<decltype(read(place))> matrices;
  if (place.has("heads")) {
    place.allow({"heads"});
    const JsonReader heads = place.at("heads");
    const std::size_t count = heads.lengthOfSome("matrices");
    for (std::size_t h = 0; h < count; ++h) matrices.push_back(read(heads[h]));
  } else {
    matrices.push_back(read(place));
  }
  return matrices;
}

Fill readFill(const JsonReader& place) {
  Fill fill;
  fill.kind = place.at("fill").oneOf(kFillWords);
  if (fill.kind == Fill::Kind::normal) {
    place.allow({"fill", "rows", "cols", "mean", "std", "seed"});
    fill.mean = place.numberOr("mean", fill.mean);
    fill.deviation = place.numberOr("std", fill.deviation);
  } else if (fill.kind == Fill::Kind::uniform) {
    place.allow({"fill", "rows", "cols", "low", "high", "seed"});
    fill.low = place.numberOr("low", fill.low);
    fill.high = place.numberOr("high", fill.high);
  } else if (fill.kind == Fill::Kind::orthonormal) {
    place.allow({"fill", "rows", "cols", "seed"});
  } else {
    place.allow({"fill", "rows", "cols"});
  }
  if (place.has("seed")) fill.seed = place.at("seed").whole<std::uint64_t>();
  return fill;
}

}  // namespace

InputOf<double> MatrixReader::input(const JsonReader& place) {
  if (place.isObject()) return fill(place);
  if (!place.isList()) place.refuse("a list of rows or a fill");
  return {rowsOf<double>(place, [](const JsonReader& row, std::size_t j) { return row.numberAt(j); }), {}};
}

std::vector<InputOf<double>> MatrixReader::inputs(const JsonReader& place) {
  return oneOrPerHead(place, [this](const JsonReader& matrix) { return input(matrix); });
}

std::vector<Bytes> MatrixReader::flags(const JsonReader& place) {
  const auto flag = [](const JsonReader& row, std::size_t j) { return std::uint8_t{row[j].flag()}; };
  return oneOrPerHead(place, [&](const JsonReader& matrix) { return rowsOf<std::uint8_t>(matrix, flag); });
}

InputOf<double> MatrixReader::fill(const JsonReader& place) {
  const Fill fill = readFill(place);
  if (fill.deviation < 0) place.at("std").refuse("a number of at least 0");
  if (fill.low > fill.high) place.at("low").refuse("a number of at most \"high\"");
  const Index rows = place.at("rows").whole<Index>(1);
  const Index cols = place.at("cols").whole<Index>(1);
  // The numbers twice: a fill may transpose what it has drawn, and a scene may get a copy in float.
  constexpr std::uint64_t kBytesPerNumber = 2 * sizeof(double);
  const std::uint64_t most = memoryLeft_ / kBytesPerNumber;
  if (static_cast<std::uint64_t>(rows) > most / static_cast<std::uint64_t>(cols))
    place.refuse("a fill of shape " + shapeText(rows, cols),
                 "at most " + std::to_string(most) + " numbers for the memory available");
  memoryLeft_ -= static_cast<std::uint64_t>(rows * cols) * kBytesPerNumber;
  return {filled(fill, rows, cols), fill};
}

}  // namespace attn
