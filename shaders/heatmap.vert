// One rectangle: its corners in clip space, and where they lie in the matrix.
uniform vec4 rectangle;  // left, top, right, bottom
uniform vec4 cells;      // the same corners, counted in cells across and down
out vec2 place;

void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  place = mix(cells.xy, cells.zw, corner);
  gl_Position = vec4(mix(rectangle.xy, rectangle.zw, corner), 0.0, 1.0);
}
