// Whole evaluations against every peer, in one run.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "core/error.h"
#include "tests/bench/peers.h"
#include "tests/bench/python_peers.h"
#include "tests/bench/reports.h"

namespace attn::bench {
namespace {

const std::string kMeasures = "measures", kTwoThreads = "two threads", kAll = "everything";

Wanted wantedOf(Pass pass) {
  return {.measures = false, .backward = pass == Pass::both};
}

/// The largest difference, as a share of the largest number.
double difference(const StackOf<float>& theirs, Index h, const auto& ours) {
  return (theirs[h] - ours).cwiseAbs().maxCoeff() / ours.cwiseAbs().maxCoeff();
}

/// A peer that computes something else is no peer.
void expectSame(const std::string& peer, const Problem& theirs, const Results& ours, Pass pass) {
  double largest = 0;
  for (Index h = 0; h < theirs.heads; ++h) {
    largest = std::max({largest, difference(theirs.probs, h, ours.probs[h]),
                        difference(theirs.out, h, ours.out.middleCols(h * theirs.d, theirs.d))});
    if (pass == Pass::both)
      largest = std::max({largest, difference(theirs.dQ, h, ours.d.q[h]),
                          difference(theirs.dK, h, ours.d.k[h]), difference(theirs.dV, h, ours.d.v[h])});
  }
  if (!(largest < 1e-4))
    throw Error(peer + " computes something else: it differs by " + std::to_string(largest));
}

/// One line of the table: everybody at one shape and pass.
class Line {
 public:
  Line(const Shape& shape, Pass pass, Effort effort) : shape_(shape), pass_(pass), runs_(effort) {}

  void measure(const std::vector<Peer>& peers, PythonPeers& python) {
    auto ours = std::make_shared<Repeated>(sceneOf(shape_), wantedOf(pass_), 1);
    auto twoThreads = std::make_shared<Repeated>(sceneOf(shape_), wantedOf(pass_), 2);
    auto problem = std::make_shared<Problem>(shape_);
    const auto addOurs = [&](const std::string& peer, Clock clock = Clock::processor) {
      runs_.add(
          oursBeside(peer), [ours] { (*ours)(); }, clock);
    };
    addOurs(kMeasures);
    addWith(kMeasures, *ours, [](Wanted& wanted) { wanted.measures = true; });
    addOurs(kTwoThreads, Clock::wall);
    runs_.add(
        kTwoThreads, [=] { (*twoThreads)(); }, Clock::wall);
    for (const Peer& peer : peers) {
      addOurs(peer.name);
      addPeer(peer, problem, ours->results());
    }
    for (const std::string& name : python.names()) {
      addOurs(name);
      runs_.addTimed(name, [&python, name, this] { return python.seconds(name, shape_, pass_); });
    }
    runs_.run();
  }

  void print(double peak, const std::vector<std::string>& peers) const {
    double ours = std::min(runs_.best(oursBeside(kMeasures)), runs_.best(oursBeside(kTwoThreads)));
    for (const std::string& peer : peers) ours = std::min(ours, runs_.best(oursBeside(peer)));
    std::printf("| %s: %td × %td × %td | %s | %.4f |", shape_.name.c_str(), shape_.heads, shape_.n, shape_.d,
                nameOf(pass_), 1e3 * ours);
    const double share = operationsOf(shape_, pass_) / peak / ours;
    std::printf(share < 0.01 ? " – |" : " %.0f %% |", 100 * share);
    std::printf(" %.2f | %+.1f %% |", 1 / ratio(kTwoThreads), 100 * (ratio(kMeasures) - 1));
    for (const std::string& peer : peers) std::printf(" %.2f |", ratio(peer));
    std::printf("\n");
    std::fflush(stdout);
  }

 private:
  /// Ours is measured once beside each of the others, and compared with the very one: the best of more runs
  /// would be better wherever the machine is not quiet.
  static std::string oursBeside(const std::string& peer) { return "ours beside " + peer; }
  double ratio(const std::string& peer) const { return runs_.best(peer) / runs_.best(oursBeside(peer)); }

  /// Ours with something more wanted; then as it was, so that the next benchmark is not given more work.
  void addWith(const std::string& name, Repeated& ours, void (*more)(Wanted&)) {
    Wanted wanted = wantedOf(pass_);
    more(wanted);
    runs_.add(name, [&ours, wanted, plain = wantedOf(pass_)] {
      ours.want(wanted);
      ours();
      ours.want(plain);
    });
  }

  void addPeer(const Peer& peer, const std::shared_ptr<Problem>& problem, const Results& ours) {
    const Ready ready = peer.prepare(*problem);
    const auto call = [ready, problem, pass = pass_] {
      ready.forward();
      if (pass == Pass::both) ready.backward();
    };
    call();
    expectSame(peer.name, *problem, ours, pass_);
    runs_.add(peer.name, call);
  }

  Shape shape_;
  Pass pass_;
  Runs runs_;
};

void printTiny(Effort effort) {
  Runs runs(effort);
  const Scene scene = sceneOf(allShapes().front());
  Repeated measured(scene, {.measures = true, .eigenvalues = true}, 1);
  Repeated everything(scene, Wanted::everything(), 1);
  runs.add(kMeasures, [&] { measured(); });
  runs.add(kAll, [&] { everything(); });
  runs.run();
  std::printf(
      "\nShape A, forward and backward: with all measures %.2f µs, with the maps of all stages too %.2f "
      "µs.\n",
      1e6 * runs.best(kMeasures), 1e6 * runs.best(kAll));
}

}  // namespace

void printAttention(const std::vector<Shape>& shapes, Effort effort) {
  const std::vector<Peer> peers = builtPeers();
  PythonPeers python;
  std::vector<std::string> names;
  for (const Peer& peer : peers) names.push_back(peer.name);
  names.insert(names.end(), python.names().begin(), python.names().end());

  double peak = multiplyAddPeak();
  std::printf("Multiply-adds of one core: %.1f GFLOP/s. One thread, the best of %d rounds.\n\n", peak / 1e9,
              effort.rounds);
  std::printf("| shape: heads × n × d | pass | ours, ms | of the bound | two threads | measures |");
  for (const std::string& name : names) std::printf(" × %s |", name.c_str());
  std::printf("\n|---|---|---|---|---|---|");
  for (std::size_t i = 0; i < names.size(); ++i) std::printf("---|");
  std::printf("\n");
  for (const Shape& shape : shapes)
    for (const Pass pass : kPasses) {
      say("shape " + shape.name + ", " + nameOf(pass));
      Line line(shape, pass, effort);
      line.measure(peers, python);
      peak = std::max(peak, multiplyAddPeak());
      line.print(peak, names);
    }
  printTiny(effort);
}

}  // namespace attn::bench
