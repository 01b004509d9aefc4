#include "app/formula/pipeline.h"

#include <cmath>
#include <cstdio>

#include "app/formula/latex.h"

namespace attn {
namespace {

bool isProjected(const Scene& scene) {
  return scene.source.kind == SourceOf<float>::Kind::projected;
}

bool hasHeads(const Scene& scene) {
  return shapesOf(scene).heads > 1;
}

/// Four digits, as a formula shows a number: 0.25, 30, 1.5 \cdot 10^{9}.
std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g", value);
  const std::string plain = text;
  const std::size_t e = plain.find('e');
  if (e == std::string::npos) return plain;
  return plain.substr(0, e) + " \\cdot 10^{" + std::to_string(std::stoi(plain.substr(e + 1))) + "}";
}

std::string part(Stage stage, const std::string& latex) {
  return "\\part{" + std::to_string(static_cast<int>(stage)) + "}{" + latex + "}";
}

/// "Q", or "Q_h" where there are several heads.
std::string ofHead(const Scene& scene, const std::string& name) {
  return hasHeads(scene) ? name + "_h" : name;
}

std::string projection(const Scene& scene, const std::string& of) {
  return hasHeads(scene) ? "W_h^{" + of + "}" : "W^{" + of + "}";
}

std::string keySequence(const Scene& scene) {
  return scene.source.other ? "Y" : "X";
}

/// What stands under the line, empty where the scores are divided by nothing.
std::string divisor(const Scale& scale) {
  std::string text;
  if (scale.temperature != 1) text = "\\tau";
  if (scale.rule == Scale::Rule::sqrtKeyWidth)
    text += (text.empty() ? "" : "\\,") + std::string("\\sqrt{d_k}");
  if (scale.rule == Scale::Rule::keyWidth) text += (text.empty() ? "" : "\\,") + std::string("d_k");
  if (scale.rule == Scale::Rule::number) text += (text.empty() ? "" : " \\cdot ") + number(scale.number);
  return text;
}

std::string score(const Scene& scene) {
  const std::string q = ofHead(scene, scene.scale.qkNormGain ? "\\hat{Q}" : "Q");
  const std::string k = ofHead(scene, scene.scale.qkNormGain ? "\\hat{K}" : "K");
  const std::string product = part(Stage::score, q + " " + k + "^{\\top}");
  return scene.scale.qkNormGain ? part(Stage::qkNorm, number(*scene.scale.qkNormGain)) + "\\," + product
                                : product;
}

std::string scaled(const Scene& scene) {
  const std::string below = divisor(scene.scale);
  return below.empty() ? score(scene) : "\\frac{" + score(scene) + "}{" + part(Stage::scale, below) + "}";
}

std::string capped(const Scene& scene) {
  if (!scene.cap) return scaled(scene);
  const std::string c = number(*scene.cap);
  return part(Stage::cap, c + "\\,\\tanh") + "\\left(\\frac{1}{" + part(Stage::cap, c) + "}\\," +
         scaled(scene) + "\\right)";
}

std::string masked(const Scene& scene) {
  std::string text = capped(scene);
  if (!scene.bias.empty()) text += " + " + part(Stage::bias, scene.bias.size() > 1 ? "B_h" : "B");
  if (scene.alibi) text += " - " + part(Stage::bias, ofHead(scene, "m") + "\\left|i-j\\right|");
  if (!scene.masks.empty()) text += " + " + part(Stage::mask, "M");
  return text;
}

std::string normaliserName(const Normaliser& normaliser) {
  switch (normaliser.kind) {
    case Normaliser::Kind::softmax:
      return "\\operatorname{softmax}";
    case Normaliser::Kind::sink:
      return "\\operatorname{softmax}_{\\mathrm{sink}}";
    case Normaliser::Kind::sparsemax:
      return "\\operatorname{sparsemax}";
    case Normaliser::Kind::entmax15:
      return "\\operatorname{entmax}_{1.5}";
    case Normaliser::Kind::sigmoid:
      break;
  }
  return "\\sigma";
}

std::string normalised(const Scene& scene) {
  std::string inside = masked(scene);
  const double logit = scene.normaliser.logit;
  if (scene.normaliser.kind == Normaliser::Kind::sigmoid && logit != 0)
    inside += (logit < 0 ? " - " : " + ") + part(Stage::normalise, number(std::abs(logit)));
  return part(Stage::normalise, normaliserName(scene.normaliser)) + "\\left(" + inside + "\\right)";
}

std::string sourceLatex(const Scene& scene) {
  const std::string q = ofHead(scene, "Q"), k = ofHead(scene, "K"), v = ofHead(scene, "V");
  const Shapes s = shapesOf(scene);
  const auto shape = [](Index rows, Index cols) {
    return std::to_string(rows) + " \\times " + std::to_string(cols);
  };
  if (!isProjected(scene))
    return q + ": " + shape(s.queries, s.keyWidth) + ",\\quad " + k + ": " + shape(s.keys, s.keyWidth) +
           ",\\quad " + v + ": " + shape(s.keys, s.valueWidth);
  return q + " = X " + projection(scene, "Q") + ",\\quad " + k + " = " + keySequence(scene) + " " +
         projection(scene, "K") + ",\\quad " + v + " = " + keySequence(scene) + " " + projection(scene, "V");
}

std::string scaleLatex(const Scene& scene) {
  const std::string above = scene.scale.qkNormGain
                                ? number(*scene.scale.qkNormGain) + "\\,\\hat{q}_i \\cdot \\hat{k}_j"
                                : "q_i \\cdot k_j";
  const std::string below = divisor(scene.scale);
  std::string text = "s_{ij} = " + (below.empty() ? above : "\\frac{" + above + "}{" + below + "}");
  const bool usesWidth =
      scene.scale.rule == Scale::Rule::sqrtKeyWidth || scene.scale.rule == Scale::Rule::keyWidth;
  if (usesWidth) text += ",\\quad d_k = " + std::to_string(shapesOf(scene).keyWidth);
  if (scene.scale.temperature != 1) text += ",\\quad \\tau = " + number(scene.scale.temperature);
  return text;
}

std::string biasLatex(const Scene& scene) {
  std::string text = "s_{ij}";
  if (!scene.bias.empty()) text += " + b_{ij}";
  if (!scene.alibi) return text;
  text += " - " + ofHead(scene, "m") + "\\left|i-j\\right|";
  if (scene.alibi->slopes.empty() && hasHeads(scene))
    text += ",\\quad m_h = 2^{-8h/" + std::to_string(shapesOf(scene).heads) + "}";
  else if (!hasHeads(scene))
    text += ",\\quad m = " + number(alibiSlope(scene.alibi, 0, 1));
  return text;
}

std::string normaliserLatex(const Normaliser& normaliser) {
  const std::string b = number(normaliser.logit);
  switch (normaliser.kind) {
    case Normaliser::Kind::softmax:
      return "p_{ij} = \\frac{e^{s_{ij}}}{\\sum_l e^{s_{il}}}";
    case Normaliser::Kind::sink:
      return "p_{ij} = \\frac{e^{s_{ij}}}{e^{b} + \\sum_l e^{s_{il}}},\\quad b = " + b;
    case Normaliser::Kind::sparsemax:
      return "p_{ij} = \\max\\left(s_{ij} - \\tau_i, 0\\right),\\quad \\sum_j p_{ij} = 1";
    case Normaliser::Kind::entmax15:
      return "p_{ij} = \\max\\left(\\frac{s_{ij}}{2} - \\tau_i, 0\\right)^2,\\quad \\sum_j p_{ij} = 1";
    case Normaliser::Kind::sigmoid:
      break;
  }
  return "p_{ij} = \\frac{1}{1 + e^{-s_{ij} - b}},\\quad b = " + b;
}

std::string outputLatex(const Scene& scene) {
  const Index heads = shapesOf(scene).heads;
  std::string joined = "O";
  if (heads > 1)
    joined = "\\left[O_1 \\; " + std::string(heads > 2 ? "\\ldots \\; " : "") + "O_{" +
             std::to_string(heads) + "}\\right]";
  return "\\mathrm{out} = " + joined + (scene.source.wo ? " W^{O}" : "");
}

}  // namespace

