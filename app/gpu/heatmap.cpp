#include "app/gpu/heatmap.h"

#include <cmath>
#include <utility>
#include <vector>

#include "app/embedded.h"
#include "app/gpu/shader.h"

namespace attn {
namespace {

constexpr std::uint64_t kFramesKept = 240;

/// The part of the framebuffer that a clip rectangle leaves, from its lower left corner.
void setScissor(const ImDrawData& data, const ImDrawCmd& command) {
  const ImVec2 scale = data.FramebufferScale, origin = data.DisplayPos;
  const auto pixel = [](float place) { return static_cast<GLint>(std::lround(place)); };
  const GLint left = pixel((command.ClipRect.x - origin.x) * scale.x);
  const GLint right = pixel((command.ClipRect.z - origin.x) * scale.x);
  const GLint top = pixel((command.ClipRect.y - origin.y) * scale.y);
  const GLint bottom = pixel((command.ClipRect.w - origin.y) * scale.y);
  const GLint height = pixel(data.DisplaySize.y * scale.y);
  glScissor(left, height - bottom, std::max(0, right - left), std::max(0, bottom - top));
}

}  // namespace

void Heatmaps::beginFrame() {
  ++frame_;
  draws_.clear();
  std::erase_if(slots_, [&](const auto& slot) { return frame_ - slot.second.lastFrame > kFramesKept; });
}

void Heatmaps::draw(ImDrawList& list, ImGuiID slot, HeatmapPicture picture) {
  draws_.push_back({this, slot, std::move(picture)});
  const HeatmapPicture& kept = draws_.back().picture;
  list.PushClipRect(kept.clipMin, kept.clipMax, true);
  list.AddCallback(onRender, &draws_.back());
  list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
  list.PopClipRect();
}

void Heatmaps::release() {
  slots_.clear();
  colormaps_.clear();
  if (program_) glDeleteProgram(program_);
  if (vertexArray_) glDeleteVertexArrays(1, &vertexArray_);
  program_ = vertexArray_ = 0;
}

void Heatmaps::onRender(const ImDrawList*, const ImDrawCmd* command) {
  const Draw& draw = *static_cast<const Draw*>(command->UserCallbackData);
  draw.self->render(draw, *command);
}

void Heatmaps::prepareProgram() {
  if (program_) return;
  program_ = makeProgram(embedded("shaders/heatmap.vert"), embedded("shaders/heatmap.frag"));
  glGenVertexArrays(1, &vertexArray_);
  glUseProgram(program_);
  glUniform1i(glGetUniformLocation(program_, "values"), 0);
  glUniform1i(glGetUniformLocation(program_, "hidden"), 1);
  glUniform1i(glGetUniformLocation(program_, "colormap"), 2);
}

/// Uploads what is not there yet. False where the card cannot hold so large a matrix.
bool Heatmaps::prepareSlot(Slot& slot, const HeatmapPicture& picture) {
  slot.lastFrame = frame_;
  if (slot.values.isMade() && slot.from == picture.values && slot.serial == picture.serial) return true;
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  if (picture.rows > largest || picture.cols > largest) return false;
  const int width = static_cast<int>(picture.cols), height = static_cast<int>(picture.rows);
  slot.values.upload(GL_R32F, width, height, picture.values);
  if (picture.visibility) {
    std::vector<std::uint8_t> hidden(static_cast<std::size_t>(picture.rows * picture.cols));
    for (Index i = 0; i < picture.rows; ++i)
      for (Index j = 0; j < picture.cols; ++j)
        hidden[static_cast<std::size_t>(i * picture.cols + j)] =
            picture.visibility->sees(picture.head, i, j) ? 0 : 255;
    slot.hidden.upload(GL_R8, width, height, hidden.data());
  }
  slot.from = picture.values;
  slot.serial = picture.serial;
  ++uploads_;
  return true;
}

const Texture& Heatmaps::colormapTexture(Colormap map) {
  Texture& texture = colormaps_[static_cast<int>(map)];
  if (!texture.isMade()) {
    const ColormapTable table = tableOf(map);
    texture.upload(GL_RGB8, kColormapSteps, 1, table.data());
  }
  return texture;
}

void Heatmaps::setUniforms(const HeatmapPicture& picture) const {
  const auto at = [&](const char* name) { return glGetUniformLocation(program_, name); };
  const ImDrawData& data = *ImGui::GetDrawData();
  const auto clip = [&](ImVec2 place) {
    return ImVec2((place.x - data.DisplayPos.x) / data.DisplaySize.x * 2 - 1,
                  1 - (place.y - data.DisplayPos.y) / data.DisplaySize.y * 2);
  };
  const ImVec2 first = clip(picture.min), last = clip(picture.max);
  glUniform4f(at("rectangle"), first.x, first.y, last.x, last.y);
  glUniform2f(at("range"), picture.low, picture.high);
  glUniform1i(at("isLogarithmic"), picture.isLogarithmic);
  glUniform1i(at("isTransposed"), picture.isTransposed);
  glUniform1i(at("hasHidden"), picture.visibility != nullptr);
  glUniform3f(at("paper"), picture.paper.x, picture.paper.y, picture.paper.z);
  glUniform3f(at("ink"), picture.ink.x, picture.ink.y, picture.ink.z);
  glUniform3f(at("alarm"), picture.alarm.x, picture.alarm.y, picture.alarm.z);
  glUniform1f(at("hatchWidth"), picture.hatchWidth * data.FramebufferScale.x);
}

void Heatmaps::render(const Draw& draw, const ImDrawCmd& command) {
  prepareProgram();
  Slot& slot = slots_[draw.slot];
  const Texture& colormap = colormapTexture(draw.picture.colormap);
  if (!prepareSlot(slot, draw.picture)) return;
  setScissor(*ImGui::GetDrawData(), command);
  glUseProgram(program_);
  glBindVertexArray(vertexArray_);
  slot.values.bind(0);
  if (draw.picture.visibility) slot.hidden.bind(1);
  colormap.bind(2);
  setUniforms(draw.picture);
  glDisable(GL_BLEND);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glActiveTexture(GL_TEXTURE0);
}

}  // namespace attn
