#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "app/help/tooltips.h"
#include "app/item_registry.h"
#include "app/presenter/hidden_values.h"
#include "app/views/gradients_pages.h"
#include "app/views/labels.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

/// The ends of the logarithmic bars, as powers of ten.
struct Decades {
  int low = -6, high = 3;
};

/// The same for all bars of all pages, wider only where a norm does not fit: lengths can be compared.
Decades decadesOf(const AllGradientNorms& norms) {
  Decades decades;
  for (std::size_t i = 0; i < kGradientNames; ++i) {
    const double norm = normsOf(norms, static_cast<GradientName>(i)).all;
    if (!(norm > 0) || !std::isfinite(norm)) continue;
    const double power = std::log10(norm);
    decades.high = std::max(decades.high, static_cast<int>(std::ceil(power)));
    decades.low = std::min(decades.low, static_cast<int>(std::floor(power)));
  }
  return decades;
}

/// A bar from the lowest decade on, with a notch at each.
void logBar(const Theme& theme, double norm, double pinned, const Decades& decades, ImVec2 size,
            const ImVec4& colour) {
  const auto span = static_cast<float>(decades.high - decades.low);
  const auto shareOf = [&](double length) {
    return length > 0 ? (static_cast<float>(std::log10(length)) - static_cast<float>(decades.low)) / span : 0;
  };
  const float share = shareOf(norm);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float inset = std::round(size.y * 0.22f);  // as the bar's own
  levelBar(theme, share, size, colour);
  for (int i = 1; i < decades.high - decades.low; ++i) {
    const float x = std::round(at.x + size.x * static_cast<float>(i) / span);
    ImGui::GetWindowDrawList()->AddLine({x, at.y + inset}, {x, at.y + size.y - inset},
                                        ImGui::GetColorU32(theme.panel), std::max(1.0f, theme.unit));
  }
  pinnedBar(theme, std::isnan(pinned) ? NAN : shareOf(pinned));
}

struct Bar {
  std::string name;
  double norm = 0;
  bool isChosen = false;
  double pinned = NAN;  // A's; NaN where there is none
};

/// The same norm in A.
double pinnedNorm(const ViewContext& context, GradientName name, std::vector<double> GradientNorms::*which,
                  std::size_t place) {
  if (!context.pinned || !context.pinned->results.made.backward) return NAN;
  const auto& a = normsOf(context.pinned->results.norms, name).*which;
  const auto& b = normsOf(context.results.norms, name).*which;
  return a.size() == b.size() && place < a.size() ? a[place] : NAN;
}

/// What the columns are: whose norms, and the ends of the bars.
void drawBarHeads(const Theme& theme, const char* title, const Decades& decades) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextColored(theme.faint, "%s", title);
  if (!ImGui::TableNextColumn()) return;
  const std::string low = powerText(decades.low), high = powerText(decades.high);
  const float room = ImGui::GetContentRegionAvail().x, right = ImGui::GetCursorPosX() + room;
  const float words = ImGui::CalcTextSize((low + " " + high).c_str()).x;
  if (words > room) return;
  ImGui::TextColored(theme.faint, "%s", low.c_str());
  ImGui::SameLine();
  ImGui::SetCursorPosX(right - ImGui::CalcTextSize(high.c_str()).x);
  ImGui::TextColored(theme.faint, "%s", high.c_str());
}

/// A table of bars, made only as far as it is in sight. Returns the bar that was clicked, or −1.
int drawBars(ViewContext& context, const char* title, Index count, const ImVec4& colour,
             const std::function<Bar(Index)>& barOf, const std::function<ImVec4(Index)>& colourOfBar = {}) {
  constexpr auto kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_NoSavedSettings;
  const Theme& theme = context.theme;
  const Decades decades = decadesOf(context.results.norms);
  const float room = ImGui::GetContentRegionAvail().y;
  int clicked = -1;
  if (!ImGui::BeginTable(title, 3, kFlags)) return clicked;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::PushFont(theme.small);
  const float font = ImGui::GetFontSize();
  const float height = barHeight(room - 1.5f * font, static_cast<std::size_t>(count));
  const bool isNarrow =
      ImGui::GetContentRegionAvail().x < 14 * font;  // then the bars need the room of digits
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed, (isNarrow ? 4.6f : 5) * font);
  ImGui::TableSetupColumn("bar", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("norm", ImGuiTableColumnFlags_WidthFixed, (isNarrow ? 2.4f : 4.2f) * font);
  drawBarHeads(theme, title, decades);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(count));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const Bar bar = barOf(i);
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      if (barName("bar" + std::to_string(i), bar.name, bar.isChosen, height)) clicked = i;
      const std::string of = std::string("Gradients ") + title;
      if (ImGui::IsItemHovered()) pointAtValue(context.state, of, i, 0);
      const bool isSecret = isValueHidden(context.state, of, i, 0);
      if (tooltipFor("Gradients/" + bar.name).empty())
        ImGui::SetItemTooltip("How large this gradient is. From notch to notch it is ten times as large.");
      if (ImGui::TableNextColumn() && !isSecret) {
        const ImVec2 at = ImGui::GetCursorScreenPos(), size(ImGui::GetContentRegionAvail().x, height);
        logBar(theme, bar.norm, bar.pinned, decades, size, colourOfBar ? colourOfBar(i) : colour);
        nameRect("bar of " + bar.name, at, {at.x + size.x, at.y + size.y});
      }
      const Notation& notation = context.state.notation;
      const auto text = [&](double norm) { return numberText(notation, norm, 3); };
      const std::string shown = isNarrow ? briefText(notation, bar.norm) : text(bar.norm);
      if (ImGui::TableNextColumn())
        numberCell(theme, isSecret ? "?" : shown, {ImGui::GetContentRegionAvail().x, height});
      if (std::isfinite(bar.pinned) && !isSecret)
        ImGui::SetItemTooltip("A: %s, B: %s", text(bar.pinned).c_str(), text(bar.norm).c_str());
    }
  ImGui::PopFont();
  ImGui::EndTable();
  return clicked;
}

