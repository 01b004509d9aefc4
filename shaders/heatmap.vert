// One rectangle: its corners in clip space, and where they lie in the matrix.
uniform vec4 rectangle;  // left, top, right, bottom
out vec2 place;          // 0 to 1: across the columns, down the rows

void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  place = corner;
  gl_Position = vec4(mix(rectangle.xy, rectangle.zw, corner), 0.0, 1.0);
}
