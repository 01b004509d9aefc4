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

std::string part(PipelineStage stage, const std::string& latex) {
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

std::string score(const Scene& scene, const Notation& notation) {
  const std::string q = ofHead(scene, scene.scale.qkNormGain ? "\\hat{Q}" : "Q");
  const std::string k = ofHead(scene, scene.scale.qkNormGain ? "\\hat{K}" : "K");
  const std::string product =
      part(PipelineStage::score, notation.queriesAreColumns ? k + "^{\\top} " + q : q + " " + k + "^{\\top}");
  return scene.scale.qkNormGain
             ? part(PipelineStage::qkNorm, number(*scene.scale.qkNormGain)) + "\\," + product
             : product;
}

std::string scaled(const Scene& scene, const Notation& notation) {
  const std::string below = divisor(scene.scale);
  return below.empty() ? score(scene, notation)
                       : "\\frac{" + score(scene, notation) + "}{" + part(PipelineStage::scale, below) + "}";
}

std::string capped(const Scene& scene, const Notation& notation) {
  if (!scene.cap) return scaled(scene, notation);
  const std::string c = number(*scene.cap);
  return part(PipelineStage::cap, c + "\\,\\tanh") + "\\left(\\frac{1}{" + part(PipelineStage::cap, c) +
         "}\\," + scaled(scene, notation) + "\\right)";
}

std::string masked(const Scene& scene, const Notation& notation) {
  std::string text = capped(scene, notation);
  if (!scene.bias.empty()) text += " + " + part(PipelineStage::bias, scene.bias.size() > 1 ? "B_h" : "B");
  if (scene.alibi) text += " - " + part(PipelineStage::bias, ofHead(scene, "m") + "\\left|i-j\\right|");
  if (!scene.masks.empty()) text += " + " + part(PipelineStage::mask, "M");
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

std::string normalised(const Scene& scene, const Notation& notation) {
  std::string inside = masked(scene, notation);
  const double logit = scene.normaliser.logit;
  if (scene.normaliser.kind == Normaliser::Kind::sigmoid && logit != 0)
    inside += (logit < 0 ? " - " : " + ") + part(PipelineStage::normalise, number(std::abs(logit)));
  return part(PipelineStage::normalise, normaliserName(scene.normaliser)) + "\\left(" + inside + "\\right)";
}

/// Rows of tokens are multiplied from the right, columns from the left.
std::string times(const std::string& tokens, const std::string& weights, const Notation& notation) {
  return notation.queriesAreColumns ? weights + " " + tokens : tokens + " " + weights;
}

std::string sourceLatex(const Scene& scene, const Notation& notation) {
  const std::string q = ofHead(scene, "Q"), k = ofHead(scene, "K"), v = ofHead(scene, "V");
  const Shapes s = shapesOf(scene);
  const auto shape = [&](Index rows, Index cols) {
    if (notation.queriesAreColumns) std::swap(rows, cols);
    return std::to_string(rows) + " \\times " + std::to_string(cols);
  };
  if (!isProjected(scene))
    return q + ": " + shape(s.queries, s.keyWidth) + ",\\quad " + k + ": " + shape(s.keys, s.keyWidth) +
           ",\\quad " + v + ": " + shape(s.keys, s.valueWidth);
  const std::string y = keySequence(scene), comma = ",\\quad ";
  return q + " = " + times("X", projection(scene, "Q"), notation) + comma + k + " = " +
         times(y, projection(scene, "K"), notation) + comma + v + " = " +
         times(y, projection(scene, "V"), notation);
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

bool usesStage(const Scene& scene, PipelineStage stage) {
  switch (stage) {
    case PipelineStage::qkNorm:
      return scene.scale.qkNormGain.has_value();
    case PipelineStage::scale:
      return !divisor(scene.scale).empty();
    case PipelineStage::cap:
      return scene.cap.has_value();
    case PipelineStage::bias:
      return !scene.bias.empty() || scene.alibi;
    case PipelineStage::mask:
      return !scene.masks.empty();
    case PipelineStage::output:
      return hasHeads(scene) || scene.source.wo;
    default:
      return true;
  }
}

std::string pipelineLatex(const Scene& scene, const Notation& notation) {
  const bool isTurned = notation.queriesAreColumns;
  const std::string values = part(PipelineStage::mix, ofHead(scene, "V")), p = normalised(scene, notation);
  std::string text = isTurned ? values + "\\," + p : p + "\\," + values;
  if (hasHeads(scene))
    text = part(PipelineStage::output, "\\operatorname{Concat}_h") + "\\left(" + text + "\\right)";
  const std::string weights = part(PipelineStage::output, "W^{O}");
  if (scene.source.wo) text = isTurned ? weights + "\\," + text : text + "\\," + weights;
  text = "\\mathrm{out} = " + text;
  if (isProjected(scene)) text += ",\\qquad " + part(PipelineStage::source, sourceLatex(scene, notation));
  return text;
}

std::string stageLatex(const Scene& scene, PipelineStage stage) {
  switch (stage) {
    case PipelineStage::source:
      return sourceLatex(scene, {});
    case PipelineStage::qkNorm:
      return "\\hat{q}_i = \\frac{q_i}{\\left\\|q_i\\right\\|},\\quad \\hat{k}_j = "
             "\\frac{k_j}{\\left\\|k_j\\right\\|}";
    case PipelineStage::score:
      return "q_i \\cdot k_j = \\sum_{t=1}^{d_k} q_{it}\\,k_{jt}";
    case PipelineStage::scale:
      return scaleLatex(scene);
    case PipelineStage::cap: {
      const std::string c = scene.cap ? number(*scene.cap) : "c";
      return "s_{ij} \\to " + c + "\\,\\tanh\\left(\\frac{s_{ij}}{" + c + "}\\right)";
    }
    case PipelineStage::bias:
      return biasLatex(scene);
    case PipelineStage::mask:
      return "s_{ij} \\to -\\infty \\quad \\text{where a rule hides the pair}";
    case PipelineStage::normalise:
      return normaliserLatex(scene.normaliser);
    case PipelineStage::mix:
      return "o_i = \\sum_j p_{ij}\\,v_j";
    case PipelineStage::output:
      break;
  }
  return outputLatex(scene);
}

Formula formulaOf(const Scene& scene) {
  return parseLatex(pipelineLatex(scene));
}

Formula formulaOf(const Scene& scene, PipelineStage stage) {
  return parseLatex(stageLatex(scene, stage));
}

}  // namespace attn
