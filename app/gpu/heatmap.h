#pragma once
#include <imgui.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>

#include "app/gpu/colormap.h"
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
  Index head = 0;                          // for the visibility

  ImVec2 min, max;          // where the whole matrix lies on the screen
  ImVec2 clipMin, clipMax;  // what of it may be seen
  float low = 0, high = 1;
  bool isLogarithmic = false, isTransposed = false;
  Colormap colormap = Colormap::viridis;
  ImVec4 paper, ink, alarm;
  float hatchWidth = 6;
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
  struct Slot {
    Texture values, hidden;
    const float* from = nullptr;
    std::uint64_t serial = 0;
    std::uint64_t lastFrame = 0;
  };
  struct Draw {
    Heatmaps* self = nullptr;
    ImGuiID slot = 0;
    HeatmapPicture picture;
  };

  static void onRender(const ImDrawList* list, const ImDrawCmd* command);
  void render(const Draw& draw, const ImDrawCmd& command);
  void prepareProgram();
  bool prepareSlot(Slot& slot, const HeatmapPicture& picture);
  void setUniforms(const HeatmapPicture& picture) const;
  const Texture& colormapTexture(Colormap map);

  std::deque<Draw> draws_;  // of this frame; callbacks point into it
  std::unordered_map<ImGuiID, Slot> slots_;
  std::unordered_map<int, Texture> colormaps_;
  std::uint64_t frame_ = 0, uploads_ = 0;
  unsigned program_ = 0, vertexArray_ = 0;
};

}  // namespace attn
