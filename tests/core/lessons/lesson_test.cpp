#include "core/lessons/lesson.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/io/json_lines.h"
#include "core/lessons/judge.h"
#include "core/lessons/lesson_json.h"
#include "core/lessons/verify.h"

namespace attn {
namespace {

/// A lesson of one step about two queries and two keys, whose raw scores are (1, 2) and (3, 4).
std::string lessonWith(const std::string& question, const std::string& change = "") {
  return R"({"attnscope_lesson": 1, "title": "T", "about": "A", "minutes": 3,
 "scene": {"attnscope": 1, "heads": [{"q": [[1], [1]], "k": [[1], [2]], "v": [[1], [2]]}], "scale": {"rule": "none"}},
 "steps": [
  {"title": "S", "text": "words",)" +
         change + R"(
   "question": {"ask": "?", "reveal": "!",
    )" + question +
         "}}]}";
}

Question questionOf(const std::string& text) {
  return *readLessonJson(lessonWith(text), "l.json").steps[0].question;
}

std::string complaintOf(const std::string& text) {
  try {
    readLessonJson(text, "l.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

const std::string kScores =
    R"("numbers": {"printed": [1, 2], "of": {"stage": "scores", "row": 0}, "tolerance": 0.01})";

TEST(LessonJson, ReadsWhatIsThere) {
  const Lesson lesson = readLessonJson(lessonWith(kScores), "some/where/first.json");
  EXPECT_EQ(lesson.name, "first");
  EXPECT_EQ(lesson.minutes, 3);
  ASSERT_EQ(lesson.steps.size(), 1u);
  EXPECT_TRUE(lesson.steps[0].changesScene);
  EXPECT_EQ(lesson.steps[0].line, 4u);
  EXPECT_EQ(shapesOf(*lesson.steps[0].scene).keys, 2);
}

TEST(LessonJson, AChangeReplacesWhatItNamesAndStays) {
  const std::string text = R"({"attnscope_lesson": 1, "title": "T", "about": "A", "minutes": 3,
 "scene": {"attnscope": 1, "heads": [{"q": [[1]], "k": [[1]], "v": [[1]]}], "cap": 3, "scale": {"temperature": 2}},
 "steps": [{"title": "a", "text": "x"},
           {"title": "b", "text": "x", "change": {"cap": null, "scale": {"rule": "none"}}},
           {"title": "c", "text": "x"}]})";
  const Lesson lesson = readLessonJson(text, "l.json");
  EXPECT_EQ(lesson.steps[0].scene->cap, 3);
  EXPECT_FALSE(lesson.steps[1].scene->cap.has_value());
  EXPECT_EQ(lesson.steps[1].scene->scale.temperature, 2);
  EXPECT_EQ(lesson.steps[1].scene->scale.rule, Scale::Rule::none);
  EXPECT_EQ(lesson.steps[2].scene, lesson.steps[1].scene);
  EXPECT_FALSE(lesson.steps[2].changesScene);
}

TEST(LessonJson, SaysOnWhichLineWhatIsWrong) {
  const auto complaint = [](const std::string& question) { return complaintOf(lessonWith(question)); };
  EXPECT_EQ(complaint(R"("numbers": {"printed": "x", "tolerance": 0.01})"),
            R"(l.json: line 6: steps[0].question.numbers.printed: found "x", expected a number)");
  EXPECT_EQ(complaint(R"("numbers":
    {"printed": 1, "tolerance": -1})"),
            "l.json: line 7: steps[0].question.numbers.tolerance: found -1, expected a number of at least 0");
  EXPECT_EQ(complaint(R"("numbers": {"printed": 1, "tolerance": 0, "of": {"stage": "scoers"}})"),
            "l.json: line 6: steps[0].question.numbers.of.stage: found \"scoers\", expected the name of a "
            "stage, such as "
            "scores, probs, head_out, d_q");
  EXPECT_EQ(complaint(R"("numbers": {"printed": 1, "tolerance": 0, "of": {"stage": "probs", "row": 2}})"),
            "l.json: line 6: steps[0].question.numbers.of: found a place outside probs, expected 1 heads of "
            "shape (2, 2)");
  EXPECT_EQ(complaint(R"("choice": {"options": [{"text": "a", "right": true}]})"),
            "l.json: line 6: steps[0].question.choice.options: found 1 right of 1 options, expected some "
            "that are right "
            "and some that are not");
  EXPECT_EQ(complaint(R"("choice": {"options": []}, "order": ["a", "b"])"),
            "l.json: line 5: steps[0].question: found 2 kinds of answer, expected one of numbers, cell, "
            "choice, order, "
            "mask");
  EXPECT_EQ(complaint(R"("mask": {"masks": [{"rule": "causal"}], "may_attend": [[1, 0]]})"),
            "l.json: line 6: steps[0].question.mask.may_attend: found a list of length 1, expected a row for "
            "each of the "
            "2 queries");
  EXPECT_EQ(
      complaintOf(lessonWith(kScores, R"("change": {"heads": [{"q": [[1, 2]], "k": [[1]], "v": [[1]]}]},)")),
      "l.json: line 4: steps[0].change: k: shape (1, 1), expected (1, 2)");
  EXPECT_EQ(complaintOf("{\"attnscope_lesson\": 2,\n \"title\": 1}"),
            "l.json: line 1: attnscope_lesson: found 2, expected version 1");
}

TEST(LessonJson, AStepMayHaveAMistakeALoopAndMeters) {
  const std::string aids = R"("wrong": {"scale": {"rule": "dk"}}, "loop": "probs",
   "meters": [{"text": "a", "of": {"count": "multiplications", "stage": "scores"}, "is": "about", "than_text": "b",
               "than": {"product": ["n_q", "n_k", "d_k"]}}],)";
  const Lesson lesson = readLessonJson(lessonWith(kScores, aids), "l.json");
  const LessonStep& step = lesson.steps[0];
  ASSERT_TRUE(step.wrong);
  EXPECT_EQ(step.wrong->scale.rule, Scale::Rule::keyWidth);
  EXPECT_EQ(step.scene->scale.rule, Scale::Rule::none);
  EXPECT_EQ(step.loop, Stage::probs);
  ASSERT_EQ(step.meters.size(), 1u);
  EXPECT_EQ(step.meters[0].thanText, "b");
  EXPECT_EQ(numbersOf(step.meters[0].fact.of), (std::vector{4.0}));
  EXPECT_EQ(numbersOf(std::get<Quantity>(step.meters[0].fact.than)), (std::vector{4.0}));
  EXPECT_TRUE(verify(lesson).complaints.empty());
}

TEST(LessonJson, AnUnknownKeyIsNamedWithItsOwnLine) {
  const std::string inRoot = complaintOf("{\n\n\"titel\": \"x\"}");
  EXPECT_TRUE(inRoot.starts_with("l.json: line 3: found the unknown key \"titel\"")) << inRoot;
  const std::string inside = complaintOf(lessonWith("\n\"askk\": \"x\""));
  EXPECT_TRUE(inside.starts_with("l.json: line 7: steps[0].question: found the unknown key \"askk\""))
      << inside;
}

TEST(LessonJson, RefusesAidsThatMeanNothing) {
  const auto complaint = [](const std::string& aid) { return complaintOf(lessonWith(kScores, aid)); };
  EXPECT_EQ(
      complaint(R"("loop": "wheels",)"),
      "l.json: line 4: steps[0].loop: found \"wheels\", expected the name of a stage, such as scores, probs, "
      "head_out, d_q");
  EXPECT_NE(complaint(R"("wrong": 3,)").find("line 4: steps[0].wrong: found 3"), std::string::npos);
  EXPECT_NE(complaint(R"("meters": [{"text": "a", "is": "about", "than": 1, "than_text": "b",
      "of": {"divisor": true, "with": {"cap": 2}}}],)")
                .find("line 5: steps[0].meters[0].of.with"),
            std::string::npos);
}

TEST(LessonVerify, HoldsMetersAgainstTheScene) {
  const std::string meter =
      R"("meters": [{"text": "a", "of": {"measure": "jacobian_norm", "row": 0}, "is": "below",
      "than_text": "b", "than": {"jacobian_bound": true, "row": 0}}],)";
  EXPECT_TRUE(verify(readLessonJson(lessonWith(kScores, meter), "l.json")).complaints.empty());
  std::string turned = meter;
  turned.replace(turned.find("below"), 5, "above");
  const auto found = verify(readLessonJson(lessonWith(kScores, turned), "l.json")).complaints;
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("is not above"), std::string::npos) << found[0];
}

