#include <cmath>
#include <cstdio>

#include "core/explain/explain.h"

namespace attn {
namespace {

std::string numberText(double value) {
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string nameText(const Operand& operand) {
  return operand.name;
}

std::string valueText(const Operand& operand) {
  const std::string text = numberText(operand.value);
  return operand.value < 0 ? "(" + text + ")" : text;
}

/// The two signs take turns, the inner one first: a·b + c·d.
template <class Write>
std::string joined(const Step& step, const char* outer, const char* inner, const Write& write) {
  std::string text;
  for (std::size_t n = 0; n < step.operands.size(); ++n)
    text += (n == 0 ? "" : n % 2 == 1 ? inner : outer) + write(step.operands[n]);
  return text.empty() ? "0" : text;
}

template <class Write>
std::string formula(const Step& step, const Write& write) {
  const auto at = [&](std::size_t n) {
    return n < step.operands.size() ? write(step.operands[n]) : std::string();
  };
  switch (step.operation) {
    case Operation::sum:
      return joined(step, " + ", " + ", write);
    case Operation::sumOfProducts:
      return joined(step, " + ", "·", write);
    case Operation::product:
      return joined(step, "·", "·", write);
    case Operation::difference:
      return at(0) + " − " + at(1);
    case Operation::quotient:
      return at(0) + " / " + at(1);
    case Operation::square:
      return at(0) + "²";
    case Operation::squareRoot:
      return "√(" + at(0) + ")";
    case Operation::maximum:
      return "max(" + joined(step, ", ", ", ", write) + ")";
    case Operation::exponentialOfDifference:
      return "exp(" + at(0) + " − " + at(1) + ")";
    case Operation::positivePart:
      return "max(" + at(0) + " − " + at(1) + ", 0)";
    case Operation::isPositive:
      return "[" + at(0) + " > 0]";
    case Operation::sigmoid:
      return "σ(" + at(0) + ")";
    case Operation::cappedTanh:
      return at(1) + "·tanh(" + at(0) + " / " + at(1) + ")";
    case Operation::capSlope:
      return "1 − (" + at(0) + " / " + at(1) + ")²";
    default:
      return at(0);
  }
}

}  // namespace

std::string toText(const Step& step) {
  const std::string value = numberText(step.result.value), result = step.result.name + " = ";
  const std::string reason = step.operands.empty() ? "" : step.operands[0].name;
  const double reasonValue = step.operands.empty() ? 0 : step.operands[0].value;
  switch (step.operation) {
    case Operation::given:
      return result + value + ", given";
    case Operation::copied:
      return result + reason + " = " + value;
    case Operation::masked:
      return result + value + ", hidden by " + reason + " (" + numberText(reasonValue) + ")";
    case Operation::zero:
      return result + value + ", since " + reason + " = " + numberText(reasonValue);
    default:
      return result + formula(step, nameText) + " = " + formula(step, valueText) + " = " + value;
  }
}

std::string toText(const Derivation& derivation) {
  std::string text;
  for (const Step& step : derivation.steps) text += toText(step) + "\n";
  return text;
}

}  // namespace attn
