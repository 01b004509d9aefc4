#pragma once
#include <imgui.h>

#include <functional>
#include <span>
#include <string>

#include "core/matrix.h"

namespace attn {

struct ViewContext;
struct Theme;

/// A lab's panel: its controls at the left and its picture at the right, or beneath them where the panel is
/// narrow. Both are drawn within.
void drawLab(ViewContext& context, const std::function<void()>& controls,
             const std::function<void()>& picture);

/// Sliders of a lab, of one width. True when moved; a double click, or Enter, types the number.
bool labSlider(const char* label, double& value, double low, double high, const char* format = "%.2f",
               ImGuiSliderFlags flags = 0);
bool labSlider(const char* label, Index& value, Index low, Index high, ImGuiSliderFlags flags = 0);
/// 1, 2, 4 … up to the most, a step each.
bool labPowerSlider(const char* label, Index& value, Index most);
/// A whole number with buttons that step.
bool labSeed(std::uint64_t& seed);

/// The button that every lab has. True when pressed.
bool sendButton();

/// A number of a lab with its name, "?" where it is hidden from the audience. `number` tells it from the
/// other ones of the lab.
void labReadout(ViewContext& context, const char* lab, int number, const std::string& name,
                const std::string& value, const char* tooltip);

/// A picture of a lab with its title above it, which fills `size`: a part of the panel of its own. False
/// where there is nothing to draw into: hidden from the audience (a "?" stands there), or too small. Ends
/// with endFigure where true.
bool beginFigure(ViewContext& context, const char* lab, int number, const std::string& title, ImVec2 size);
void endFigure();

/// The same with a plot in it, and its legend above that.
bool beginChart(ViewContext& context, const char* lab, int number, const std::string& title, ImVec2 size,
                const std::function<void()>& drawLegend = {});
void endChart();
/// Axes of numbers between these limits, which nothing moves.
struct AxisRange {
  double low = 0, high = 1;
  bool isLogarithmic = false;
};
void setUpAxes(const ViewContext& context, const AxisRange& x, const AxisRange& y);
/// A name beside a point of the chart that is open; the offset counts letters.
void nameInChart(const ViewContext& context, const char* text, double x, double y, ImVec2 offset = {0, 0});
/// Whether the mouse is in the chart that is open.
bool isChartHovered();

/// As many of a lab's charts as have room: all of them in rows, or the chosen page, beside the first chart
/// where two have room. draw(number, size) draws one.
void drawCharts(ViewContext& context, std::span<const char* const> names, int& page,
                const std::function<void(int, ImVec2)>& draw);

/// The sign and the name of a series, on a line with others as far as there is room.
void legendEntry(const ViewContext& context, int series, const char* name);

/// The marker of a series beside its name: a sign of its own, so that colour is not all that tells.
const char* seriesSign(int series);
int seriesMarker(int series);

}  // namespace attn
