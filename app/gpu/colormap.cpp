#include "app/gpu/colormap.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn {
namespace {

struct Lab {
  double l = 0, a = 0, b = 0;
};

double toLinear(double s) {
  return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}
double toScreen(double l) {
  return l <= 0.0031308 ? l * 12.92 : 1.055 * std::pow(l, 1 / 2.4) - 0.055;
}

Lab toLab(unsigned rgb) {
  const auto part = [&](int shift) { return toLinear(((rgb >> shift) & 0xff) / 255.0); };
  const double r = part(16), g = part(8), b = part(0);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Rgb toRgb(const Lab& lab) {
  const auto cube = [](double x) { return x * x * x; };
  const double l = cube(lab.l + 0.3963377774 * lab.a + 0.2158037573 * lab.b);
  const double m = cube(lab.l - 0.1055613458 * lab.a - 0.0638541728 * lab.b);
  const double s = cube(lab.l - 0.0894841775 * lab.a - 1.2914855480 * lab.b);
  const auto byte = [](double linear) {
    return static_cast<std::uint8_t>(std::lround(255 * toScreen(std::clamp(linear, 0.0, 1.0))));
  };
  return {byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          byte(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

std::vector<unsigned> anchorsOf(Colormap map) {
  switch (map) {
    case Colormap::viridis:
      return {0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e,
              0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725};
    case Colormap::cividis:
      return {0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173,
              0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838};
    case Colormap::grey:
      return {0xffffff, 0x101010};
    case Colormap::blueRed:
      return {0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7,
              0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b, 0x67001f};
    case Colormap::dusk:
      return {0xa8d4ff, 0x6bb0f0, 0x3b86cc, 0x285c8f, 0x1c3752, 0x191b1f,
              0x4f2a20, 0x8d4027, 0xcc6236, 0xf19558, 0xffcf9e};
  }
  return {0x000000, 0xffffff};
}

}  // namespace

ColormapTable tableOf(Colormap map) {
  const std::vector<unsigned> anchors = anchorsOf(map);
  ColormapTable table;
  for (int i = 0; i < kColormapSteps; ++i) {
    const double place =
        static_cast<double>(i) / (kColormapSteps - 1) * static_cast<double>(anchors.size() - 1);
    const std::size_t before = std::min(static_cast<std::size_t>(place), anchors.size() - 2);
    const double share = place - static_cast<double>(before);
    const Lab a = toLab(anchors[before]), b = toLab(anchors[before + 1]);
    table[static_cast<std::size_t>(i)] =
        toRgb({std::lerp(a.l, b.l, share), std::lerp(a.a, b.a, share), std::lerp(a.b, b.b, share)});
  }
  return table;
}

Rgb colourAt(const ColormapTable& table, float share) {
  const float clamped = std::isnan(share) ? 0.0f : std::clamp(share, 0.0f, 1.0f);
  return table[static_cast<std::size_t>(std::lround(clamped * (kColormapSteps - 1)))];
}

bool isBright(Rgb colour) {
  const auto linear = [](std::uint8_t part) { return toLinear(static_cast<double>(part) / 255); };
  const double luminance = 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b);
  return luminance > 0.179;  // where (L + 0.05)² = 1.05 · 0.05: black and white stand out alike
}

const char* nameOf(Colormap map) {
  switch (map) {
    case Colormap::viridis:
      return "viridis";
    case Colormap::cividis:
      return "cividis";
    case Colormap::grey:
      return "grey";
    case Colormap::blueRed:
      return "blue, white, red";
    case Colormap::dusk:
      return "blue, black, orange";
  }
  return "";
}

bool isDiverging(Colormap map) {
  return map == Colormap::blueRed || map == Colormap::dusk;
}

float shareOf(const ColourScale& scale, float value) {
  if (!scale.isLogarithmic) return (value - scale.low) / (scale.high - scale.low);
  const float size = scale.isDiverging ? std::abs(value) : value;
  const float low = std::log(scale.low), high = std::log(scale.high);  // their quotient may overflow
  const float share = (std::log(std::max(size, scale.low)) - low) / (high - low);
  if (std::isnan(value)) return value;
  if (!scale.isDiverging) return share;
  return 0.5f + 0.5f * std::copysign(share, value);
}

}  // namespace attn