TEST(LessonJson, NamesTheLineOfEveryValue) {
  const JsonLines lines("{\"a\": [1,\n {\"b\": \"x\\\"y,}\n\"},\n 3],\n\"c\":\n4}");
  EXPECT_EQ(lines.lineOf("a"), 1u);
  EXPECT_EQ(lines.lineOf("a[1].b"), 2u);
  EXPECT_EQ(lines.lineOf("a[2]"), 4u);
  EXPECT_EQ(lines.lineOf("c"), 6u);
  EXPECT_EQ(lines.lineOf("a[1].nothing.here"), 2u);
  EXPECT_EQ(lines.lineOf("nowhere"), 1u);
}

TEST(LessonJudge, NumbersAreRightWithinTheToleranceOnly) {
  const Question question = questionOf(kScores);
  EXPECT_TRUE(judge(question, std::vector{1.009, 1.991}).right);
  EXPECT_FALSE(judge(question, std::vector{1.02, 2.0}).right);
  EXPECT_FALSE(judge(question, std::vector{2.0, 1.0}).right);
  EXPECT_EQ(judge(question, std::vector{1.0}).says, "Asked for are 2 numbers.");
  EXPECT_FALSE(judge(question, ChosenCell{0, 0}).right);
}

TEST(LessonJudge, AMistakeIsMadeByTheEngineAndExplained) {
  const Question question = questionOf(
      kScores +
      R"(, "mistakes": [{"of": {"stage": "scores", "row": 0, "with": {"scale": {"rule": "number", "number": 4}}},
                                   "means": "divided"}])");
  const Verdict verdict = judge(question, std::vector{0.25, 0.5});
  EXPECT_FALSE(verdict.right);
  EXPECT_EQ(verdict.says, "divided");
  EXPECT_EQ(judge(question, std::vector{0.3, 0.4}).says, "");
}

