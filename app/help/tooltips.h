#pragma once
#include <span>
#include <string_view>

namespace attn {

class Application;

/// What something in the window means. The path is that of the item registry: "Scale/Temperature"; "//Undo"
/// stands for an item of this name in any window, "#" for any number, and
/// "fold *" for "fold" and any one word.
struct TooltipText {
  std::string_view path, text;
};

/// All of them: tooltip_panels.cpp is the table for panels, tooltip_commands.cpp that for commands,
/// tooltip_labs.cpp that for labs.
std::span<const TooltipText> panelTooltips();
std::span<const TooltipText> commandTooltips();
std::span<const TooltipText> labTooltips();

/// What the item with this path means; empty where nothing is written about it.
std::string_view tooltipFor(std::string_view path);

/// Shows what the item means that the mouse or the keyboard rests on, unless it tells that itself. Once a
/// frame, after everything else.
void drawTooltip(const Application& app);

}  // namespace attn
