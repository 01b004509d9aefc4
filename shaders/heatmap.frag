// Colours the cells of a matrix. Hidden cells are hatched one way, numbers that are none both ways.
uniform sampler2D values;    // rows × columns, one number a cell
uniform sampler2D hidden;    // the same, above 0 where a mask hides the pair
uniform sampler2D colormap;  // one row, from the lowest to the highest
uniform vec2 range;          // what the ends of the colormap stand for
uniform bool isLogarithmic;
uniform bool hasHidden;
uniform bool isTransposed;  // columns of the matrix downwards
uniform vec3 paper;         // behind the hatching
uniform vec3 ink;           // the hatching of hidden cells
uniform vec3 alarm;         // the hatching of NaN and infinities
uniform float hatchWidth;   // pixels from line to line
in vec2 place;
out vec4 colour;

bool isFinite(float value) { return (floatBitsToUint(value) & 0x7f800000u) != 0x7f800000u; }

float share(float value) {
  if (!isLogarithmic) return (value - range.x) / (range.y - range.x);
  float low = log(max(range.x, 1e-30)), high = log(max(range.y, 1e-30));
  return (log(max(value, 1e-30)) - low) / (high - low);
}

float line(float across) { return step(mod(across, hatchWidth), max(1.0, hatchWidth * 0.2)); }

void main() {
  ivec2 size = textureSize(values, 0);
  vec2 where = isTransposed ? place.yx : place;
  ivec2 cell = clamp(ivec2(where * vec2(size)), ivec2(0), size - 1);
  float value = texelFetch(values, cell, 0).r;
  float rising = line(gl_FragCoord.x - gl_FragCoord.y), falling = line(gl_FragCoord.x + gl_FragCoord.y);
  if (hasHidden && texelFetch(hidden, cell, 0).r > 0.0)
    colour = vec4(mix(paper, ink, rising), 1.0);
  else if (!isFinite(value))
    colour = vec4(mix(paper, alarm, max(rising, falling)), 1.0);
  else {
    int steps = textureSize(colormap, 0).x;
    int index = int(clamp(share(value), 0.0, 1.0) * float(steps - 1) + 0.5);
    colour = vec4(texelFetch(colormap, ivec2(index, 0), 0).rgb, 1.0);
  }
}
