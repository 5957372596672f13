// What the graphics card does for the solid arm: surfaces on bones, the ground with a soft shadow, the path of the tip.

const BONE_AXES = `
uniform highp sampler2D bones; // a row for each bone: place and value, then its three axes
uniform mat4 view;
in vec3 place;
in vec3 normal;
in float bone;
in vec4 colour;
mat4 held() {
  int b = int(bone);
  return mat4(texelFetch(bones, ivec2(1, b), 0), texelFetch(bones, ivec2(2, b), 0), texelFetch(bones, ivec2(3, b), 0), texelFetch(bones, ivec2(0, b), 0));
}
`;

const SURFACE = {
  vertex: `${BONE_AXES}
out vec3 facing;
out vec3 at;
out vec4 paint;
out float value;
void main() {
  mat4 own = held();
  at = (own * vec4(place, 1.0)).xyz;
  facing = mat3(own) * normal;
  paint = colour;
  value = own[3].w;
  gl_Position = view * vec4(at, 1.0);
}`,
  fragment: `
uniform vec3 eye, sun, up, ghost;
uniform vec3 map[6];
uniform float solid;
in vec3 facing;
in vec3 at;
in vec4 paint;
in float value;
out vec4 ink;
vec3 mapped(float v) {
  float x = clamp(v, 0.0, 1.0) * 5.0;
  int k = int(min(floor(x), 4.0));
  return mix(map[k], map[k + 1], x - float(k));
}
void main() {
  vec3 n = normalize(facing);
  vec3 look = normalize(eye - at);
  if (dot(n, look) < 0.0 && solid < 1.0) n = -n;
  vec3 base = solid < 1.0 ? ghost : paint.a > 0.75 && value >= 0.0 ? mapped(value) : paint.rgb;
  base *= base; // what follows is linear in light
  float day = dot(n, sun);
  float key = max(0.82 * day + 0.18, 0.0);
  float sky = 0.5 + 0.5 * dot(n, up);
  float head = max(dot(n, look), 0.0);
  vec3 light = base * (vec3(1.0, 0.98, 0.94) * 0.78 * key + mix(vec3(0.14, 0.13, 0.13), vec3(0.27, 0.30, 0.34), sky) + 0.10 * head);
  float shine = pow(max(dot(n, normalize(sun + look)), 0.0), 42.0) * (day > 0.0 ? 0.20 : 0.0);
  float rim = pow(1.0 - head, 4.0) * 0.10 * sky;
  ink = vec4(sqrt(min(light + shine + rim, 1.0)), 1.0) * (solid < 1.0 ? solid : 1.0);
}`,
};

// The shadow of the arm on the ground, seen along the light; what is higher up shades less.
const SHADE = {
  vertex: `${BONE_AXES}
uniform vec4 across, beside; // from a place on the ground to the picture
uniform vec3 sun, up;
uniform float level;
out float height;
void main() {
  vec3 at = (held() * vec4(place, 1.0)).xyz;
  height = dot(at, up) - level;
  vec3 fallen = at - sun * (height / dot(sun, up));
  gl_Position = vec4(dot(across.xyz, fallen) + across.w, dot(beside.xyz, fallen) + beside.w, 0.0, 1.0);
}`,
  fragment: `
uniform float fade;
in float height;
out vec4 ink;
void main() { ink = vec4(0.25 + 0.75 * exp(-max(height, 0.0) * fade)); }`,
};

const BLUR = {
  vertex: `in vec2 corner; out vec2 at; void main() { at = 0.5 * corner + 0.5; gl_Position = vec4(corner, 0.0, 1.0); }`,
  fragment: `
uniform sampler2D picture;
uniform vec2 stride;
in vec2 at;
out vec4 ink;
void main() {
  float sum = 0.227 * texture(picture, at).r;
  sum += 0.194 * (texture(picture, at + stride).r + texture(picture, at - stride).r);
  sum += 0.122 * (texture(picture, at + 2.0 * stride).r + texture(picture, at - 2.0 * stride).r);
  sum += 0.054 * (texture(picture, at + 3.0 * stride).r + texture(picture, at - 3.0 * stride).r);
  sum += 0.016 * (texture(picture, at + 4.0 * stride).r + texture(picture, at - 4.0 * stride).r);
  ink = vec4(sum);
}`,
};

