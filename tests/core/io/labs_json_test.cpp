#include "core/io/labs_json.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/io/scene_json.h"
#include "core/labs/members.h"
#include "core/same_scene.h"

namespace attn {
namespace {

const std::string kScene = R"("heads": [{"q": [[1]], "k": [[1]], "v": [[1]]}])";

PreciseScene read(const std::string& labs) {
  return readSceneJson("{\"attnscope\": 1, " + kScene + ", \"labs\": " + labs + "}", "scene.json", 1 << 30);
}

std::string problem(const std::string& labs) {
  try {
    read(labs);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

/// Every member of every lab at once, each changed to something else that is allowed.
struct Changer {
  void operator()(const char* key, double& value, double, double most) {
    value = std::string(key) == "number" ? 9.25 : std::min(most, value + 0.25);
  }
  void operator()(const char* key, Index& value, Index, Index) {
    const std::string name = key;
    value = name == "d_k"                              ? 128
            : name == "first"                          ? 5
            : name == "heads" || name == "model_width" ? value * 2
                                                       : value + 1;
  }
  void operator()(const char*, std::uint64_t& seed) { seed = 18446744073709551615u; }
  void operator()(const char*, bool& value) { value = !value; }
  template <std::size_t count>
  void operator()(const char*, std::array<Index, count>& values, Index, Index) {
    for (Index& value : values) value = 6 - value;
  }
  template <class Enum, std::size_t count>
  void operator()(const char*, Enum& value, const Word<Enum> (&words)[count]) {
    value = value == words[0].meaning ? words[1].meaning : words[0].meaning;
  }
};

TEST(LabsJson, EveryMemberSurvivesWritingAndReading) {
  Scene scene = narrow(read("{}"));
  visitLabs(scene.labs, [](const char*, auto& lab) {
    Changer changer;
    visitMembers(lab, changer);
  });
  const std::string text = writeSceneJson(scene);
  const Scene back = narrow(readSceneJson(text, "scene.json", 1 << 30));
  EXPECT_TRUE(back.labs == scene.labs) << text;
  EXPECT_TRUE(sameScene(back, scene));
  EXPECT_FALSE(sameScene(back, narrow(read("{}"))));
}

TEST(LabsJson, OnlyWhatDiffersIsWritten) {
  Scene scene = narrow(read("{}"));
  EXPECT_EQ(writeSceneJson(scene).find("labs"), std::string::npos);
  scene.labs.scaling.mean = 0.5;
  const std::string text = writeSceneJson(scene);
  EXPECT_NE(text.find("\"scaling\": {\"mean\": 0.5}"), std::string::npos) << text;
  EXPECT_EQ(text.find("trials"), std::string::npos);
}

TEST(LabsJson, WhatDoesNotFitIsNamed) {
  EXPECT_EQ(problem(R"({"scaling": {"trials": 0}})"),
            "scene.json: labs.scaling.trials: 0, expected 1 to 1024");
  EXPECT_EQ(problem(R"({"scaling": {"d_k": 100}})"),
            "scene.json: labs.scaling.d_k: 100, expected a power of two");
  EXPECT_NE(problem(R"({"scaling": {"rule": "cube"}})").find("expected one of none, sqrt, dk, number"),
            std::string::npos);
  EXPECT_NE(problem(R"({"scaling": {"sigma": 1}})").find("unknown key \"sigma\", expected only mean, std"),
            std::string::npos);
  EXPECT_NE(problem(R"({"scalling": {}})").find("unknown key \"scalling\", expected only scaling, query"),
            std::string::npos);
  EXPECT_NE(problem(R"({"query": {"keys": 9}})").find("width: 8, expected at least the 9 keys"),
            std::string::npos);
  EXPECT_NE(problem(R"({"query": {"second": 0}})").find("expected another key"), std::string::npos);
  EXPECT_NE(problem(R"({"cost": {"heads": 5}})").find("a divisor of the model width 256"), std::string::npos);
  EXPECT_NE(problem(R"({"mask": {"source": [1, 2]}})").find("expected 3 whole numbers"), std::string::npos);
  EXPECT_NE(problem(R"({"mask": {"source": [1, 2, 9]}})").find("9, expected 1 to 8"), std::string::npos);
  EXPECT_NE(problem(R"({"normalisation": {"row": 4}})").find("expected less than the 4 rows"),
            std::string::npos);
}

}  // namespace
}  // namespace attn
