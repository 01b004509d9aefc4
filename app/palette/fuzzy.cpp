#include "app/palette/fuzzy.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <string>

namespace attn {
namespace {

constexpr int kLetter = 16, kBeginning = 14, kWordStart = 11, kNeighbour = 9;
constexpr int kGap = 3, kLongestLead = 8;
constexpr int kNone = std::numeric_limits<int>::min() / 2;

/// One character of UTF-8, in small letters where it is one of ASCII.
struct Letter {
  std::string folded;
  TextRange range;
  bool isWord = false, isCapital = false;
};

std::vector<Letter> lettersOf(std::string_view text) {
  std::vector<Letter> letters;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
    Letter letter{std::string(text.substr(at, end - at)), {at, end}};
    const auto first = static_cast<unsigned char>(text[at]);
    letter.isCapital = std::isupper(first);
    letter.isWord = std::isalnum(first) || first >= 0x80;
    if (end - at == 1) letter.folded[0] = static_cast<char>(std::tolower(first));
    letters.push_back(std::move(letter));
    at = end;
  }
  return letters;
}

/// What a letter is worth more for its place: in "d_k" both letters begin a word, in "LaTeX" the T.
int placeBonus(const std::vector<Letter>& text, std::size_t i) {
  if (i == 0) return kBeginning;
  const Letter &before = text[i - 1], &here = text[i];
  if (!here.isWord) return 0;
  return !before.isWord || (here.isCapital && !before.isCapital) ? kWordStart : 0;
}

/// The best score of a beginning of the word whose last letter lies at a place of the text, and where the
/// letter before it lies then.
struct Step {
  int score = kNone;
  std::size_t from = 0;
};

using Row = std::vector<Step>;

Row firstRow(const Letter& letter, const std::vector<Letter>& text) {
  Row row(text.size());
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i].folded == letter.folded)
      row[i].score = kLetter + placeBonus(text, i) - std::min(static_cast<int>(i), kLongestLead);
  return row;
}

/// Either right behind the letter before, or with a gap, which costs more the longer it is.
Row nextRow(const Letter& letter, const std::vector<Letter>& text, const Row& before) {
  Row row(text.size());
  Step apart;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (i >= 2) {
      apart.score -= 1;
      if (before[i - 2].score - kGap > apart.score) apart = {before[i - 2].score - kGap, i - 2};
    }
    if (text[i].folded != letter.folded) continue;
    const int bonus = placeBonus(text, i);
    const int close = before[i - 1].score + kLetter + std::max(bonus, kNeighbour);
    const int far = apart.score + kLetter + bonus;
    row[i] = close >= far ? Step{close, i - 1} : Step{far, apart.from};
    row[i].score = std::max(row[i].score, kNone);
  }
  return row;
}

std::vector<TextRange> joined(const std::vector<TextRange>& ranges) {
  std::vector<TextRange> all;
  for (const TextRange& range : ranges)
    if (!all.empty() && all.back().end == range.begin)
      all.back().end = range.end;
    else
      all.push_back(range);
  return all;
}

}  // namespace

std::optional<FuzzyMatch> fuzzyMatch(std::string_view word, std::string_view text) {
  const std::vector<Letter> wanted = lettersOf(word), letters = lettersOf(text);
  if (wanted.empty()) return FuzzyMatch{};
  if (wanted.size() > letters.size()) return std::nullopt;
  std::vector<Row> rows = {firstRow(wanted.front(), letters)};
  for (std::size_t i = 1; i < wanted.size(); ++i) rows.push_back(nextRow(wanted[i], letters, rows.back()));
  const Row& last = rows.back();
  const auto best = std::max_element(last.begin(), last.end(),
                                     [](const Step& a, const Step& b) { return a.score < b.score; });
  if (best->score <= kNone / 2) return std::nullopt;
  FuzzyMatch match{best->score, {}};
  auto at = static_cast<std::size_t>(best - last.begin());
  for (std::size_t i = rows.size(); i-- > 0; at = rows[i].at(at).from)
    match.ranges.push_back(letters[at].range);
  std::reverse(match.ranges.begin(), match.ranges.end());
  match.ranges = joined(match.ranges);
  return match;
}

}  // namespace attn