bool usesStage(const Scene& scene, Stage stage) {
  switch (stage) {
    case Stage::qkNorm:
      return scene.scale.qkNormGain.has_value();
    case Stage::scale:
      return !divisor(scene.scale).empty();
    case Stage::cap:
      return scene.cap.has_value();
    case Stage::bias:
      return !scene.bias.empty() || scene.alibi;
    case Stage::mask:
      return !scene.masks.empty();
    case Stage::output:
      return hasHeads(scene) || scene.source.wo;
    default:
      return true;
  }
}

std::string pipelineLatex(const Scene& scene) {
  std::string text = normalised(scene) + "\\," + part(Stage::mix, ofHead(scene, "V"));
  if (hasHeads(scene)) text = part(Stage::output, "\\operatorname{Concat}_h") + "\\left(" + text + "\\right)";
  if (scene.source.wo) text += "\\," + part(Stage::output, "W^{O}");
  text = "\\mathrm{out} = " + text;
  if (isProjected(scene)) text += ",\\qquad " + part(Stage::source, sourceLatex(scene));
  return text;
}

std::string stageLatex(const Scene& scene, Stage stage) {
  switch (stage) {
    case Stage::source:
      return sourceLatex(scene);
    case Stage::qkNorm:
      return "\\hat{q}_i = \\frac{q_i}{\\left\\|q_i\\right\\|},\\quad \\hat{k}_j = "
             "\\frac{k_j}{\\left\\|k_j\\right\\|}";
    case Stage::score:
      return "q_i \\cdot k_j = \\sum_{t=1}^{d_k} q_{it}\\,k_{jt}";
    case Stage::scale:
      return scaleLatex(scene);
    case Stage::cap: {
      const std::string c = scene.cap ? number(*scene.cap) : "c";
      return "s_{ij} \\to " + c + "\\,\\tanh\\left(\\frac{s_{ij}}{" + c + "}\\right)";
    }
    case Stage::bias:
      return biasLatex(scene);
    case Stage::mask:
      return "s_{ij} \\to -\\infty \\quad \\text{where a rule hides the pair}";
    case Stage::normalise:
      return normaliserLatex(scene.normaliser);
    case Stage::mix:
      return "o_i = \\sum_j p_{ij}\\,v_j";
    case Stage::output:
      break;
  }
  return outputLatex(scene);
}

Formula formulaOf(const Scene& scene) {
  return parseLatex(pipelineLatex(scene));
}

Formula formulaOf(const Scene& scene, Stage stage) {
  return parseLatex(stageLatex(scene, stage));
}

}  // namespace attn
