#include "app/evaluation.h"

#include <algorithm>
#include <new>
#include <utility>

#include "core/error.h"
#include "core/same_scene.h"

namespace attn {
namespace {

/// Whether results made for `made` serve someone who wants `wanted`.
bool covers(const Wanted& made, const Wanted& wanted) {
  const auto serves = [](bool has, bool needs) { return has || !needs; };
  return serves(made.probs, wanted.probs) && serves(made.rawScores, wanted.rawScores) &&
         serves(made.scaledScores, wanted.scaledScores) && serves(made.cappedScores, wanted.cappedScores) &&
         serves(made.scores, wanted.scores) && serves(made.measures, wanted.measures) &&
         serves(made.eigenvalues, wanted.eigenvalues) && serves(made.backward, wanted.backward) &&
         serves(made.dProbs, wanted.dProbs) && serves(made.dScores, wanted.dScores) &&
         serves(made.dScaledScores, wanted.dScaledScores) && serves(made.dRawScores, wanted.dRawScores);
}

bool hidesPairs(const Results& results) {
  const auto& visible = results.visibleKeys;
  return std::any_of(visible.data(), visible.data() + visible.size(),
                     [&](std::int32_t count) { return count < results.shapes.keys; });
}

}  // namespace

bool isSmall(const Scene& scene) {
  constexpr double kMultiplicationsAtOnce = 3e6;
  const Shapes shapes = shapesOf(scene);
  const auto product = [](Index a, Index b, Index c) {
    return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
  };
  const Index widths = shapes.keyWidth + shapes.valueWidth + 16;  // 16: the work on a cell beside products
  const double attention = product(shapes.queries, shapes.keys, widths);
  const double projections =
      product(shapes.queries + shapes.keys, shapes.modelWidth + shapes.otherWidth, widths);
  return static_cast<double>(shapes.heads) * (attention + projections) < kMultiplicationsAtOnce;
}

Evaluations::Evaluations(std::uint64_t firstSerial) : evaluator_(bestKernels()), firstSerial_(firstSerial) {}

Evaluations::~Evaluations() {
  {
    const std::lock_guard lock(mutex_);
    isEnding_ = true;
    toDo_.reset();
  }
  changed_.notify_all();
  if (worker_.joinable()) worker_.join();
}

void Evaluations::setWake(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  wake_ = std::move(wake);
}

void Evaluations::request(const std::shared_ptr<const Scene>& scene, const Wanted& wanted) {
  if (newest_ && newest_->scene == scene && covers(newest_->wanted, wanted)) return;
  newest_ = Request{scene, wanted};
  if (inFlight_)
    queued_ = newest_;
  else
    start(*newest_);
}

void Evaluations::adopt(const std::shared_ptr<const Evaluation>& evaluation) {
  settle();
  current_ = evaluation;
  newest_ = Request{evaluation->scene, evaluation->wanted};
}

/// Whether the current results serve this scene, too: a lab or a title may change ten times a second, which
/// is no reason to evaluate a large scene again. What somebody else has evaluated is left as it is.
bool Evaluations::serveFromCurrent(const Request& request) {
  const auto own = std::find(pool_.begin(), pool_.end(), current_);
  if (!current_ || own == pool_.end() || !covers(current_->wanted, request.wanted) ||
      !sameResults(*current_->scene, *request.scene))
    return false;
  (*own)->scene = request.scene;
  failure_.clear();
  return true;
}

void Evaluations::start(const Request& request) {
  if (serveFromCurrent(request)) return;
  inFlight_ = std::make_shared<Job>();
  inFlight_->evaluation = freshEvaluation(request);
  if (isSmall(*request.scene)) {
    evaluateInto(*inFlight_);
    return finish();
  }
  if (!worker_.joinable()) worker_ = std::thread([this] { work(); });
  {
    const std::lock_guard lock(mutex_);
    toDo_ = inFlight_;
  }
  changed_.notify_all();
}

/// One from the pool that nobody looks at any more, so that its memory serves again.
std::shared_ptr<Evaluation> Evaluations::freshEvaluation(const Request& request) {
  std::shared_ptr<Evaluation> fresh;
  for (auto& candidate : pool_)
    if (candidate.use_count() == 1) fresh = candidate;
  if (!fresh) pool_.push_back(fresh = std::make_shared<Evaluation>());
  fresh->scene = request.scene;
  fresh->wanted = request.wanted;
  fresh->serial = firstSerial_ + ++count_;
  return fresh;
}

void Evaluations::evaluateInto(Job& job) {
  try {
    Evaluation& evaluation = *job.evaluation;
    evaluator_.evaluate(*evaluation.scene, evaluation.wanted, evaluation.results);
    evaluation.visibility.build(*evaluation.scene, evaluation.results.shapes);
    evaluation.hidesPairs = hidesPairs(evaluation.results);
  } catch (const Error& error) {
    job.failure = error.what();
  } catch (const std::bad_alloc&) {
    job.failure = "this scene needs more memory than there is";
  }
}

void Evaluations::finish() {
  const std::shared_ptr<Job> job = std::exchange(inFlight_, nullptr);
  failure_ = job->failure;
  if (job->failure.empty()) current_ = job->evaluation;
  if (queued_) start(*std::exchange(queued_, std::nullopt));
}

void Evaluations::poll() {
  if (!inFlight_) return;
  {
    const std::lock_guard lock(mutex_);
    if (!inFlight_->isDone) return;
  }
  finish();
}

void Evaluations::settle() {
  while (inFlight_) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return inFlight_->isDone; });
    }
    finish();
  }
}

void Evaluations::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return isEnding_ || toDo_; });
    if (isEnding_) return;
    const std::shared_ptr<Job> job = std::exchange(toDo_, nullptr);
    lock.unlock();
    evaluateInto(*job);
    lock.lock();
    job->isDone = true;
    changed_.notify_all();
    if (wake_) wake_();
  }
}

}  // namespace attn
