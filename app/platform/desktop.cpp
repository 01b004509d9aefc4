#include "app/platform/desktop.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <thread>

namespace attn {

std::string openWithDesktop(const std::filesystem::path& path) {
  std::string program = "xdg-open", argument = path.string();
  char* const words[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int failure = ::posix_spawnp(&child, program.c_str(), nullptr, nullptr, words, environ);
  if (failure != 0) return "Cannot open " + argument + ": xdg-open: " + std::strerror(failure);
  // Somebody has to take note of its end.
  std::thread([child] { ::waitpid(child, nullptr, 0); }).detach();
  return "";
}

}  // namespace attn
