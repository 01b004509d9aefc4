#include "app/formula/pipeline.h"

#include <cmath>

#include "app/formula/latex.h"

namespace attn {
namespace {

bool isProjected(const Scene& scene) {
  return scene.source.kind == SourceOf<float>::Kind::projected;
}

bool hasHeads(const Scene& scene) {
  return shapesOf(scene).heads > 1;
}

/// "ij", or "ji" where tokens are columns.
std::string at(const Notation& notation, const std::string& row, const std::string& col) {
  return "{" + (notation.queriesAreColumns ? col + row : row + col) + "}";
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
std::string divisor(const Scale& scale, const Notation& notation) {
  std::string text;
  if (scale.temperature != 1) text = "\\tau";
  if (scale.rule == Scale::Rule::sqrtKeyWidth)
    text += (text.empty() ? "" : "\\,") + std::string("\\sqrt{d_k}");
  if (scale.rule == Scale::Rule::keyWidth) text += (text.empty() ? "" : "\\,") + std::string("d_k");
  if (scale.rule == Scale::Rule::number)
    text += (text.empty() ? "" : " \\cdot ") + writeLatexNumber(scale.number, notation);
  return text;
}

std::string score(const Scene& scene, const Notation& notation) {
  const std::string q = ofHead(scene, scene.scale.qkNormGain ? "\\hat{Q}" : "Q");
  const std::string k = ofHead(scene, scene.scale.qkNormGain ? "\\hat{K}" : "K");
  const std::string product =
      part(PipelineStage::score, notation.queriesAreColumns ? k + "^{\\top} " + q : q + " " + k + "^{\\top}");
  return scene.scale.qkNormGain
             ? part(PipelineStage::qkNorm, writeLatexNumber(*scene.scale.qkNormGain, notation)) + "\\," +
                   product
             : product;
}

std::string scaled(const Scene& scene, const Notation& notation) {
  const std::string below = divisor(scene.scale, notation);
  return below.empty() ? score(scene, notation)
                       : "\\frac{" + score(scene, notation) + "}{" + part(PipelineStage::scale, below) + "}";
}

std::string capped(const Scene& scene, const Notation& notation) {
  if (!scene.cap) return scaled(scene, notation);
  const std::string c = writeLatexNumber(*scene.cap, notation);
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
    inside += (logit < 0 ? " - " : " + ") +
              part(PipelineStage::normalise, writeLatexNumber(std::abs(logit), notation));
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

std::string scaleLatex(const Scene& scene, const Notation& notation) {
  const std::string above = scene.scale.qkNormGain ? writeLatexNumber(*scene.scale.qkNormGain, notation) +
                                                         "\\,\\hat{q}_i \\cdot \\hat{k}_j"
                                                   : "q_i \\cdot k_j";
  const std::string below = divisor(scene.scale, notation);
  std::string text = "s_" + at(notation, "i", "j") + " = " +
                     (below.empty() ? above : "\\frac{" + above + "}{" + below + "}");
  const bool usesWidth =
      scene.scale.rule == Scale::Rule::sqrtKeyWidth || scene.scale.rule == Scale::Rule::keyWidth;
  if (usesWidth) text += ",\\quad d_k = " + std::to_string(shapesOf(scene).keyWidth);
  if (scene.scale.temperature != 1)
    text += ",\\quad \\tau = " + writeLatexNumber(scene.scale.temperature, notation);
  return text;
}

std::string biasLatex(const Scene& scene, const Notation& notation) {
  const std::string ij = at(notation, "i", "j");
  std::string text = "s_" + ij;
  if (!scene.bias.empty()) text += " + b_" + ij;
  if (!scene.alibi) return text;
  text += " - " + ofHead(scene, "m") + "\\left|i-j\\right|";
  if (scene.alibi->slopes.empty() && hasHeads(scene))
    text += ",\\quad m_h = 2^{-8h/" + std::to_string(shapesOf(scene).heads) + "}";
  else if (!hasHeads(scene))
    text += ",\\quad m = " + writeLatexNumber(alibiSlope(scene.alibi, 0, 1), notation);
  return text;
}

std::string normaliserLatex(const Normaliser& normaliser, const Notation& notation) {
  const std::string b = writeLatexNumber(normaliser.logit, notation), ij = at(notation, "i", "j"),
                    p = "p_" + ij, s = "s_" + ij, each = "e^{s_" + at(notation, "i", "l") + "}";
  switch (normaliser.kind) {
    case Normaliser::Kind::softmax:
      return p + " = \\frac{e^{" + s + "}}{\\sum_l " + each + "}";
    case Normaliser::Kind::sink:
      return p + " = \\frac{e^{" + s + "}}{e^{b} + \\sum_l " + each + "},\\quad b = " + b;
    case Normaliser::Kind::sparsemax:
      return p + " = \\max\\left(" + s + " - \\tau_i, 0\\right),\\quad \\sum_j " + p + " = 1";
    case Normaliser::Kind::entmax15:
      return p + " = \\max\\left(\\frac{" + s + "}{2} - \\tau_i, 0\\right)^2,\\quad \\sum_j " + p + " = 1";
    case Normaliser::Kind::sigmoid:
      break;
  }
  return p + " = \\frac{1}{1 + e^{-" + s + " - b}},\\quad b = " + b;
}

std::string outputLatex(const Scene& scene, const Notation& notation) {
  const Index heads = shapesOf(scene).heads;
  const bool isTurned = notation.queriesAreColumns;
  const std::string last = "O_{" + std::to_string(heads) + "}";
  std::string joined = "O";
  if (heads > 1 && isTurned)
    joined = "\\begin{bmatrix} O_1 \\\\ " + std::string(heads > 2 ? "\\vdots \\\\ " : "") + last +
             " \\end{bmatrix}";
  if (heads > 1 && !isTurned)
    joined = "\\left[O_1 \\; " + std::string(heads > 2 ? "\\ldots \\; " : "") + last + "\\right]";
  if (!scene.source.wo) return "\\mathrm{out} = " + joined;
  return "\\mathrm{out} = " + (isTurned ? "W^{O} " + joined : joined + " W^{O}");
}

}  // namespace

bool usesStage(const Scene& scene, PipelineStage stage) {
  switch (stage) {
    case PipelineStage::qkNorm:
      return scene.scale.qkNormGain.has_value();
    case PipelineStage::scale:
      return !divisor(scene.scale, {}).empty();
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

std::string stageLatex(const Scene& scene, PipelineStage stage, const Notation& notation) {
  const std::string ij = at(notation, "i", "j");
  switch (stage) {
    case PipelineStage::source:
      return sourceLatex(scene, notation);
    case PipelineStage::qkNorm:
      return "\\hat{q}_i = \\frac{q_i}{\\left\\|q_i\\right\\|},\\quad \\hat{k}_j = "
             "\\frac{k_j}{\\left\\|k_j\\right\\|}";
    case PipelineStage::score:
      return "q_i \\cdot k_j = \\sum_{t=1}^{d_k} q_" + at(notation, "i", "t") + "\\,k_" +
             at(notation, "j", "t");
    case PipelineStage::scale:
      return scaleLatex(scene, notation);
    case PipelineStage::cap: {
      const std::string c = scene.cap ? writeLatexNumber(*scene.cap, notation) : "c";
      return "s_" + ij + " \\to " + c + "\\,\\tanh\\left(\\frac{s_" + ij + "}{" + c + "}\\right)";
    }
    case PipelineStage::bias:
      return biasLatex(scene, notation);
    case PipelineStage::mask:
      return "s_" + ij + " \\to -\\infty \\quad \\text{where a rule hides the pair}";
    case PipelineStage::normalise:
      return normaliserLatex(scene.normaliser, notation);
    case PipelineStage::mix:
      return "o_i = \\sum_j p_" + ij + "\\,v_j";
    case PipelineStage::output:
      break;
  }
  return outputLatex(scene, notation);
}

Formula formulaOf(const Scene& scene) {
  return parseLatex(pipelineLatex(scene));
}

Formula formulaOf(const Scene& scene, PipelineStage stage, const Notation& notation) {
  return parseLatex(stageLatex(scene, stage, notation));
}

}  // namespace attn
