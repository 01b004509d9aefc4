#include "app/platform/system_theme.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>
#include <string>

namespace attn {
namespace fs = std::filesystem;

namespace {

std::string lower(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

bool isDarkName(const std::string& name) {
  return lower(name).find("dark") != std::string::npos;
}

/// The value of the first line "key=value" with this key, blanks around "=" or not.
std::optional<std::string> valueIn(const fs::path& file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::erase_if(line, [](char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; });
    if (line.starts_with(key + "=")) return line.substr(key.size() + 1);
  }
  return std::nullopt;
}

std::optional<bool> gtkIsDark(const fs::path& config) {
  for (const char* version : {"gtk-4.0", "gtk-3.0"}) {
    const fs::path file = config / version / "settings.ini";
    if (const auto prefers = valueIn(file, "gtk-application-prefer-dark-theme"))
      return *prefers == "1" || lower(*prefers) == "true";
    if (const auto name = valueIn(file, "gtk-theme-name")) return isDarkName(*name);
  }
  return std::nullopt;
}

}  // namespace

ThemeKind systemTheme(const Environment& environment) {
  const auto kind = [](bool isDark) { return isDark ? ThemeKind::dark : ThemeKind::light; };
  if (const auto name = environment("GTK_THEME"); name && !name->empty()) return kind(isDarkName(*name));
  fs::path config = environment("XDG_CONFIG_HOME").value_or("");
  if (!config.is_absolute()) config = fs::path(environment("HOME").value_or("/")) / ".config";
  const bool isKde = lower(environment("XDG_CURRENT_DESKTOP").value_or("")).find("kde") != std::string::npos;
  const auto kde = valueIn(config / "kdeglobals", "ColorScheme");
  if (isKde && kde) return kind(isDarkName(*kde));
  if (const auto gtk = gtkIsDark(config)) return kind(*gtk);
  return kind(kde && isDarkName(*kde));
}

}  // namespace attn
