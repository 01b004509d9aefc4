#include "core/io/block_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <random>

#include "core/error.h"
#include "core/io/number_text.h"
#include "tests/fuzz/mutate.h"

namespace attn {
namespace {

/// Rows in brackets, as the numbers print: "[1 2][3 4]".
std::string shown(const Matrix& m) {
  std::string text;
  for (Index i = 0; i < m.rows(); ++i) {
    text += "[";
    for (Index j = 0; j < m.cols(); ++j) text += (j ? " " : "") + numberText(m(i, j));
    text += "]";
  }
  return text;
}

std::string read(std::string_view text) {
  return shown(readBlock(text));
}

std::string refusal(std::string_view text) {
  try {
    return "read as " + read(text);
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(BlockText, WhoWritesCommasIsUnderstood) {
  EXPECT_EQ(readBlock("1,234\t2,5\n3\t0,125\n", true), readBlock("1.234\t2.5\n3\t0.125\n"));
  EXPECT_EQ(readBlock("1,234", true)(0, 0), 1.234f);
  EXPECT_EQ(readBlock("1,234\t2", true)(0, 0), 1.234f);
  EXPECT_THROW(readBlock("1,234\t2"), Error);
  EXPECT_EQ(readBlock("1,2,3", true), readBlock("1\t2\t3"));  // two commas in a row of three: they part cells
  EXPECT_EQ(readBlock("1.5\t2", true)(0, 0), 1.5f);
}

TEST(BlockText, Spreadsheet) {
  EXPECT_EQ(read("1\t2\n3\t4\n"), "[1 2][3 4]");
  EXPECT_EQ(read("1\t2\r\n3\t4\r\n"), "[1 2][3 4]");
  EXPECT_EQ(read("1\t2\r3\t4"), "[1 2][3 4]");
  EXPECT_EQ(read("\n1,2.5,-3e-2\n4,+5,.5\n\n"), "[1 2.5 -0.03][4 5 0.5]");
  EXPECT_EQ(read("1;2\n3;4"), "[1 2][3 4]");
  EXPECT_EQ(read("1 2   3\n4 5 6"), "[1 2 3][4 5 6]");
  EXPECT_EQ(read("\"1\",\"2\""), "[1 2]");
  EXPECT_EQ(read("7"), "[7]");
  EXPECT_EQ(read("1\n2\n3"), "[1][2][3]");
  EXPECT_EQ(read("\xef\xbb\xbf"
                 "1\t\u22122\u00a0"),
            "[1 -2]");
  EXPECT_EQ(read("NaN\tinf\t-Infinity\t\u221e\t1/4"), "[nan inf -inf inf 0.25]");
}

TEST(BlockText, DecimalCommaOnlyWithoutDoubt) {
  EXPECT_EQ(read("0,5\t1,25"), "[0.5 1.25]");
  EXPECT_EQ(read("0,5;1,250"), "[0.5 1.25]");
  EXPECT_EQ(read("-0,123\t1,234"), "[-0.123 1.234]");
  EXPECT_EQ(read("1,5e3\t2"), "[1500 2]");
  const std::string doubt = ", expected a number with a decimal point: the comma could also part thousands";
  EXPECT_EQ(refusal("1,234\t2,500"), "row 1, column 1: found \"1,234\"" + doubt);
  EXPECT_EQ(refusal("0.5\t1,5"), "row 1, column 2: found \"1,5\"" + doubt);
  EXPECT_EQ(refusal("1,5 2,5"), "row 1, column 2: found \"5 2\", expected a number");
  EXPECT_EQ(refusal("1,2,3;4,5"), "row 1, column 1: found \"1,2,3\"" + doubt);
}

TEST(BlockText, Numpy) {
  EXPECT_EQ(read("array([[1., 2.], [3, 4]])"), "[1 2][3 4]");
  EXPECT_EQ(read("np.array([[1, 2],\n          [3, 4]], dtype=float32)"), "[1 2][3 4]");
  EXPECT_EQ(read("torch.tensor([[1., -inf]], device='cuda:0')"), "[1 -inf]");
  EXPECT_EQ(read("[[ 1.  2.]\n [ 3.  4.]]"), "[1 2][3 4]");
  EXPECT_EQ(read("[1, 2, 3]"), "[1 2 3]");
  EXPECT_EQ(read("[1. 2. 3.]"), "[1 2 3]");
  EXPECT_EQ(read("[[1, 2,],[3, 4],]"), "[1 2][3 4]");
  EXPECT_EQ(read("[[np.nan, np.inf, -1e-3, 1/8]]"), "[nan inf -0.001 0.125]");
}

TEST(BlockText, Latex) {
  EXPECT_EQ(read("\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}"), "[1 2][3 4]");
  EXPECT_EQ(
      read("$Q = \\left(\\begin{array}{cc}\n1 & 2 \\\\[2pt] \\hline 3 & 4 \\\\ \n\\end{array}\\right)$"),
      "[1 2][3 4]");
  EXPECT_EQ(read("\\begin{pmatrix*}[r] -1 & \\phantom{-}2 \\cr 3 & 4\\end{pmatrix*}"), "[-1 2][3 4]");
  EXPECT_EQ(read("\\begin{matrix} \\frac{1}{2} & -\\dfrac{3}{4} & \\frac12 & \u22121/8 \\end{matrix}"),
            "[0.5 -0.75 0.5 -0.125]");
  EXPECT_EQ(read("1 & \\infty & -\\infty \\\\ \\text{nan} & {-}2 & $3$"), "[1 inf -inf][nan -2 3]");
  EXPECT_EQ(read("1{,}5 & 3 \\cdot 10^{-5} & 10^{3} & -2\\times 10^4"), "[1.5 3e-05 1000 -20000]");
}

TEST(BlockText, WhatIsRefused) {
  const std::string nothing = "found no numbers, expected a block of numbers";
  EXPECT_EQ(refusal(""), nothing);
  EXPECT_EQ(refusal(" \n\r\n "), nothing);
  EXPECT_EQ(refusal("\\begin{bmatrix}\\end{bmatrix}"), nothing);
  EXPECT_EQ(refusal("1\t2\n3\n"), "row 2: found 1 number, expected 2 as in the first row");
  EXPECT_EQ(refusal("1\t2\n3\tabc"), "row 2, column 2: found \"abc\", expected a number");
  EXPECT_EQ(refusal("1\t\t3"), "row 1, column 2: found an empty cell, expected a number");
  EXPECT_EQ(refusal("1\n\n2"), "row 2, column 1: found an empty line, expected a row of numbers");
  EXPECT_EQ(refusal("1\t-1e999"),
            "row 1, column 2: found \"-1e999\", expected a number within ±3.4e38, the range of float32");
  EXPECT_EQ(refusal("1e39/1"),
            "row 1, column 1: found \"1e39/1\", expected a number within ±3.4e38, the range of float32");
  EXPECT_EQ(refusal("1\xff"), "row 1, column 1: found \"1\\ufffd\", expected a number");
  EXPECT_EQ(refusal(std::string_view("1\0", 2)), "row 1, column 1: found \"1\\u0000\", expected a number");
  EXPECT_EQ(refusal("0x10"), "row 1, column 1: found \"0x10\", expected a number");
  EXPECT_EQ(refusal("1/0"), "row 1, column 1: found \"1/0\", expected a number");
  EXPECT_EQ(refusal("nan(1)"), "row 1, column 1: found \"nan(1)\", expected a number");
}

TEST(BlockText, WhatIsRefusedOfNumpy) {
  EXPECT_EQ(refusal("[[1, 2], [3]]"), "row 2: found 1 number, expected 2 as in the first row");
  EXPECT_EQ(refusal("[[1, 2], [3, 4]"), "row 3, column 1: found the end of the text, expected 1 more \"]\"");
  EXPECT_EQ(refusal("[[[1]]]"),
            "row 1, column 1: found a third level of brackets, expected a matrix: at most two levels");
  EXPECT_EQ(refusal("[]"), "found no numbers, expected a block of numbers");
  EXPECT_EQ(refusal("[[]]"), "row 1, column 1: found \"]\", expected a number");
  EXPECT_EQ(refusal("[[1,, 2]]"), "row 1, column 2: found \",\", expected a number");
  EXPECT_EQ(refusal("[[1], 2]"), "row 2, column 1: found \"2\", expected \"[\" or \"]\"");
  EXPECT_EQ(refusal("[1, [2]]"), "row 1, column 2: found \"[\" after a number, expected a number");
  EXPECT_EQ(refusal("[[1 ... 2]]"),
            "row 1, column 2: found \"...\", expected every number: np.set_printoptions(threshold=np.inf) "
            "prints them");
  EXPECT_EQ(refusal("[[1]] + 2"), "found \"+ 2\" after the last bracket, expected the end of the array");
}

TEST(BlockText, WhatIsRefusedOfLatex) {
  EXPECT_EQ(refusal("\\begin{bmatrix} 1 & 2"),
            "found \\begin{bmatrix} without its \\end, expected a whole matrix");
  EXPECT_EQ(refusal("\\begin{bmatrix}1\\end{bmatrix}\\begin{bmatrix}1\\end{bmatrix}"),
            "found more than one \\begin, expected one matrix");
  EXPECT_EQ(refusal("1 & x^2"), "row 1, column 2: found \"x^2\", expected a number");
  EXPECT_EQ(refusal("1 & 2\\frac{1}{2}"), "row 1, column 2: found \"2\\\\frac{1}{2}\", expected a number");
  EXPECT_EQ(refusal("1 & \\sqrt{2}"), "row 1, column 2: found \"\\\\sqrt{2}\", expected a number");
  EXPECT_EQ(refusal("1 & 2 \\\\ 3"), "row 2: found 1 number, expected 2 as in the first row");
  EXPECT_EQ(refusal("1 & "), "row 1, column 2: found an empty cell, expected a number");
}

TEST(BlockText, NumberBelowTheRangeIsZero) {
  EXPECT_EQ(read("1e-60\t1e-400\t-1e-400"), "[0 0 -0.0]");
}

/// Floats of any bits, NaNs all alike.
Matrix anyFloats(std::mt19937& random, Index rows, Index cols) {
  Matrix m(rows, cols);
  for (Index i = 0; i < m.size(); ++i) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    m.data()[i] = random() % 4 == 0 ? std::round(std::fmod(value, 100.0f)) : value;
  }
  return m;
}

bool sameFloats(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Index i = 0; i < a.size(); ++i) {
    const float x = a.data()[i], y = b.data()[i];
    if (std::isnan(x) ? !std::isnan(y) : std::bit_cast<std::uint32_t>(x) != std::bit_cast<std::uint32_t>(y))
      return false;
  }
  return true;
}

TEST(BlockText, WhatIsWrittenReadsBackToTheSameFloats) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    const Matrix block =
        anyFloats(random, 1 + static_cast<Index>(random() % 5), 1 + static_cast<Index>(random() % 5));
    for (const BlockFormat format : {BlockFormat::spreadsheet, BlockFormat::numpy, BlockFormat::latex}) {
      const std::string text = writeBlock(block, format);
      ASSERT_TRUE(sameFloats(readBlock(text), block)) << text;
      ASSERT_EQ(formatOf(text), format) << text;
    }
  }
}

