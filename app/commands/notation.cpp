#include <algorithm>

#include "app/application.h"
#include "app/commands.h"

namespace attn {
namespace {

constexpr int kMostDigits = 9, kUsualDigits = 3;

template <int by>
void changeDigits(Application& app) {
  int& digits = app.state().notation.digits;
  const int before = digits == Notation::kAutomatic ? kUsualDigits : digits;
  digits = std::clamp(before + by, 0, kMostDigits);
  app.report(std::to_string(digits) + (digits == 1 ? " digit" : " digits") + " behind the point");
}

constexpr Command kCommands[] = {
    {"notation.fromOne", "Count tokens and dimensions from 1", "Notation", 0,
     [](Application& app) { app.state().notation.first = 1 - app.state().notation.first; }, nullptr,
     [](const Application& app) { return app.state().notation.first == 1; }},
    {"notation.comma", "Decimal comma", "Notation", 0,
     [](Application& app) { app.state().notation.decimalComma = !app.state().notation.decimalComma; },
     nullptr, [](const Application& app) { return app.state().notation.decimalComma; }},
    {"notation.moreDigits", "More digits", "Notation", ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_Period,
     changeDigits<1>, nullptr, nullptr, true},
    {"notation.fewerDigits", "Fewer digits", "Notation", ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_Comma,
     changeDigits<-1>},
    {"notation.automaticDigits", "As many digits as suit the numbers", "Notation", 0,
     [](Application& app) { app.state().notation.digits = Notation::kAutomatic; }, nullptr,
     [](const Application& app) { return app.state().notation.digits == Notation::kAutomatic; }},
};

}  // namespace

std::span<const Command> notationCommands() {
  return kCommands;
}

}  // namespace attn
