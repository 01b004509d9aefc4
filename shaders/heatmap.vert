// One rectangle: its corners in clip space.
uniform vec4 rectangle;  // left, top, right, bottom

void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  gl_Position = vec4(mix(rectangle.xy, rectangle.zw, corner), 0.0, 1.0);
}
