#include "app/pictures.h"

#include <cctype>
#include <ctime>
#include <fstream>

#include "core/error.h"
#include "core/io/atomic_file.h"

namespace attn {
namespace fs = std::filesystem;

namespace {

/// "Raw scores" → "raw-scores": a name that needs no quotes in a shell.
std::string plainName(const std::string& title) {
  std::string name;
  for (const char letter : title)
    name += std::isalnum(static_cast<unsigned char>(letter))
                ? static_cast<char>(std::tolower(static_cast<unsigned char>(letter)))
                : '-';
  return name;
}

std::string stamp() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[32] = "";
  if (localtime_r(&now, &parts)) std::strftime(text, sizeof text, "%Y-%m-%d-%H%M%S", &parts);
  return text;
}

fs::path freeName(const fs::path& folder, const std::string& stem) {
  std::error_code ignored;
  fs::path file = folder / (stem + ".png");
  for (int i = 2; fs::exists(file, ignored); ++i) file = folder / (stem + "-" + std::to_string(i) + ".png");
  return file;
}

/// The folder in a line like XDG_PICTURES_DIR="$HOME/Bilder".
fs::path namedFolder(const fs::path& list, const fs::path& home) {
  const std::string key = "XDG_PICTURES_DIR=\"", variable = "$HOME";
  std::ifstream stream(list);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(key) || !line.ends_with('"')) continue;
    const std::string value = line.substr(key.size(), line.size() - key.size() - 1);
    if (value.starts_with(variable)) return home.string() + value.substr(variable.size());
    return value;
  }
  return {};
}

}  // namespace

fs::path pictureFolder(const Environment& environment) {
  const fs::path home = environment("HOME").value_or("");
  if (!home.is_absolute()) return {};
  fs::path config = environment("XDG_CONFIG_HOME").value_or("");
  if (!config.is_absolute()) config = home / ".config";
  std::error_code ignored;
  for (const fs::path& folder : {namedFolder(config / "user-dirs.dirs", home), home / "Pictures"})
    if (folder.is_absolute() && fs::is_directory(folder, ignored)) return folder;
  return home;
}

namespace {

template <class Write>
fs::path keepInFirst(const std::string& panel, const std::vector<fs::path>& folders, Write write) {
  const std::string stem = "attnscope-" + (panel.empty() ? "" : plainName(panel) + "-") + stamp();
  std::string reason = "there is no folder for pictures";
  for (const fs::path& folder : folders) {
    if (folder.empty()) continue;
    try {
      const fs::path file = freeName(folder, stem);
      write(file);
      return file;
    } catch (const Error& error) {
      reason = error.what();
    }
  }
  throw Error(reason);
}

}  // namespace

fs::path keepPicture(const Image& image, const std::string& panel, const std::vector<fs::path>& folders) {
  return keepInFirst(panel, folders, [&](const fs::path& file) { writePng(image, file); });
}

fs::path keepPicture(const std::string& bytes, const std::string& panel,
                     const std::vector<fs::path>& folders) {
  return keepInFirst(panel, folders, [&](const fs::path& file) { writeFileAtomically(file, bytes); });
}

}  // namespace attn