/// What a row of a gradient stands for.
std::string rowName(const ViewContext& context, GradientName name, Index row) {
  switch (name) {
    case GradientName::weights:
    case GradientName::scores:
    case GradientName::q:
    case GradientName::x:
      return queryLabel(context.state.notation, context.shown, row);
    case GradientName::k:
    case GradientName::v:
    case GradientName::other:
      return keyLabel(context.state.notation, context.shown, row);
    default:
      return "row " + dimensionLabel(context.state.notation, row);
  }
}

/// Where a head's norm is: gradients of what all heads share have one.
std::size_t headPlace(const ViewContext& context, GradientName name, Index head) {
  const auto heads = normsOf(context.results.norms, name).ofHead.size();
  return heads > 1 ? static_cast<std::size_t>(head) : 0;
}

/// The chosen gradient, or dQ where the scene no longer has it.
GradientName chosenOf(const ViewContext& context) {
  const auto names = gradientsOf(context);
  const GradientName chosen = context.state.gradients.chosen;
  return std::find(names.begin(), names.end(), chosen) == names.end() ? GradientName::q : chosen;
}

}  // namespace

std::vector<GradientName> gradientsOf(const ViewContext& context) {
  std::vector<GradientName> names;
  for (std::size_t i = 0; i < kGradientNames; ++i) {
    const auto name = static_cast<GradientName>(i);
    if (!normsOf(context.results.norms, name).ofHead.empty()) names.push_back(name);
  }
  return names;
}

ImVec4 colourOf(const Theme& theme, GradientName name) {
  constexpr int kSeries[kGradientNames] = {5, 5, 0, 1, 2, 3, 3, 0, 1, 2, 4};
  return theme.series[kSeries[static_cast<std::size_t>(name)]];
}

void drawAllNorms(ViewContext& context) {
  const auto names = gradientsOf(context);
  const auto nameAt = [&](Index i) { return names[static_cast<std::size_t>(i)]; };
  const Index head = context.state.selection.head;
  const std::string title = "head " + std::to_string(head + 1);
  const int clicked = drawBars(
      context, title.c_str(), static_cast<Index>(names.size()), {},
      [&](Index i) -> Bar {
        return {gradientText(nameAt(i)), normOfHead(normsOf(context.results.norms, nameAt(i)), head),
                nameAt(i) == context.state.gradients.chosen,
                pinnedNorm(context, nameAt(i), &GradientNorms::ofHead, headPlace(context, nameAt(i), head))};
      },
      [&](Index i) { return colourOf(context.theme, nameAt(i)); });
  if (clicked >= 0) context.state.gradients.chosen = nameAt(clicked);
}

void drawHeadNorms(ViewContext& context) {
  const GradientName chosen = chosenOf(context);
  const GradientNorms& norms = normsOf(context.results.norms, chosen);
  const auto heads = static_cast<Index>(norms.ofHead.size());
  const bool isShared = heads == 1 && context.results.shapes.heads > 1;
  const int clicked =
      drawBars(context, gradientText(chosen), heads, colourOf(context.theme, chosen), [&](Index h) -> Bar {
        return {isShared ? "all heads" : "head " + std::to_string(h + 1),
                norms.ofHead[static_cast<std::size_t>(h)], !isShared && h == context.state.selection.head,
                pinnedNorm(context, chosen, &GradientNorms::ofHead, static_cast<std::size_t>(h))};
      });
  if (clicked >= 0 && !isShared) context.state.selection.head = clicked;
}

void drawRowNorms(ViewContext& context) {
  const GradientName chosen = chosenOf(context);
  const GradientNorms& norms = normsOf(context.results.norms, chosen);
  if (norms.ofHead.empty()) return;
  const auto heads = static_cast<Index>(norms.ofHead.size());
  const Index rows = static_cast<Index>(norms.ofRow.size()) / heads;
  const Index head = std::min(context.state.selection.head, heads - 1);
  const bool areQueries = rowName(context, chosen, 0) == queryLabel(context.state.notation, context.shown, 0);
  const int clicked =
      drawBars(context, gradientText(chosen), rows, colourOf(context.theme, chosen), [&](Index i) -> Bar {
        const auto place = static_cast<std::size_t>(head * rows + i);
        const std::string name = elided(rowName(context, chosen, i), 5 * context.theme.small->FontSize);
        return {name, norms.ofRow[place], areQueries && i == context.state.selection.query,
                pinnedNorm(context, chosen, &GradientNorms::ofRow, place)};
      });
  if (clicked >= 0 && areQueries) context.state.selection.query = clicked;
}

}  // namespace attn
