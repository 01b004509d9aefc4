#include "app/gpu/heatmap.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/embedded.h"
#include "app/gpu/shader.h"
#include "core/measures/extent.h"

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

/// Cells of the matrix under one pixel of the framebuffer: across its columns, down its rows.
ImVec2 cellsPerPixel(const HeatmapPicture& picture) {
  const ImVec2 scale = ImGui::GetDrawData()->FramebufferScale;
  const float width = std::max(1e-6f, (picture.max.x - picture.min.x) * scale.x);
  const float height = std::max(1e-6f, (picture.max.y - picture.min.y) * scale.y);
  const auto cols = static_cast<float>(picture.cols), rows = static_cast<float>(picture.rows);
  if (picture.isTransposed) return {cols / height, rows / width};
  return {cols / width, rows / height};
}

/// The level to read. Its cells are at least as large as a pixel, so that one of them tells it all, unless
/// cells are much longer one way than the other: then they are at most as large as a pixel the narrow way.
int levelFor(ImVec2 cells) {
  constexpr float kNearlySquare = 1.5f;
  const float least = std::min(cells.x, cells.y), most = std::max(cells.x, cells.y);
  const bool isSquare = most <= kNearlySquare * least;
  const float levels = std::log2(std::max(1.0f, isSquare ? most : least));
  return static_cast<int>(isSquare ? std::ceil(levels) : std::floor(levels));
}

/// The coarsest level whose cells are no larger than a pixel either way.
int levelUnder(ImVec2 cells) {
  const float least = std::min(cells.x, cells.y);
  return least < 2 ? 0 : static_cast<int>(std::floor(std::log2(least)));
}

int largestTexture() {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  return largest;
}

/// The finest level worth uploading: the matrix itself unless it is only seen small, or too large a texture.
int firstLevelOf(const HeatmapPicture& picture) {
  const int levels = levelsFor(picture.rows, picture.cols);
  int first = picture.isSmall ? std::min(levels, levelUnder(cellsPerPixel(picture))) : 0;
  const Index longest = std::max(picture.rows, picture.cols), room = largestTexture();
  while (((longest >> first) + (Index{1} << (levels - first))) > room && first < levels) ++first;
  return first;
}

struct Layer {
  Index rows, cols;
  const float* values;
  const std::uint8_t* hidden;
};

/// Level by level into both textures. Their level 0 is padded, so that each level is exactly half the last.
void uploadLayers(const std::vector<Layer>& layers, Texture& values, Texture& hidden) {
  const int last = static_cast<int>(layers.size()) - 1;
  const auto padded = [&](Index side) {
    const Index whole = Index{1} << last;
    return static_cast<int>((side + whole - 1) / whole * whole);
  };
  const int width = padded(layers[0].cols), height = padded(layers[0].rows);
  for (int k = 0; k <= last; ++k) {
    const Layer& layer = layers[static_cast<std::size_t>(k)];
    const int cols = static_cast<int>(layer.cols), rows = static_cast<int>(layer.rows);
    if (k == 0) values.reserve(GL_R32F, width, height, last + 1);
    values.fill(k, cols, rows, layer.values);
    if (!layer.hidden) continue;
    if (k == 0) hidden.reserve(GL_R8, width, height, last + 1);
    hidden.fill(k, cols, rows, layer.hidden);
  }
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
  for (const auto& [defines, program] : programs_) glDeleteProgram(program);
  programs_.clear();
  if (vertexArray_) glDeleteVertexArrays(1, &vertexArray_);
  vertexArray_ = 0;
}

void Heatmaps::onRender(const ImDrawList*, const ImDrawCmd* command) {
  const Draw& draw = *static_cast<const Draw*>(command->UserCallbackData);
  draw.self->render(draw, *command);
}

