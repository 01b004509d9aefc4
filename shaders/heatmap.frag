// Colours the cells of a matrix. Hidden cells are hatched upwards, infinities downwards, NaN both ways.
// Where cells are smaller than pixels, the largest or the average of those under a pixel is shown.
// Variants leave out what a picture does not need: HAS_HIDDEN, HAS_SIGNS (hidden, NaN or infinite cells),
// HAS_RULES, FOUR_CELLS (one or two cells under a pixel either way), MANY_CELLS (any number).
uniform sampler2D values;    // one number a cell; level k has one for 2ᵏ × 2ᵏ cells
uniform sampler2D hidden;    // the same, above 0 where a mask hides the pairs
uniform sampler2D colormap;  // one row, from the lowest to the highest
uniform ivec2 size;          // columns and rows of level 0
uniform int level;           // the one to read
uniform vec2 footprint;      // cells of that level under a pixel, across the columns and down the rows
uniform float cellsPerUnit;  // cells of that level in one cell of the screen
uniform vec2 range;          // what the ends of the colormap stand for; see ColourScale
uniform bool isLogarithmic;
uniform bool isDiverging;
uniform bool isAverage;
uniform bool isTransposed;  // columns of the matrix downwards
uniform vec3 paper;         // behind the hatching, and between large cells
uniform vec3 ink;           // the hatching of hidden cells
uniform vec3 alarm;         // the hatching of NaN and infinities
uniform float hatchWidth;   // pixels from line to line
uniform vec2 origin;        // of the rectangle, in pixels: its upper left corner
uniform vec2 corner;        // the same in cells, across and down
uniform vec2 pixel;         // a pixel in cells, across and down
uniform float ruleWidth;    // of the lines between cells, in pixels; 0: none
out vec4 colour;

bool isFinite(float value) { return (floatBitsToUint(value) & 0x7f800000u) != 0x7f800000u; }
bool isNumber(float value) { return (floatBitsToUint(value) & 0x7fffffffu) <= 0x7f800000u; }

float share(float value) {
  if (!isLogarithmic) return (value - range.x) / (range.y - range.x);
  float magnitude = isDiverging ? abs(value) : value;
  float part = (log(max(magnitude, range.x)) - log(range.x)) / (log(range.y) - log(range.x));
  if (!isDiverging) return part;
  return 0.5 + 0.5 * (value < 0.0 ? -part : part);
}

float line(float across) { return step(mod(across, hatchWidth), max(1.0, hatchWidth * 0.2)); }

// The cells under this pixel. Neighbouring pixels share none and leave none out: a little more than the
// rounding is added, to both alike.
void cellsUnder(float centre, float extent, int count, out int first, out int last) {
  const float nudge = 0.001;
  float reach = extent > 1.0 ? 0.5 * extent : 0.0;
  first = clamp(int(floor(centre - reach + (reach > 0.0 ? nudge : 0.0))), 0, count - 1);
  last = clamp(int(floor(centre + reach + nudge)) - (reach > 0.0 ? 1 : 0), first, count - 1);
}

struct Gathered {
  float largest, sum, seen;
};

void gather(ivec2 cell, inout Gathered so) {
#ifdef HAS_HIDDEN
  if (texelFetch(hidden, cell, level).r > 0.0) return;
#endif
  float next = texelFetch(values, cell, level).r;
  if (!isNumber(next) || (isNumber(so.largest) && abs(next) > abs(so.largest))) so.largest = next;
  so.sum += next;
  so.seen += 1.0;
}

// False where all cells under the pixel are hidden.
bool findValue(vec2 where, out float value) {
  ivec2 count = (size + (1 << level) - 1) >> level;
  Gathered so = Gathered(0.0, 0.0, 0.0);
#if defined(MANY_CELLS)
  ivec2 first, last;
  cellsUnder(where.x, footprint.x, count.x, first.x, last.x);
  cellsUnder(where.y, footprint.y, count.y, first.y, last.y);
  for (int row = first.y; row <= last.y; ++row)
    for (int col = first.x; col <= last.x; ++col) gather(ivec2(col, row), so);
#elif defined(FOUR_CELLS)
  ivec2 first, last;  // at most two either way; one that counts twice does so in all its rows or columns
  cellsUnder(where.x, footprint.x, count.x, first.x, last.x);
  cellsUnder(where.y, footprint.y, count.y, first.y, last.y);
  gather(first, so);
  gather(ivec2(last.x, first.y), so);
  gather(ivec2(first.x, last.y), so);
  gather(last, so);
#else
  gather(clamp(ivec2(where), ivec2(0), count - 1), so);
#endif
  value = isAverage && isFinite(so.largest) ? so.sum / max(so.seen, 1.0) : so.largest;
  return so.seen > 0.0;
}

vec3 colourOf(float value) {
  int steps = textureSize(colormap, 0).x;
  int index = int(clamp(share(value), 0.0, 1.0) * float(steps - 1) + 0.5);
  return texelFetch(colormap, ivec2(index, 0), 0).rgb;
}

void main() {
  // By the pixel alone: drivers make ready for each set of values that the corners hand on, which takes time
  // at the first frame.
  vec2 place = corner + vec2(gl_FragCoord.x - origin.x, origin.y - gl_FragCoord.y) * pixel;
  float value;
  bool isSeen = findValue((isTransposed ? place.yx : place) * cellsPerUnit, value);
  colour = vec4(colourOf(value), 1.0);
#ifdef HAS_SIGNS
  float rising = line(gl_FragCoord.x - gl_FragCoord.y), falling = line(gl_FragCoord.x + gl_FragCoord.y);
  if (!isSeen)
    colour.rgb = mix(paper, ink, rising);
  else if (!isNumber(value))
    colour.rgb = mix(paper, alarm, max(rising, falling));
  else if (!isFinite(value))
    colour.rgb = mix(paper, alarm, falling);
#endif
#ifdef HAS_RULES
  vec2 within = fract(place + 0.25 * pixel);  // a border on the middle of a pixel must not count twice
  vec2 rule = ruleWidth * pixel;
  if ((within.x < rule.x && place.x > 0.9) || (within.y < rule.y && place.y > 0.9)) colour.rgb = paper;
#endif
}