TEST(BlockText, HowItIsWritten) {
  Matrix block(2, 2);
  block << 1, 0.1f, -0.0f, 1e-7f;
  EXPECT_EQ(writeBlock(block, BlockFormat::spreadsheet), "1\t0.1\n-0.0\t1e-07\n");
  EXPECT_EQ(writeBlock(block, BlockFormat::numpy), "array([[1, 0.1],\n       [-0.0, 1e-07]])");
  EXPECT_EQ(writeBlock(block, BlockFormat::latex),
            "\\begin{bmatrix}\n  1 & 0.1 \\\\\n  -0.0 & 1 \\cdot 10^{-7}\n\\end{bmatrix}");
}

TEST(BlockText, LongTextsTakeLinearTime) {
  const auto secondsFor = [](const std::string& text) {
    const auto start = std::chrono::steady_clock::now();
    refusal(text);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const auto repeated = [](std::string_view piece, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += piece;
    return text;
  };
  for (const std::string_view piece : {"[", "[1", "1 & \\\\[", "{", "\\frac{", "\\begin{", ",", "\t", "\n",
                                       "1 ", "\\", "1,5\t", "\u00a0", "-"})
    EXPECT_LT(secondsFor(repeated(piece, 300'000)), 5) << piece;
}

TEST(BlockText, DamagedTextIsReadOrRefusedInOneLine) {
  const std::string seeds[] = {
      "1\t2\n3\t4\n", "0,5;1,25\n2;3", "array([[1., 2.], [3, -inf]], dtype=float32)", "[[1. 2.]\n [3. nan]]",
      "\\begin{bmatrix} \\frac{1}{2} & \u22122 \\\\ 3 \\cdot 10^{-5} & \\infty \\end{bmatrix}"};
  const auto bytes = [](const std::string& text) {
    const auto view = std::as_bytes(std::span(text));
    return fuzz::Bytes(view.begin(), view.end());
  };
  fuzz::Mutator mutator(5);
  int loaded = 0;
  for (int i = 0; i < 40000; ++i) {
    const fuzz::Bytes damaged = mutator.mutate(bytes(seeds[mutator.below(std::size(seeds))]),
                                               bytes(seeds[mutator.below(std::size(seeds))]));
    const std::string_view text(reinterpret_cast<const char*>(damaged.data()), damaged.size());
    try {
      const Matrix block = readBlock(text);
      ASSERT_GT(block.size(), 0);
      ASSERT_TRUE(sameFloats(readBlock(writeBlock(block, BlockFormat::latex)), block));
      ++loaded;
    } catch (const Error& error) {
      const std::string line = error.what();
      ASSERT_LT(line.size(), 250u) << line;
      for (const unsigned char c : line) ASSERT_GE(c, 0x20) << line;
    }
  }
  EXPECT_GT(loaded, 1000);
  EXPECT_LT(loaded, 39000);
}

}  // namespace
}  // namespace attn