/// The variant that does what this picture needs and no more: software renderers pay for every line.
unsigned Heatmaps::programFor(const HeatmapPicture& picture, const Sampling& sampling) {
  std::string defines;
  if (picture.visibility) defines += "#define HAS_HIDDEN\n";
  if (picture.visibility || !picture.isFinite) defines += "#define HAS_SIGNS\n";
  if (picture.ruleWidth > 0) defines += "#define HAS_RULES\n";
  const float most = std::max(sampling.footprint.x, sampling.footprint.y);
  if (most > 1) defines += most < 2 ? "#define FOUR_CELLS\n" : "#define MANY_CELLS\n";
  unsigned& program = programs_[defines];
  if (program) return program;
  program =
      makeProgram(embedded("shaders/heatmap.vert"), defines + std::string(embedded("shaders/heatmap.frag")));
  glUseProgram(program);
  glUniform1i(glGetUniformLocation(program, "values"), 0);
  glUniform1i(glGetUniformLocation(program, "hidden"), 1);
  glUniform1i(glGetUniformLocation(program, "colormap"), 2);
  return program;
}

Heatmaps::Sampling Heatmaps::samplingOf(const HeatmapPicture& picture, const Content& content) {
  const ImVec2 under = cellsPerPixel(picture);
  const int levels = levelsFor(picture.rows, picture.cols) - content.firstLevel;
  const int level = std::clamp(levelFor(under) - content.firstLevel, 0, levels);
  const float scale = std::exp2(static_cast<float>(-level - content.firstLevel));
  return {level, {under.x * scale, under.y * scale}, scale};
}

/// Uploads what is not there yet.
void Heatmaps::prepareSlot(Slot& slot, const HeatmapPicture& picture) {
  slot.lastFrame = frame_;
  const int first = firstLevelOf(picture);
  const Content content{picture.values,
                        picture.serial,
                        picture.rows,
                        picture.cols,
                        picture.head,
                        picture.heads,
                        picture.visibility != nullptr,
                        picture.reduction,
                        first};
  if (slot.values.isMade() && slot.content == content) return;
  std::vector<std::uint8_t> hidden;
  if (picture.visibility)
    findHidden(*picture.visibility, picture.head, picture.heads, picture.rows, picture.cols, hidden);
  const std::uint8_t* flags = hidden.empty() ? nullptr : hidden.data();
  const auto pyramid = buildPyramid(picture.values, flags, picture.rows, picture.cols,
                                    levelsFor(picture.rows, picture.cols), picture.reduction);
  std::vector<Layer> layers{{picture.rows, picture.cols, picture.values, flags}};
  for (const PyramidLevel& level : pyramid)
    layers.push_back({level.rows, level.cols, level.values.data(), flags ? level.hidden.data() : nullptr});
  layers.erase(layers.begin(), layers.begin() + first);
  uploadLayers(layers, slot.values, slot.hidden);
  slot.content = content;
  ++uploads_;
}

const Texture& Heatmaps::colormapTexture(Colormap map) {
  Texture& texture = colormaps_[static_cast<int>(map)];
  if (!texture.isMade()) {
    const ColormapTable table = tableOf(map);
    texture.reserve(GL_RGB8, kColormapSteps, 1, 1);
    texture.fill(0, kColormapSteps, 1, table.data());
  }
  return texture;
}

