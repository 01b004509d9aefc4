#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/layout.h"
#include "core/error.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

const char* wordFor(Tile::Kind kind) {
  return kind == Tile::Kind::row ? "row" : kind == Tile::Kind::tabs ? "tabs" : "column";
}

Json toJson(const Tile& tile) {
  if (tile.kind == Tile::Kind::panel) return {{"panel", tile.panel}, {"share", tile.share}};
  Json children = Json::array();
  for (const Tile& child : tile.children) children.push_back(toJson(child));
  Json json = {{wordFor(tile.kind), children}, {"share", tile.share}};
  if (tile.kind == Tile::Kind::tabs) json["front"] = tile.panel;
  return json;
}

/// Takes each known panel out of `missing` as it is met, so that none comes twice.
Tile toTile(const Json& json, std::vector<std::string>& missing, int depth = 0) {
  constexpr int kDeepest = 16;
  if (depth > kDeepest) throw Error("layout: nested more than " + std::to_string(kDeepest) + " deep");
  Tile tile;
  tile.share = json.value("share", 1.0f);
  if (!std::isfinite(tile.share) || tile.share <= 0) throw Error("layout: a share must be above 0");
  if (json.contains("panel")) {
    tile.panel = json.at("panel").get<std::string>();
    return tile;
  }
  for (const Tile::Kind kind : {Tile::Kind::column, Tile::Kind::row, Tile::Kind::tabs})
    if (json.contains(wordFor(kind))) tile.kind = kind;
  for (const Json& child : json.at(wordFor(tile.kind))) {
    Tile made = toTile(child, missing, depth + 1);
    if (made.kind == Tile::Kind::panel) {
      const auto place = std::find(missing.begin(), missing.end(), made.panel);
      if (place == missing.end()) continue;
      missing.erase(place);
    } else if (tile.kind == Tile::Kind::tabs) {
      throw Error("layout: found a row or column among tabs, expected panels");
    }
    tile.children.push_back(std::move(made));
  }
  if (tile.kind == Tile::Kind::tabs) tile.panel = json.value("front", "");
  return tile;
}

/// A root to which panels can be appended.
Tile asColumn(Tile tile) {
  if (tile.kind == Tile::Kind::column) return tile;
  Tile column{Tile::Kind::column, "", {}, 1};
  if (tile.kind != Tile::Kind::panel) column.children.push_back(std::move(tile));
  return column;
}

}  // namespace

std::string writeLayout(const Layout& layout) {
  return Json{{"tiles", toJson(layout.root)}, {"hidden", layout.hidden}, {"maximised", layout.maximised}}
      .dump();
}

Layout readLayout(const std::string& text, const std::vector<std::string>& known) {
  try {
    const Json json = Json::parse(text);
    std::vector<std::string> missing = known;
    Layout layout;
    layout.root = asColumn(toTile(json.at("tiles"), missing));
    for (const std::string& title : missing)
      layout.root.children.push_back({Tile::Kind::panel, title, {}, 0.3f});
    layout.hidden = json.value("hidden", std::vector<std::string>{});
    const Layout standard = defaultLayout();
    for (const std::string& title : missing)
      if (standard.isHidden(title)) layout.hidden.push_back(title);
    layout.maximised = json.value("maximised", "");
    if (std::find(known.begin(), known.end(), layout.maximised) == known.end()) layout.maximised.clear();
    return layout;
  } catch (const Json::exception& error) {
    throw Error(std::string("layout: ") + error.what());
  }
}

}  // namespace attn
