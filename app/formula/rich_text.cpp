#include "app/formula/rich_text.h"

#include "app/formula/latex.h"
#include "core/error.h"
#include "core/io/json_parse.h"

namespace attn {
namespace {

/// The position of the next dollar that is not \$.
std::size_t nextDollar(std::string_view text, std::size_t from) {
  for (std::size_t at = from; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '$')
      return at;
  }
  return std::string_view::npos;
}

std::string withDollars(std::string_view words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!(words[i] == '\\' && i + 1 < words.size() && words[i + 1] == '$')) text += words[i];
  return text;
}

}  // namespace

std::vector<TextPiece> piecesOf(std::string_view paragraph) {
  std::vector<TextPiece> pieces;
  for (std::size_t at = 0; at < paragraph.size();) {
    const std::size_t begin = nextDollar(paragraph, at);
    const std::string_view words = paragraph.substr(at, begin - at);
    if (!words.empty()) pieces.push_back({withDollars(words), false});
    if (begin == std::string_view::npos) break;
    const std::size_t end = nextDollar(paragraph, begin + 1);
    const std::string_view latex = paragraph.substr(begin + 1, end - begin - 1);
    if (end == std::string_view::npos)
      throw Error("found the formula " + inQuotes(latex) + " without an end, expected a second $");
    try {
      parseLatex(latex);
    } catch (const Error& error) {
      throw Error("in the formula " + inQuotes(latex) + ": " + error.what());
    }
    pieces.push_back({std::string(latex), true});
    at = end + 1;
  }
  return pieces;
}

}  // namespace attn