TEST(LessonJudge, WhatIsPartlyRightHearsHowMuchIs) {
  EXPECT_EQ(judge(questionOf(kScores), std::vector{1.0, 5.0}).says, "1 of 2 numbers is right.");
  const Question order = questionOf(R"("order": ["a", "b", "c"])");
  EXPECT_EQ(judge(order, ChosenOrder{{0, 2, 1}}).says, "1 of 3 is in the right place.");
  EXPECT_EQ(judge(order, ChosenOrder{{2, 0, 1}}).says, "0 of 3 are in the right place.");
  const Question cell =
      questionOf(R"("cell": {"of": {"stage": "scores", "row": 1}, "which": "largest", "row": 1, "col": 1})");
  EXPECT_EQ(judge(cell, ChosenCell{1, 0}).says, "There stands 1: another one is larger.");
  EXPECT_EQ(judge(cell, ChosenCell{0, 1}).says, "Another row is asked for.");
  EXPECT_EQ(judge(cell, ChosenCell{1, -1}).says, "There is no such cell.");
}

TEST(LessonJudge, ChoicesOrdersCellsAndMasks) {
  const Question choice = questionOf(
      R"("choice": {"options": [{"text": "a", "right": true}, {"text": "b", "means": "no"}, {"text": "c", "right": true}]})");
  EXPECT_TRUE(judge(choice, ChosenOptions{{0, 2}}).right);
  EXPECT_EQ(judge(choice, ChosenOptions{{0, 1}}).says, "no");
  EXPECT_EQ(judge(choice, ChosenOptions{{0}}).says, "That is right, but not all of it.");

  const Question order = questionOf(R"("order": ["a", "b", "c"])");
  EXPECT_TRUE(judge(order, ChosenOrder{{0, 1, 2}}).right);
  EXPECT_FALSE(judge(order, ChosenOrder{{0, 2, 1}}).right);

  const Question cell =
      questionOf(R"("cell": {"of": {"stage": "scores", "row": 1}, "which": "largest", "row": 1, "col": 1})");
  EXPECT_TRUE(judge(cell, ChosenCell{1, 1}).right);
  EXPECT_FALSE(judge(cell, ChosenCell{0, 1}).right);

  const Question mask =
      questionOf(R"("mask": {"masks": [{"rule": "causal"}], "may_attend": [[1, 0], [1, 1]]})");
  Bytes painted(2, 2);
  painted << 1, 1, 0, 1;
  EXPECT_EQ(judge(mask, painted).says, "1 pair should be hidden, 1 pair should be seen.");
  painted << 1, 0, 1, 1;
  EXPECT_TRUE(judge(mask, painted).right);
}