/// Which rectangle of the screen shows which cells: only what may be seen, so that far zooming stays exact.
void Heatmaps::setPlace(unsigned program, const HeatmapPicture& picture) {
  const auto location = [&](const char* name) { return glGetUniformLocation(program, name); };
  const ImDrawData& data = *ImGui::GetDrawData();
  const ImVec2 min(std::max(picture.min.x, picture.clipMin.x), std::max(picture.min.y, picture.clipMin.y));
  const ImVec2 max(std::min(picture.max.x, picture.clipMax.x), std::min(picture.max.y, picture.clipMax.y));
  const auto clipX = [&](float x) { return (x - data.DisplayPos.x) / data.DisplaySize.x * 2 - 1; };
  const auto clipY = [&](float y) { return 1 - (y - data.DisplayPos.y) / data.DisplaySize.y * 2; };
  const Index across = picture.isTransposed ? picture.rows : picture.cols;
  const Index down = picture.isTransposed ? picture.cols : picture.rows;
  const ImVec2 extent(picture.max.x - picture.min.x, picture.max.y - picture.min.y);
  const ImVec2 cell(extent.x / static_cast<float>(across), extent.y / static_cast<float>(down));
  glUniform4f(location("rectangle"), clipX(min.x), clipY(min.y), clipX(max.x), clipY(max.y));
  glUniform2f(location("corner"), (min.x - picture.min.x) / cell.x, (min.y - picture.min.y) / cell.y);
  glUniform2f(location("origin"), (min.x - data.DisplayPos.x) * data.FramebufferScale.x,
              (data.DisplayPos.y + data.DisplaySize.y - min.y) * data.FramebufferScale.y);
  glUniform2f(location("pixel"), 1 / (cell.x * data.FramebufferScale.x),
              1 / (cell.y * data.FramebufferScale.y));
  glUniform1f(location("ruleWidth"), picture.ruleWidth * data.FramebufferScale.x);
}

void Heatmaps::setSampling(unsigned program, const HeatmapPicture& picture, const Content& content,
                           const Sampling& sampling) {
  const auto location = [&](const char* name) { return glGetUniformLocation(program, name); };
  const auto halved = [&](Index side) {
    return static_cast<int>((side + (Index{1} << content.firstLevel) - 1) >> content.firstLevel);
  };
  glUniform2i(location("size"), halved(picture.cols), halved(picture.rows));
  glUniform1i(location("level"), sampling.level);
  glUniform2f(location("footprint"), sampling.footprint.x, sampling.footprint.y);
  glUniform1f(location("cellsPerUnit"), sampling.scale);
  glUniform1i(location("isAverage"), picture.reduction == Reduction::average);
  glUniform1i(location("isTransposed"), picture.isTransposed);
}

void Heatmaps::setColours(unsigned program, const HeatmapPicture& picture) {
  const auto location = [&](const char* name) { return glGetUniformLocation(program, name); };
  const auto set = [&](const char* name, const ImVec4& colour) {
    glUniform3f(location(name), colour.x, colour.y, colour.z);
  };
  glUniform2f(location("range"), picture.low, picture.high);
  glUniform1i(location("isLogarithmic"), picture.isLogarithmic);
  glUniform1i(location("isDiverging"), picture.isDiverging);
  set("paper", picture.paper);
  set("ink", picture.ink);
  set("alarm", picture.alarm);
  glUniform1f(location("hatchWidth"), picture.hatchWidth * ImGui::GetDrawData()->FramebufferScale.x);
}

void Heatmaps::render(const Draw& draw, const ImDrawCmd& command) {
  const HeatmapPicture& picture = draw.picture;
  if (picture.rows <= 0 || picture.cols <= 0 ||
      !(picture.max.x > picture.min.x && picture.max.y > picture.min.y))
    return;
  if (!vertexArray_) glGenVertexArrays(1, &vertexArray_);
  Slot& slot = slots_[draw.slot];
  const Texture& colormap = colormapTexture(picture.colormap);
  prepareSlot(slot, picture);
  setScissor(*ImGui::GetDrawData(), command);
  const Sampling sampling = samplingOf(picture, slot.content);
  const unsigned program = programFor(picture, sampling);
  glUseProgram(program);
  glBindVertexArray(vertexArray_);
  slot.values.bind(0);
  if (picture.visibility) slot.hidden.bind(1);
  colormap.bind(2);
  setPlace(program, picture);
  setSampling(program, picture, slot.content, sampling);
  setColours(program, picture);
  glDisable(GL_BLEND);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glActiveTexture(GL_TEXTURE0);
}

}  // namespace attn
