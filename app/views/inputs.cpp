#include "app/views/inputs.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "app/views/labels.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

using InputGetter = std::function<InputOf<float>&(Scene&)>;
using RowLabel = std::function<std::string(Index)>;

/// A matrix of the scene: its name on the screen, where it is, what its rows are called.
struct Grid {
  std::string name;
  InputGetter input;
  RowLabel rowLabel;
  const InputOf<float>& values;
};

/// A number that is dragged or typed. Its background tells sign and size.
void drawCell(ViewContext& context, const Grid& grid, Index row, Index col, float largest) {
  float value = grid.values.values(row, col);
  const std::string label = "##" + grid.name + "[" + std::to_string(row) + "][" + std::to_string(col) + "]";
  ImVec4 tint = value < 0 ? context.theme.negative : context.theme.positive;
  tint.w = std::isfinite(value) ? 0.32f * std::abs(value) / largest : 0;
  ImGui::PushStyleColor(ImGuiCol_FrameBg, tint);
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (ImGui::DragFloat(label.c_str(), &value, context.state.inputs.step, 0, 0, "%.2f"))
    context.editor.change([&](Scene& scene) {
      InputOf<float>& input = grid.input(scene);
      input.values(row, col) = value;
      input.fill = {};
    });
  ImGui::PopStyleColor();
  if (ImGui::IsItemHovered()) context.state.nextHover.dimension = col;
}

void drawRows(ViewContext& context, const Grid& grid) {
  const auto& values = grid.values.values;
  const float largest = std::max(1e-6f, values.size() ? values.cwiseAbs().maxCoeff() : 0.0f);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(values.rows()));
  while (clipper.Step())
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::AlignTextToFramePadding();
      ImGui::TextUnformatted(grid.rowLabel(row).c_str());
      ImGui::PushFont(context.theme.numbers);
      for (Index col = 0; col < values.cols(); ++col)
        if (ImGui::TableNextColumn()) drawCell(context, grid, row, col, largest);
      ImGui::PopFont();
    }
}

void drawGrid(ViewContext& context, const Grid& grid) {
  const auto& values = grid.values.values;
  sectionLabel(context.theme, grid.name.c_str());
  ImGui::SameLine();
  ImGui::TextDisabled("%s", shapeText(values.rows(), values.cols()).c_str());
  constexpr int kMostColumns = 500;
  const int columns = static_cast<int>(std::min<Index>(values.cols(), kMostColumns));
  constexpr auto kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(context.theme.unit, context.theme.unit));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(4 * context.theme.unit, 2 * context.theme.unit));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  const float font = ImGui::GetFontSize(), labels = 4.6f * font;
  const float room = (ImGui::GetContentRegionAvail().x - labels) / static_cast<float>(columns);
  const float width = std::clamp(room - 3 * context.theme.unit, 3.2f * font, 6 * font);
  // As wide as it needs: the panel scrolls, the columns do not shrink.
  const float padded = width + 2 * context.theme.unit;
  const float whole = labels + 4 * context.theme.unit + padded * static_cast<float>(columns);
  if (ImGui::BeginTable(("##" + grid.name).c_str(), columns + 1, kFlags, {whole, 0})) {
    ImGui::TableSetupColumn("token", ImGuiTableColumnFlags_WidthFixed, labels);
    for (int col = 0; col < columns; ++col)
      ImGui::TableSetupColumn("##column", ImGuiTableColumnFlags_WidthFixed, width);
    drawRows(context, grid);
    ImGui::EndTable();
  }
  ImGui::PopStyleVar(3);
  ImGui::Spacing();
}

void drawGiven(ViewContext& context, std::size_t h) {
  const Scene& scene = context.scene;
  const GivenHeadOf<float>& head = scene.source.given[h];
  const RowLabel query = [&](Index i) { return queryLabel(scene, i); };
  const RowLabel key = [&](Index i) { return keyLabel(scene, i); };
  drawGrid(context, {"Q", [h](Scene& s) -> auto& { return s.source.given[h].q;
}
, query, head.q
}  // namespace
);
  drawGrid(context, {"K", [h](Scene& s) -> auto& { return s.source.given[h].k;
  }  // namespace attn
  , key, head.k
  });
  drawGrid(context, {"V", [h](Scene& s) -> auto& { return s.source.given[h].v;
  }
  , key, head.v
  });
  }

  void drawProjected(ViewContext& context, std::size_t h) {
    const Scene& scene = context.scene;
    const ProjectedHeadOf<float>& head = scene.source.projected[h];
    const RowLabel query = [&](Index i) { return queryLabel(scene, i); };
    const RowLabel key = [&](Index i) { return keyLabel(scene, i); };
    const RowLabel number = [](Index i) { return std::to_string(i); };
  drawGrid(context, {"X", [](Scene& s) -> auto& { return s.source.x;
  }
  , query, scene.source.x
  });
  if (scene.source.other)
    drawGrid(context, {"Y", [](Scene& s) -> auto& { return *s.source.other;
  }
  , key, *scene.source.other
  });
  drawGrid(context, {"W_Q", [h](Scene& s) -> auto& { return s.source.projected[h].wq;
  }
  , number, head.wq
  });
  drawGrid(context, {"W_K", [h](Scene& s) -> auto& { return s.source.projected[h].wk;
  }
  , number, head.wk
  });
  drawGrid(context, {"W_V", [h](Scene& s) -> auto& { return s.source.projected[h].wv;
  }
  , number, head.wv
  });
  if (scene.source.wo)
    drawGrid(context, {"W_O", [](Scene& s) -> auto& { return *s.source.wo;
  }
  , number, *scene.source.wo
  });
  }

  }  // namespace

  void drawInputs(ViewContext& context) {
    const auto head = static_cast<std::size_t>(context.state.selection.head);
    const SourceOf<float>& source = context.scene.source;
    if (source.kind == SourceOf<float>::Kind::given)
      drawGiven(context, std::min(head, source.given.size() - 1));
    else
      drawProjected(context, std::min(head, source.projected.size() - 1));
  }

  }  // namespace attn
