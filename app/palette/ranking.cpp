#include <algorithm>
#include <optional>

#include "app/palette/palette.h"

namespace attn {
namespace {

constexpr int kUsed = 6;  // a little, so that of two that match alike the familiar one comes first

std::vector<std::string> wordsOf(const std::string& search) {
  std::vector<std::string> words;
  for (std::size_t from = 0; from < search.size();) {
    const std::size_t to = std::min(search.find(' ', from), search.size());
    if (to > from) words.push_back(search.substr(from, to - from));
    from = to + 1;
  }
  return words;
}

/// A word may also be one of the group, for less: "heads next".
std::optional<int> scoreOf(const std::string& word, const PaletteEntry& entry,
                           std::vector<TextRange>& ranges) {
  const auto inText = fuzzyMatch(word, entry.text), inGroup = fuzzyMatch(word, entry.group);
  const int group = inGroup ? inGroup->score * 2 / 3 : -1;
  if (inText && inText->score >= group) {
    ranges.insert(ranges.end(), inText->ranges.begin(), inText->ranges.end());
    return inText->score;
  }
  return inGroup ? std::optional(group) : std::nullopt;
}

std::vector<TextRange> inOrder(std::vector<TextRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  std::vector<TextRange> merged;
  for (const TextRange& range : ranges)
    if (!merged.empty() && range.begin <= merged.back().end)
      merged.back().end = std::max(merged.back().end, range.end);
    else
      merged.push_back(range);
  return merged;
}

/// 0 for what was never used, most for what was used last.
int recency(const PaletteEntry& entry, std::span<const std::string> used) {
  const auto place = std::find(used.begin(), used.end(), entry.text);
  return static_cast<int>(used.end() - place);
}

}  // namespace

std::vector<PaletteHit> rankEntries(std::span<const PaletteEntry> entries, const std::string& search,
                                    std::span<const std::string> used) {
  const std::vector<std::string> words = wordsOf(search);
  std::vector<PaletteHit> hits;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    PaletteHit hit{i,
                   words.empty()                   ? recency(entries[i], used)
                   : recency(entries[i], used) > 0 ? kUsed
                                                   : 0,
                   {}};
    const bool isFound = std::all_of(words.begin(), words.end(), [&](const std::string& word) {
      const std::optional<int> score = scoreOf(word, entries[i], hit.ranges);
      hit.score += score.value_or(0);
      return score.has_value();
    });
    if (!isFound) continue;
    // Of two that hold the same letters, the one that holds less besides is more likely meant.
    if (!words.empty()) hit.score -= static_cast<int>(std::min<std::size_t>(entries[i].text.size(), 60) / 6);
    hit.ranges = inOrder(std::move(hit.ranges));
    hits.push_back(std::move(hit));
  }
  std::stable_sort(hits.begin(), hits.end(), [&](const PaletteHit& a, const PaletteHit& b) {
    if (a.score != b.score) return a.score > b.score;
    return entries[a.entry].isReady && !entries[b.entry].isReady;
  });
  return hits;
}

}  // namespace attn
