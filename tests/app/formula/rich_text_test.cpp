#include "app/formula/rich_text.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace attn {
namespace {

using Pieces = std::vector<TextPiece>;

TEST(RichText, FormulasStandBetweenDollars) {
  EXPECT_EQ(piecesOf("Divide by $\\sqrt{d_k}$, then."),
            (Pieces{{"Divide by ", false}, {"\\sqrt{d_k}", true}, {", then.", false}}));
  EXPECT_EQ(piecesOf("$a$$b$"), (Pieces{{"a", true}, {"b", true}}));
  EXPECT_EQ(piecesOf("words"), (Pieces{{"words", false}}));
  EXPECT_EQ(piecesOf(""), Pieces{});
}

TEST(RichText, ADollarMayBeOne) {
  EXPECT_EQ(piecesOf("5\\$ each"), (Pieces{{"5$ each", false}}));
}

TEST(RichText, SaysWhatCannotBeRead) {
  const auto complaint = [](const char* text) -> std::string {
    try {
      piecesOf(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(complaint("open $a + b"), "found the formula \"a + b\" without an end, expected a second $");
  EXPECT_TRUE(complaint("$\\frc{a}{b}$").starts_with("in the formula \"\\\\frc{a}{b}\": "))
      << complaint("$\\frc{a}{b}$");
}

}  // namespace
}  // namespace attn
