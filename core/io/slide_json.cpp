#include "core/io/slide_json.h"

#include "core/io/scene_words.h"

namespace attn {
namespace {

constexpr Word<Tile::Kind> kTileWords[] = {{"panel", Tile::Kind::panel},
                                           {"row", Tile::Kind::row},
                                           {"column", Tile::Kind::column},
                                           {"tabs", Tile::Kind::tabs}};

Tile readTile(const JsonReader& place) {
  for (const auto& [word, kind] : kTileWords) {
    if (!place.has(word)) continue;
    Tile tile{kind, "", {}, static_cast<float>(place.numberOr("share", 1))};
    if (kind == Tile::Kind::tabs)
      place.allow({word, "share", "front"});
    else
      place.allow({word, "share"});
    const JsonReader content = place.at(word);
    if (kind == Tile::Kind::panel) {
      tile.panel = content.text();
      return tile;
    }
    const std::size_t count = content.lengthOfSome("panels");
    for (std::size_t i = 0; i < count; ++i) tile.children.push_back(readTile(content[i]));
    if (place.has("front")) tile.panel = place.at("front").text();
    return tile;
  }
  place.refuse("an object with panel, row, column or tabs");
}

ExplainedCell readExplained(const JsonReader& place) {
  place.allow({"stage", "head", "cell"});
  ExplainedCell explained;
  explained.stage = place.at("stage").text();
  if (place.has("head")) explained.head = place.at("head").whole<Index>(0);
  const JsonReader cell = place.at("cell");
  if (!cell.isList() || cell.length("numbers") != 2) cell.refuse("[row, column]");
  explained.row = cell[0].whole<Index>(0), explained.col = cell[1].whole<Index>(0);
  return explained;
}

Slide readSlide(const JsonReader& place) {
  place.allow({"number", "panels", "head", "query", "hides_values", "story", "explains"});
  Slide slide;
  slide.number = place.at("number").whole<int>();
  slide.panels = readTile(place.at("panels"));
  if (place.has("head")) slide.head = place.at("head").whole<Index>(0);
  if (place.has("query")) slide.query = place.at("query").whole<Index>(0);
  if (place.has("hides_values")) slide.hidesValues = place.at("hides_values").flag();
  if (place.has("story")) slide.story = place.at("story").whole<std::size_t>(0);
  if (place.has("explains")) slide.explains = readExplained(place.at("explains"));
  return slide;
}

void writeTile(JsonWriter& out, const Tile& tile) {
  out.open('{');
  out.key(wordFor(kTileWords, tile.kind));
  if (tile.kind == Tile::Kind::panel) {
    out.text(tile.panel);
  } else {
    out.open('[');
    for (const Tile& child : tile.children) writeTile(out, child);
    out.close();
    if (tile.kind == Tile::Kind::tabs && !tile.panel.empty()) out.key("front").text(tile.panel);
  }
  if (tile.share != 1) out.key("share").number(tile.share);
  out.close();
}

}  // namespace

std::vector<Slide> readSlides(const JsonReader& list) {
  std::vector<Slide> slides;
  const std::size_t count = list.length("slides");
  for (std::size_t i = 0; i < count; ++i) slides.push_back(readSlide(list[i]));
  return slides;
}

void writeSlides(JsonWriter& out, const std::vector<Slide>& slides) {
  out.key("slides").open('[', JsonWriter::Layout::lines);
  for (const Slide& slide : slides) {
    out.open('{');
    out.key("number").whole(slide.number);
    out.key("panels");
    writeTile(out, slide.panels);
    if (slide.head != 0) out.key("head").whole(slide.head);
    if (slide.query != 0) out.key("query").whole(slide.query);
    if (slide.hidesValues) out.key("hides_values").flag(true);
    if (slide.story) out.key("story").whole(*slide.story);
    if (slide.explains) {
      out.key("explains").open('{');
      out.key("stage").text(slide.explains->stage);
      out.key("head").whole(slide.explains->head);
      out.key("cell").open('[');
      out.whole(slide.explains->row);
      out.whole(slide.explains->col);
      out.close();
      out.close();
    }
    out.close();
  }
  out.close();
}

}  // namespace attn
