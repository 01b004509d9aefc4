#include "core/seq2seq/trainer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "core/error.h"
#include "core/io/atomic_file.h"
#include "core/io/model_npz.h"
#include "core/io/npz.h"

namespace attn {
namespace {

TrainingSetup smallSetup() {
  TrainingSetup setup;
  setup.shape.hidden = 24, setup.shape.embedding = 8;
  setup.shortest = 1, setup.longest = 4, setup.strings = 300, setup.validationStrings = 50;
  setup.epochs = 4, setup.batch = 32, setup.rate = 1e-2;
  return setup;
}

std::vector<EpochReport> train(Trainer& trainer) {
  std::vector<EpochReport> reports;
  while (!trainer.isComplete()) {
    trainer.trainBatch();
    if (trainer.batchesDone() % trainer.batchesAnEpoch() == 0) reports.push_back(trainer.report());
  }
  return reports;
}

std::string errorOf(const auto& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "attnscope-model-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

TEST(Seq2seqTrainer, LossFallsAndAccuracyRises) {
  Trainer trainer(smallSetup());
  const std::vector<EpochReport> reports = train(trainer);
  ASSERT_EQ(reports.size(), 4u);
  for (std::size_t i = 1; i < reports.size(); ++i) EXPECT_LT(reports[i].loss, reports[i - 1].loss);
  EXPECT_GT(reports.back().validation.symbols, reports.front().validation.symbols + 0.1);
  EXPECT_GT(reports.front().gradientNorm, 0);
}

TEST(Seq2seqTrainer, TheSameSeedGivesTheSameBitsWhateverTheThreads) {
  Trainer one(smallSetup()), two(smallSetup(), 2);
  TrainingSetup otherSetup = smallSetup();
  otherSetup.seed = 2;
  Trainer other(otherSetup);
  for (Trainer* each : {&one, &two, &other}) train(*each);
  const auto a = one.model().parameters().all(), b = two.model().parameters().all(),
             c = other.model().parameters().all();
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(*a[i].matrix, *b[i].matrix) << a[i].name;
    EXPECT_NE(*a[i].matrix, *c[i].matrix) << a[i].name;
  }
}

TEST(Seq2seqTrainer, ADivergingRunStopsWithOneLine) {
  TrainingSetup setup = smallSetup();
  setup.rate = 1e3;
  Trainer trainer(setup);
  const std::string line = errorOf([&] { train(trainer); });
  EXPECT_TRUE(line.starts_with("training diverged in epoch 1: loss ")) << line;
  EXPECT_TRUE(line.ends_with("expected a lower rate than 1000")) << line;
}

TEST(Seq2seqTrainer, WhatCannotBeTrainedIsNamed) {
  const auto problem = [](auto change) {
    TrainingSetup setup = smallSetup();
    change(setup);
    return errorOf([&] { const Trainer trainer(setup); });
  };
  EXPECT_EQ(problem([](TrainingSetup& s) { s.batch = 0; }), "batch: found 0, expected 1 to 4096");
  EXPECT_EQ(problem([](TrainingSetup& s) { s.longest = 0; }), "longest string: found 0, expected 1 to 256");
  EXPECT_EQ(problem([](TrainingSetup& s) { s.shape.hidden = -1; }), "hidden: found -1, expected 1 to 1024");
  EXPECT_EQ(problem([](TrainingSetup& s) { s.rate = 0; }), "rate: found 0, expected a number above 0");
}

/// A model whose output bias decides alone writes the same letter for ever.
TEST(Seq2seqTrainer, AccuracyCountsSymbolsAndWholeStrings) {
  const Seq2seqShape shape = {.letters = 2, .embedding = 2, .hidden = 3};
  Seq2seqParameters<float> parameters(shape);
  parameters.outputBias(0, 1) = 1;
  Seq2seqModel<float> model(shape, parameters);
  const Accuracy letters = accuracyOf(model, {{{0, 1}, {1, 1}}, {{1, 0, 2}, {1, 1, 2}}});
  EXPECT_DOUBLE_EQ(letters.symbols, 3.0 / 6);
  EXPECT_EQ(letters.strings, 0);
  model.parameters().outputBias(0, 2) = 2;
  const Accuracy mark = accuracyOf(model, {{{1}, {1, 0}}, {{2}, {0, 1, 2}}});
  EXPECT_DOUBLE_EQ(mark.symbols, 1.0 / 4);
  EXPECT_DOUBLE_EQ(mark.strings, 1.0 / 2);
}

TEST(Reversal, TargetsAreReversesOfEveryLength) {
  const StringPairs pairs = drawReversals({3, 2, 5, 9}, 0, 400);
  std::set<std::size_t> lengths;
  std::set<Index> letters;
  for (std::size_t i = 0; i < 400; ++i) {
    std::vector<Index> back = pairs.targets[i];
    EXPECT_EQ(back.back(), 3);
    back.pop_back();
    EXPECT_EQ(std::vector<Index>(back.rbegin(), back.rend()), pairs.sources[i]);
    lengths.insert(back.size());
    letters.insert(back.begin(), back.end());
  }
  EXPECT_EQ(lengths, (std::set<std::size_t>{2, 3, 4, 5}));
  EXPECT_EQ(letters, (std::set<Index>{0, 1, 2}));
  EXPECT_EQ(drawReversals({3, 2, 5, 9}, 7, 1).sources[0], pairs.sources[7]);
}

TEST(ModelFile, ASavedModelAnswersTheSame) {
  const Folder folder;
  Trainer trainer(smallSetup());
  train(trainer);
  TrainedModel saved = {trainer.setup().shape, "wxyz", trainer.model().parameters()};
  writeModel(saved, folder.path / "m.npz");
  const TrainedModel read = readModel(folder.path / "m.npz");
  EXPECT_EQ(read.shape, saved.shape);
  EXPECT_EQ(read.alphabet, "wxyz");
  Seq2seqModel<float> model(read.shape, read.parameters);
  const auto right = trainer.model().decode(trainer.validation().sources, 6);
  const auto found = model.decode(trainer.validation().sources, 6);
  for (std::size_t i = 0; i < right.size(); ++i) {
    EXPECT_EQ(found[i].symbols, right[i].symbols);
    EXPECT_EQ(found[i].weights, right[i].weights);
  }
}

TEST(ModelFile, AForeignFileGivesOneLine) {
  const Folder folder;
  const auto file = folder.path / "m.npz";
  const auto problem = [&] { return errorOf([&] { readModel(file); }); };
  const auto expect = [&](const char* words) {
    EXPECT_NE(problem().find(words), std::string::npos) << problem();
    EXPECT_EQ(problem().find('\n'), std::string::npos);
  };
  expect("m.npz: ");  // there is none
  writeFileAtomically(file, "abc");
  expect("m.npz: not a readable archive");
  const auto write = [&](std::vector<double> shape, std::vector<double> alphabet) {
    NpzWriter writer(file);
    writer.add("seq2seq", {shape.size()}, shape.data());
    writer.add("alphabet", {alphabet.size()}, alphabet.data());
    const double embedding[] = {0.5, -0.5};
    writer.add("source_embedding", {1, 2}, embedding);
    writer.commit();
  };
  write({2, 1, 4, 4}, {97, 98});
  expect("array 'seq2seq': an unknown version");
  write({1, 1, 4, 1e9}, {97, 98});
  expect("array 'seq2seq': number 3 is out of range");
  write({1, 1, 4, 4}, {97, 97});
  expect("array 'alphabet': alphabet: expected different");
  write({1, 1, 4, 4}, {97, 98});
  expect("array 'source_embedding': 1 × 2 numbers, expected 2 × 4");
  write({1, 1, 2, 4}, {97});
  expect("no array 'target_embedding', expected a model that attnscope train wrote");
}

}  // namespace
}  // namespace attn
