#pragma once
#include <imgui.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "app/gpu/colormap.h"
#include "app/gpu/pyramid.h"
#include "app/gpu/texture.h"
#include "core/attention/visibility.h"

namespace attn {

/// A matrix to be drawn as coloured cells.
struct HeatmapPicture {
  std::shared_ptr<const void> owner;  // keeps the numbers alive until the frame has been drawn
  const float* values = nullptr;      // rows × cols
  Index rows = 0, cols = 0;
  std::uint64_t serial = 0;                // other numbers at the same place have another serial
  const Visibility* visibility = nullptr;  // null: nothing is hidden. Owned by `owner` too
  Index head = 0, heads = 1;               // a pair is hidden where it is from each of these

  ImVec2 min, max;          // where the whole matrix lies on the screen
  ImVec2 clipMin, clipMax;  // what of it may be seen
  float low = 0, high = 1;  // see ColourScale
  bool isLogarithmic = false, isTransposed = false, isDiverging = false;
  Reduction reduction = Reduction::largest;
  bool isFinite = false;  // known to hold no NaN and no infinity but in hidden cells
  bool isSmall = false;   // seen in this size only: what is finer stays off the graphics card
  Colormap colormap = Colormap::viridis;
  ImVec4 paper, ink, alarm;
  float hatchWidth = 6;
  float ruleWidth = 0;  // of the lines between cells, in pixels of the interface

  ColourScale scale() const { return {low, high, isLogarithmic, isDiverging}; }
};

/// Draws matrices with shaders/heatmap.frag: one rectangle a matrix, however many cells it has. Numbers go to
/// the graphics card only when they are others than the slot's last. Touches OpenGL only while a frame is
/// being rendered, so it works (and draws nothing) where there is none.
class Heatmaps {
 public:
  Heatmaps() = default;
  Heatmaps(const Heatmaps&) = delete;
  Heatmaps& operator=(const Heatmaps&) = delete;

  /// Forgets the last frame's pictures; textures of slots that are no longer drawn go after a while.
  void beginFrame();
  /// Puts the picture into the draw list. A slot is a place on the screen that keeps its texture.
  void draw(ImDrawList& list, ImGuiID slot, HeatmapPicture picture);
  /// Frees what the graphics card holds. Call it while the context is still there.
  void release();

  std::uint64_t uploads() const { return uploads_; }

 private:
  /// What the textures of a slot were made from.
  struct Content {
    const float* values = nullptr;
    std::uint64_t serial = 0;
    Index rows = 0, cols = 0, head = 0, heads = 0;
    bool hasHidden = false;
    Reduction reduction = Reduction::largest;
    int firstLevel = 0;  // of the pyramid: level 0 of the texture

    bool operator==(const Content&) const = default;
  };
  struct Slot {
    Texture values, hidden;
    Content content;
    std::uint64_t lastFrame = 0;
  };
  struct Draw {
    Heatmaps* self = nullptr;
    ImGuiID slot = 0;
    HeatmapPicture picture;
  };

  static void onRender(const ImDrawList* list, const ImDrawCmd* command);
  void render(const Draw& draw, const ImDrawCmd& command);
  /// Where the picture's cells come from: a level of its textures.
  struct Sampling {
    int level = 0;
    ImVec2 footprint;  // cells of that level under a pixel
    float scale = 1;   // cells of that level in one of the matrix
  };

  static Sampling samplingOf(const HeatmapPicture& picture, const Content& content);
  unsigned programFor(const HeatmapPicture& picture, const Sampling& sampling);
  void prepareSlot(Slot& slot, const HeatmapPicture& picture);
  static void setPlace(unsigned program, const HeatmapPicture& picture);
  static void setSampling(unsigned program, const HeatmapPicture& picture, const Content& content,
                          const Sampling& sampling);
  static void setColours(unsigned program, const HeatmapPicture& picture);
  const Texture& colormapTexture(Colormap map);

  std::deque<Draw> draws_;  // of this frame; callbacks point into it
  std::unordered_map<ImGuiID, Slot> slots_;
  std::unordered_map<int, Texture> colormaps_;
  std::uint64_t frame_ = 0, uploads_ = 0;
  std::map<std::string, unsigned> programs_;  // by what the variant is defined with
  unsigned vertexArray_ = 0;
};

}  // namespace attn
