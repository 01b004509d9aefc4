// What it costs to draw a frame with a map: few tokens, many, and many by ImPlot's own heatmap. Offscreen, in
// one run, until the graphics card (or its stand-in) has finished. Prints the ratios that matter beneath the
// table.
#include <backends/imgui_impl_opengl3.h>
#include <benchmark/benchmark.h>
#include <epoxy/gl.h>
#include <imgui.h>
#include <implot.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "app/application.h"
#include "app/platform/window_offscreen.h"
#include "core/fill.h"

namespace attn {
namespace {

constexpr int kWidth = 1000, kHeight = 800;  // both maps get the same room in it

SharedScene sceneOf(Index tokens, bool isCausal) {
  Scene scene;
  GivenHeadOf<float> head;
  std::uint64_t seed = 1;
  for (InputOf<float>* input : {&head.q, &head.k, &head.v}) {
    input->fill.kind = Fill::Kind::normal;
    input->fill.seed = seed++;
    input->values.resize(tokens, 8);
    refill(*input);
  }
  scene.source.given = {head};
  if (isCausal) scene.masks = {CausalRule{}};
  return std::make_shared<const Scene>(scene);
}

/// The window with nothing but the weights in it.
struct Window {
  explicit Window(Index tokens, bool isCausal = false)
      : app(sceneOf(tokens, isCausal)), screen((app.showOnly("Weights"), app), kWidth, kHeight) {
    app.settle();
    for (int i = 0; i < 4; ++i) screen.frame();
    glFinish();
  }
  const StackOf<float>& weights() { return app.evaluations().current()->results.probs; }

  Application app;
  OffscreenWindow screen;
};

void ours(benchmark::State& state, Index tokens, bool isCausal) {
  Window window(tokens, isCausal);
  for (auto _ : state) {
    window.screen.frame();
    glFinish();
  }
}

/// Each frame shows another part: nothing can be kept from the last one but the numbers.
void oursPanned(benchmark::State& state, Index tokens) {
  Window window(tokens);
  double shift = 0;
  for (auto _ : state) {
    MapZoom& zoom = window.app.state().maps.zooms["Weights/map"];
    shift = shift > 100 ? 0 : shift + 1;
    zoom.left = zoom.top = shift;
    zoom.right = zoom.bottom = static_cast<double>(tokens) - 200 + shift;
    window.screen.frame();
    glFinish();
  }
}

void implotFrame(const StackOf<float>& weights) {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({kWidth, kHeight});
  ImGui::Begin("ImPlot", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings);
  if (ImPlot::BeginPlot("##map", {-1, -1}, ImPlotFlags_CanvasOnly)) {
    ImPlot::PlotHeatmap("##heatmap", weights.head(0), static_cast<int>(weights.rows()),
                        static_cast<int>(weights.cols()), 0, 1, nullptr);
    ImPlot::EndPlot();
  }
  ImGui::End();
  ImGui::Render();
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glFinish();
}

void implots(benchmark::State& state, Index tokens) {
  Window window(tokens);
  implotFrame(window.weights());
  for (auto _ : state) implotFrame(window.weights());
}

/// The table as always, and the times for the ratios.
class Reporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.aggregate_name == "median") medians[run.run_name.function_name] = run.GetAdjustedRealTime();
    ConsoleReporter::ReportRuns(runs);
  }
  std::map<std::string, double> medians;
};

void printRatio(const Reporter& reporter, const char* above, const char* below, const char* wanted) {
  const auto a = reporter.medians.find(above), b = reporter.medians.find(below);
  if (a == reporter.medians.end() || b == reporter.medians.end()) return;
  std::printf("%-28s / %-20s %8.2f   wanted: %s\n", above, below, a->second / b->second, wanted);
}

}  // namespace
}  // namespace attn

int main(int count, char** arguments) {
  using namespace attn;
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 1;
  const auto add = [](const char* name, auto function, int repetitions) {
    benchmark::RegisterBenchmark(name, function)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->Repetitions(repetitions)
        ->ReportAggregatesOnly(true);
  };
  add(
      "64 tokens", [](benchmark::State& state) { ours(state, 64, false); }, 9);
  add(
      "2048 tokens", [](benchmark::State& state) { ours(state, 2048, false); }, 9);
  add(
      "2048 tokens, causal", [](benchmark::State& state) { ours(state, 2048, true); }, 9);
  add(
      "64 tokens, causal", [](benchmark::State& state) { ours(state, 64, true); }, 9);
  add(
      "2048 tokens, panned", [](benchmark::State& state) { oursPanned(state, 2048); }, 9);
  add(
      "2048 tokens, PlotHeatmap", [](benchmark::State& state) { implots(state, 2048); }, 3);
  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  std::printf("\n");
  printRatio(reporter, "2048 tokens", "64 tokens", "at most 1.5");
  printRatio(reporter, "2048 tokens, causal", "64 tokens, causal", "at most 1.5");
  printRatio(reporter, "2048 tokens, panned", "64 tokens", "at most 1.5");
  printRatio(reporter, "2048 tokens, PlotHeatmap", "2048 tokens", "at least 20");
}
