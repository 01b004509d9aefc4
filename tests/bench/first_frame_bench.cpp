// How long a person waits for the first frame: attnscope against a bare window of Dear ImGui and GLFW of the
// same size, in turns. Each is a process of its own, timed from before its start until its frame is swapped.
#include <epoxy/gl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "app/application.h"
#include "app/files.h"
#include "app/platform/desktop.h"
#include "app/platform/window_glfw.h"

namespace {

constexpr int kWidth = 1280, kHeight = 720;

long long now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void report(long long start) {
  glFinish();
  std::printf("%lld\n", now() - start);
  std::fflush(stdout);
}

/// As cli/window.cpp starts it, until the first frame.
int runOurs(long long start) {
  attn::Application app(attn::defaultScene(), {attn::processEnvironment(), attn::openWithDesktop});
  app.remember(attn::foldersOf(attn::processEnvironment()));
  app.state().window = {kWidth, kHeight};
  attn::runWindow(app, [&] {
    report(start);
    std::_Exit(0);
  });
  return 0;
}

double millisecondsOf(const std::string& program) {
  const std::string command = program + " " + std::to_string(now());
  FILE* pipe = popen(command.c_str(), "r");
  long long nanoseconds = -1;
  const bool isRead = pipe && std::fscanf(pipe, "%lld", &nanoseconds) == 1;
  if (pipe) pclose(pipe);
  if (!isRead) {
    std::fprintf(stderr, "first_frame_bench: %s did not draw; is there a display?\n", program.c_str());
    std::exit(1);
  }
  return static_cast<double>(nanoseconds) / 1e6;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int count, char** words) {
  const std::string self = words[0];
  if (count == 2) return runOurs(std::atoll(words[1]));
  constexpr int kRounds = 25;
  std::vector<double> bare, ours;
  for (int i = 0; i <= kRounds; ++i) {
    const double a = millisecondsOf(self + "_bare"), b = millisecondsOf(self);
    if (i == 0) continue;  // files come from the disk the first time
    bare.push_back(a), ours.push_back(b);
  }
  const double fastestBare = *std::min_element(bare.begin(), bare.end());
  const double fastestOurs = *std::min_element(ours.begin(), ours.end());
  const double ratio = median(ours) / median(bare);
  std::printf("first frame, %d × %d, of %d starts each   fastest    median\n", kWidth, kHeight, kRounds);
  std::printf("  bare ImGui + GLFW                      %7.1f ms %7.1f ms\n", fastestBare, median(bare));
  std::printf("  attnscope                              %7.1f ms %7.1f ms\n", fastestOurs, median(ours));
  std::printf("  ratio                                  %7.2f    %7.2f    (at most 1.5)\n",
              fastestOurs / fastestBare, ratio);
  return ratio <= 1.5 ? 0 : 1;
}