TEST(LessonJudge, TheRightAnswerIsTakenAsRight) {
  for (const char* text :
       {R"("numbers": {"printed": 0.27, "of": {"stage": "probs", "row": 0, "col": 0}, "tolerance": 0.005})",
        R"("order": ["a", "b"])", R"("choice": {"options": [{"text": "a"}, {"text": "b", "right": true}]})",
        R"("cell": {"of": {"stage": "probs"}, "which": "largest", "row": 0, "col": 1})",
        R"("mask": {"masks": [{"rule": "window", "width": 1}], "may_attend": [[1, 0], [0, 1]]})"}) {
    const Question question = questionOf(text);
    EXPECT_TRUE(judge(question, rightAnswer(question)).right) << text;
  }
}

/// What verify says of a lesson with this question.
std::vector<std::string> complaintsAbout(const std::string& question) {
  return verify(readLessonJson(lessonWith(question), "l.json")).complaints;
}

TEST(LessonVerify, FindsNothingWrongWithWhatIsRight) {
  EXPECT_TRUE(complaintsAbout(kScores).empty());
  EXPECT_TRUE(complaintsAbout(R"("numbers": {"printed": 0.27, "of": {"stage": "probs", "row": 0, "col": 0},
                                "tolerance": 0.01})")
                  .empty());
  EXPECT_EQ(verify(readLessonJson(lessonWith(kScores), "l.json")).computed, 1u);
}

TEST(LessonVerify, FindsPrintedNumbersThatAreWrongInTheLastDigit) {
  const auto found =
      complaintsAbout(R"("numbers": {"printed": 0.28, "of": {"stage": "probs", "row": 0, "col": 0},
                                       "tolerance": 0.05})");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].starts_with("line 4: step \"S\": printed is 0.28, the engine computes 0.2689"))
      << found[0];
}

TEST(LessonVerify, FindsFactsCellsMasksAndMistakesThatDoNotHold) {
  const auto complains = [](const std::string& question, const std::string& words) {
    const auto found = complaintsAbout(question);
    EXPECT_EQ(found.size(), 1u) << question;
    EXPECT_TRUE(!found.empty() && found[0].find(words) != std::string::npos)
        << (found.empty() ? "" : found[0]);
  };
  const std::string options =
      R"("choice": {"options": [{"text": "a", "right": true}, {"text": "b"}], "facts": )";
  complains(options + R"([{"of": {"measure": "largest", "row": 0}, "is": "below", "than": 0.7}]})",
            "is not below 0.7");
  complains(options + R"([{"of": {"norm": "d_v"}, "is": "above", "than": {"norm": "d_v"}}]})",
            "is not above");
  complains(options + R"([{"of": {"stage": "probs", "row": 0}, "is": "above", "than": 0}]})",
            "compares 2 numbers with 1");
  complains(R"("cell": {"of": {"stage": "probs", "row": 0}, "which": "largest", "row": 0, "col": 0})",
            "is not the one");
  complains(R"("cell": {"of": {"stage": "probs"}, "which": "largest", "row": 1, "col": 1})",
            "is not the one");  // a tie
  complains(R"("mask": {"masks": [{"rule": "causal"}], "may_attend": [[1, 1], [0, 1]]})",
            "differ in 2 pairs");
  complains(kScores + R"(, "mistakes": [{"numbers": [1.001, 2], "means": "m"}])", "which is right within");
  complains(
      kScores + R"(, "mistakes": [{"numbers": [3, 4], "means": "one"}, {"numbers": [3, 4], "means": "two"}])",
      "hears \"one\"");
}

TEST(LessonVerify, CountsAndLengthsAreThoseOfTheEngine) {
  EXPECT_TRUE(complaintsAbout(R"("numbers": {"printed": 4, "tolerance": 0,
                                "of": {"count": "multiplications", "stage": "scores"}})")
                  .empty());
  EXPECT_FALSE(complaintsAbout(R"("numbers": {"printed": 5, "tolerance": 0,
                                 "of": {"count": "multiplications", "stage": "scores"}})")
                   .empty());
  EXPECT_TRUE(
      complaintsAbout(R"("numbers": {"printed": 2, "tolerance": 0, "of": {"length": "n_k"}})").empty());
  EXPECT_TRUE(
      complaintsAbout(R"("numbers": {"printed": 1, "tolerance": 0, "of": {"divisor": true}})").empty());
  EXPECT_EQ(complaintsAbout(R"("numbers": {"printed": 1, "tolerance": 0,
                              "of": {"count": "divisions", "stage": "nowhere"}})")
                .size(),
            1u);
}

}  // namespace
}  // namespace attn
