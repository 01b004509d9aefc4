#include "core/io/text_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "core/error.h"

namespace attn {

std::string readTextFile(const std::filesystem::path& file, std::uint64_t mostBytes) {
  const std::string where = file.string();
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  // Asked before it is opened: opening a pipe waits for somebody to write.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error(where + ": not a regular file");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error(where + ": " + std::strerror(errno));
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (!error && size > mostBytes)
    throw Error(where + ": found " + std::to_string(size) + " bytes, expected at most " +
                std::to_string(mostBytes));
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad()) throw Error(where + ": cannot be read");
  return text.str();
}

}  // namespace attn
