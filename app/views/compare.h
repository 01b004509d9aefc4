#pragma once
#include <string>

namespace attn {

struct ViewContext;
class Comparison;

/// The bar beneath the menus while a state is pinned: what maps show, and the slider from A to B.
void drawCompareBar(ViewContext& context, const Comparison& comparison);

/// "A", "B − A"; empty for the present.
const char* showingText(const ViewContext& context);
/// Whether maps show B − A.
bool showsDifference(const ViewContext& context);
/// Says in the panel why there is no difference, where one is asked for.
void hintNoDifference(const ViewContext& context);

/// The number in A of the present evaluation, or NaN where A has none in its place. `number` lies in the
/// present results.
float pinnedNumber(const ViewContext& context, const float* number);
/// "0.5 − 0.25" of a number of the difference; empty where it cannot be told.
std::string operandsText(const ViewContext& context, const float* difference);

}  // namespace attn
