// Does some n or d cost far more than its neighbours?
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <set>

#include "tests/bench/reports.h"

namespace attn::bench {
namespace {

constexpr Index kRound = 32;  // sizes that fill the widest tiles
constexpr Index kMostN = 1100, kMostD = 130, kFixedN = 256, kFixedD = 64;
constexpr std::size_t kWorst = 12;

Index roundDown(Index size) {
  return std::max<Index>(1, size / kRound * kRound);
}
Index roundUp(Index size) {
  return (size + kRound - 1) / kRound * kRound;
}

/// All small sizes, and above them those next to a multiple of a tile's rows or columns.
std::set<Index> sizesOfN() {
  std::set<Index> sizes;
  for (Index n = 1; n <= roundUp(kMostN); ++n) {
    const bool nearTile = (n + 1) % 16 <= 2 || (n + 1) % 12 <= 2;
    if (n <= 64 || n % kRound == 0 || (nearTile && n <= kMostN)) sizes.insert(n);
  }
  return sizes;
}
std::set<Index> sizesOfD() {
  std::set<Index> sizes = {roundUp(kMostD)};
  for (Index d = 1; d <= kMostD; ++d) sizes.insert(d);
  return sizes;
}

/// Times over one axis, each against the straight line between the round sizes around it.
class Sweep {
 public:
  Sweep(std::string axis, std::set<Index> sizes, Shape (*shapeOf)(Index), Effort effort)
      : axis_(std::move(axis)), sizes_(std::move(sizes)), shapeOf_(shapeOf), runs_(effort) {}

  void measure() {
    for (const Index size : sizes_)
      for (const Pass pass : kPasses) {
        const Wanted wanted = {.measures = false, .backward = pass == Pass::both};
        auto ours = std::make_shared<Repeated>(sceneOf(shapeOf_(size)), wanted, 1);
        runs_.add(nameOf(size, pass), [=] { (*ours)(); });
      }
    runs_.run();
  }

  void print(Index band, Index most) const {
    std::printf(
        "\n| %s | sizes | forward, ns a multiply-add | slowest | both, ns a multiply-add | slowest |\n",
        axis_.c_str());
    std::printf("|---|---|---|---|---|---|\n");
    for (Index first = 1; first <= most; first += band) printBand(first, std::min(first + band - 1, most));
    printWorst();
  }

 private:
  static std::string nameOf(Index size, Pass pass) {
    return std::to_string(size) + " " + bench::nameOf(pass);
  }
  double time(Index size, Pass pass) const { return runs_.best(nameOf(size, pass)); }
  double nanosecondsEach(Index size, Pass pass) const {
    return 2e9 * time(size, pass) / operationsOf(shapeOf_(size), pass);
  }
  /// The time as a multiple of what the round sizes below and above lead to expect.
  double ratio(Index size, Pass pass) const {
    const Index low = roundDown(size), high = roundUp(size);
    if (low == high) return 1;
    const double share = static_cast<double>(size - low) / static_cast<double>(high - low);
    return time(size, pass) / ((1 - share) * time(low, pass) + share * time(high, pass));
  }

  void printBand(Index first, Index last) const {
    std::vector<Index> inside(sizes_.lower_bound(first), sizes_.upper_bound(last));
    if (inside.empty()) return;
    std::printf("| %td … %td | %zu |", first, inside.back(), inside.size());
    for (const Pass pass : kPasses) {
      const auto slower = [&](Index a, Index b) { return ratio(a, pass) < ratio(b, pass); };
      const Index worst = *std::max_element(inside.begin(), inside.end(), slower);
      std::printf(" %.4f | %.2f at %td |", nanosecondsEach(inside.back(), pass), ratio(worst, pass), worst);
    }
    std::printf("\n");
  }

  void printWorst() const {
    std::vector<std::pair<double, std::string>> all;
    for (const Index size : sizes_)
      for (const Pass pass : kPasses) all.emplace_back(ratio(size, pass), axis_ + " = " + nameOf(size, pass));
    std::sort(all.rbegin(), all.rend());
    const auto beyond = std::count_if(all.begin(), all.end(), [](const auto& x) { return x.first > kCliff; });
    std::printf("\n%td of %zu are beyond %.1f times their neighbours. The slowest:", beyond, all.size(),
                kCliff);
    for (std::size_t i = 0; i < std::min(kWorst, all.size()); ++i)
      std::printf("%s %s %.2f", i ? "," : "", all[i].second.c_str(), all[i].first);
    std::printf(".\n");
    std::fflush(stdout);
  }

  std::string axis_;
  std::set<Index> sizes_;
  Shape (*shapeOf_)(Index);
  Runs runs_;
};

}  // namespace

void printCliffs(Effort effort) {
  Effort brief = effort;
  brief.seconds = 0.002;
  say("sizes of n");
  std::printf(
      "One head, one thread, the best of %d rounds. \"slowest\" is the time of a size as a multiple of\n"
      "what the multiples of %td below and above it lead to expect, and the size where it is largest.\n",
      effort.rounds, kRound);
  Sweep ofN(
      "n", sizesOfN(),
      [](Index n) {
        return Shape{"", 1, n, kFixedD};
      },
      brief);
  ofN.measure();
  ofN.print(100, kMostN);
  say("sizes of d");
  Sweep ofD(
      "d", sizesOfD(),
      [](Index d) {
        return Shape{"", 1, kFixedN, d};
      },
      brief);
  ofD.measure();
  ofD.print(16, kMostD);
}

}  // namespace attn::bench