const GROUND = {
  vertex: `
uniform mat4 view;
uniform vec3 centre, along, aside;
uniform float reach;
in vec2 corner;
out vec2 at; // m on the ground from its centre
out vec3 where;
void main() {
  at = reach * corner;
  where = centre + at.x * along + at.y * aside;
  gl_Position = view * vec4(where, 1.0);
}`,
  fragment: `
uniform sampler2D picture;
uniform vec4 across, beside;
uniform vec3 line, shade;
uniform vec2 origin;
uniform float step, reach, dark;
in vec2 at;
in vec3 where;
out vec4 ink;
float grid(vec2 place, float gap, float wide) {
  vec2 cell = place / gap;
  vec2 width = fwidth(cell);
  vec2 away = abs(fract(cell - 0.5) - 0.5);
  vec2 drawn = 1.0 - smoothstep(width * (wide - 0.5), width * (wide + 0.5), away);
  drawn *= 1.0 - smoothstep(0.15, 0.5, width); // lines closer than pixels are a haze, not a pattern
  return max(drawn.x, drawn.y);
}
void main() {
  float away = length(at) / reach;
  float seen = 1.0 - smoothstep(0.35, 1.0, away);
  vec2 place = at - origin;
  float drawn = max(0.45 * grid(place, step, 0.6), 0.9 * grid(place, 5.0 * step, 0.8));
  vec2 spot = 0.5 + 0.5 * vec2(dot(across.xyz, where) + across.w, dot(beside.xyz, where) + beside.w);
  vec2 inside = step == 0.0 ? vec2(0.0) : smoothstep(vec2(0.0), vec2(0.03), spot) * smoothstep(vec2(0.0), vec2(0.03), 1.0 - spot);
  float shaded = dark * texture(picture, spot).r * inside.x * inside.y;
  vec4 below = vec4(line, 1.0) * drawn * seen;
  ink = vec4(shade, 1.0) * shaded + below * (1.0 - shaded);
}`,
};

// A line of a few pixels' width through points.
const PATH = {
  vertex: `
uniform mat4 view;
uniform vec2 size;
uniform float wide, now;
in vec3 before, place, after;
in vec2 side; // which edge, and the number of the point
out float come;
vec2 pixel(vec4 p) { return p.xy / p.w * size; }
void main() {
  vec4 p = view * vec4(place, 1.0);
  vec2 along = pixel(view * vec4(after, 1.0)) - pixel(view * vec4(before, 1.0));
  along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
  p.xy += vec2(-along.y, along.x) * side.x * wide / size * p.w;
  come = side.y - now;
  gl_Position = p;
}`,
  fragment: `uniform vec3 tint; in float come; out vec4 ink; void main() { ink = vec4(tint, 1.0) * (come > 0.0 ? 0.22 : 0.85); }`,
};

// A program with its uniforms and attributes by name.
function programOf(gl, { vertex, fragment }) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, `#version 300 es\nprecision highp float;\n${text}`);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) || "no shader");
    gl.attachShader(program, shader);
  }
  // one place for each attribute in every program, so that they share their corners
  ["place", "normal", "bone", "colour", "before", "after", "side", "corner"].forEach((name, k) => gl.bindAttribLocation(program, k, name));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) || "no program");
  const uniforms = {};
  for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
    const { name } = gl.getActiveUniform(program, k);
    uniforms[name.replace("[0]", "")] = gl.getUniformLocation(program, name);
  }
  return { program, uniforms };
}

// Buffers of numbers, each of so many a corner, under the names of a program's attributes.
function arrayOfCorners(gl, { program }, columns, faces) {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  for (const [name, [values, wide, kind, normalised]] of Object.entries(columns)) {
    const where = gl.getAttribLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    if (where < 0) continue;
    gl.enableVertexAttribArray(where);
    gl.vertexAttribPointer(where, wide, kind, normalised, 0, 0);
  }
  if (faces) {
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, faces, gl.STATIC_DRAW);
  }
  gl.bindVertexArray(null);
  return array;
}

// A picture of so many pixels to draw into and to look things up in.
function canvasOf(gl, size) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, size, size, 0, gl.RED, gl.UNSIGNED_BYTE, null);
  for (const [what, how] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) {
    gl.texParameteri(gl.TEXTURE_2D, what, how);
  }
  const frame = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return { texture, frame };
}
