// The solid arm in a lit scene, by WebGL2; what is written on it is written on the same canvas as the flat picture's.

const SHADOW_PIXELS = 256;
// While it plays, a picture that takes longer than this (ms) is drawn coarser, down to half its pixels each way.
const SLOW = 30;
const COARSEST = 0.5;

class ArmScene extends ArmPicture {
  constructor(canvas, motion) {
    super(canvas, motion);
    this.surface = document.createElement("canvas");
    const gl = this.surface.getContext("webgl2", { alpha: true, antialias: true, premultipliedAlpha: true });
    if (!gl) throw new Error("there is no WebGL2");
    this.gl = gl;
    this.bones = new ArmBones(motion);
    this.rows = new Float32Array(16 * this.bones.count);
    this.colouring = null; // "stress", "deflection" or null
    this.programs = { surface: programOf(gl, SURFACE), shade: programOf(gl, SHADE), blur: programOf(gl, BLUR), ground: programOf(gl, GROUND), path: programOf(gl, PATH) };
    this.shadows = [canvasOf(gl, SHADOW_PIXELS), canvasOf(gl, SHADOW_PIXELS)];
    this.square = arrayOfCorners(gl, this.programs.blur, { corner: [new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), 2, gl.FLOAT, false] });
    this.texture = gl.createTexture();
    this.buildMesh();
    this.fixSun();
  }

  // The light stands still, over the left shoulder of who looks from the first view.
  fixSun() {
    const { camera } = this;
    camera.reset();
    camera.aim(100, 100, 0);
    const { up } = this.motion.spec.solid;
    const away = camera.toward.map((part, r) => 0.75 * part - 0.5 * camera.right[r] + 1.15 * up[r] + 0.25 * camera.up[r]);
    const size = Math.hypot(...away);
    this.sun = away.map((part) => part / size);
    this.upward = up;
  }

  buildMesh() {
    const { gl } = this;
    const { solid } = this.motion.spec;
    const painted = (loft) => [...(loft.group === "beam" ? this.linkColour(loft.link) : solid.materials[loft.group]), loft.group === "beam" ? 255 : 0];
    const mesh = tessellate(solid, painted);
    this.mesh = mesh;
    this.corners = arrayOfCorners(gl, this.programs.surface, {
      place: [mesh.places, 3, gl.FLOAT, false],
      normal: [mesh.normals, 3, gl.FLOAT, false],
      bone: [mesh.bones, 1, gl.UNSIGNED_SHORT, false],
      colour: [mesh.colours, 4, gl.UNSIGNED_BYTE, true],
    }, mesh.faces);
    this.kind = mesh.faces instanceof Uint16Array ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT;
  }

  linkColour(k) {
    return numbersOf(this.inks.links[k % 8]);
  }

  takeChoice(choice) {
    if (choice.turning) this.bones.takeTurning(choice.turning);
    if (choice.taken) this.bones.twist = choice.turning ? this.bones.twist : choice.taken.twist || null;
    this.tracedFor = null;
  }

  // What colours can show of this arm.
  colourings() {
    const found = [];
    if (this.bones.stress && this.bones.greatest > 0) found.push(["stress", "Bending stress"]);
    if (this.motion.spec.bends) found.push(["deflection", "Deflection"]);
    return found;
  }

  fit(ratio) {
    super.fit(ratio);
    this.setFineness(1);
  }

  // Draw with so many pixels for each of the canvas.
  setFineness(fineness) {
    const size = [this.canvas.width, this.canvas.height].map((each) => Math.max(Math.round(each * fineness), 1));
    this.fineness = fineness;
    if (this.surface.width === size[0] && this.surface.height === size[1]) return;
    [this.surface.width, this.surface.height] = size;
  }

  draw(time) {
    const began = performance.now();
    const { pen, motion, camera } = this;
    if (!this.width) return;
    if (!clock.playing) this.setFineness(1);
    else if (this.drawnIn > SLOW && this.fineness > COARSEST) this.setFineness(Math.max(0.8 * this.fineness, COARSEST));
    camera.aim(this.width, this.height, INSET);
    motion.moveTo(time);
    this.projected(motion.bent, this.pixels);
    this.layGround();
    this.render(time);
    pen.clearRect(0, 0, this.width, this.height);
    pen.drawImage(this.surface, 0, 0, this.width, this.height);
    this.tip();
    this.triad();
    this.scaleBar();
    this.drawnIn = performance.now() - began;
  }

  // Where the ground is, how far it reaches, and what of it a shadow can fall on.
  layGround() {
    const { camera, upward: up, motion } = this;
    const { solid } = motion.spec;
    // an arm that stays above its base stands on the ground, else the ground is below all it does
    const lowest = dot(camera.middle, up) - boxReach(camera.half, up) + solid.thick;
    this.level = lowest > -1e-6 * camera.size ? Math.min(solid.foot, -1.2 * solid.thin) : Math.min(solid.foot, lowest - solid.thick);
    const [along, aside] = camera.axes;
    const under = camera.middle.map((part, r) => part + up[r] * (this.level - dot(camera.middle, up)));
    const inside = 1.25 * Math.max(boxReach(camera.half, along), boxReach(camera.half, aside), 0.3 * boxReach(camera.half, up));
    const power = 10 ** Math.floor(Math.log10(inside / 3));
    this.step = [1, 2, 5, 10].map((m) => m * power).find((s) => inside / s <= 8);
    const slope = [along, aside].map((way) => dot(this.sun, way) / dot(this.sun, up));
    const tall = 2 * boxReach(camera.half, up) + Math.max(0, lowest - this.level);
    // the shadow falls away from the light by as much as the arm is tall
    this.frame = [along, aside].map((way, k) => {
      const reach = boxReach(camera.half, way) + 0.5 * tall * Math.abs(slope[k]) + 0.08 * camera.size;
      const middle = dot(under, way) - 0.5 * tall * slope[k];
      return [...way.map((part) => part / reach), -middle / reach];
    });
    this.ground = { along, aside, under, reach: 2.6 * camera.size };
  }

  // Put the bones of a line into the texture, each with the value by which it is coloured.
  poseBones(line, bends) {
    const { gl, bones, rows, motion } = this;
    bones.fill(line, bends);
    for (let b = 0; b < bones.count; b++) {
      const last = b === bones.count - 1;
      for (let r = 0; r < 3; r++) rows[16 * b + r] = last ? 0 : line[3 * b + r];
      rows[16 * b + 3] = last || !bends ? -1 : this.valueAt(b, motion);
      for (let c = 0; c < 3; c++) for (let r = 0; r < 3; r++) rows[16 * b + 4 * (c + 1) + r] = bones.axes[9 * b + 3 * c + r];
    }
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 4, bones.count, 0, gl.RGBA, gl.FLOAT, rows);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  // The part of the greatest value a point has, -1 where there is none.
  valueAt(p, motion) {
    if (this.colouring === "stress") return this.bones.known.has(p) ? this.bones.between(this.bones.stress, motion.points, p) / this.bones.greatest : -1;
    if (this.colouring !== "deflection") return -1;
    const away = Math.hypot(...[0, 1, 2].map((r) => motion.bent[3 * p + r] - motion.rigid[3 * p + r]));
    return away / (this.greatestDeflection() * motion.scale);
  }

  greatestDeflection() {
    const { motion } = this;
    if (this.measured !== motion.deflections) {
      this.measured = motion.deflections;
      this.deflected = 0;
      for (let k = 0; k < motion.deflections.length; k += 3) this.deflected = Math.max(this.deflected, Math.hypot(motion.deflections[k], motion.deflections[k + 1], motion.deflections[k + 2]));
    }
    return this.deflected || 1;
  }

  render(time) {
    const { gl, motion, programs } = this;
    const view = this.camera.matrix();
    gl.disable(gl.BLEND);
    this.poseBones(motion.bent, true);
    this.castShadow();
    gl.viewport(0, 0, this.surface.width, this.surface.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.drawGround(view);
    if (this.show.ghost) {
      this.drawGhost(view);
      this.poseBones(motion.bent, true);
    }
    this.use(programs.surface, { view, solid: 1 });
    this.lights(programs.surface);
    this.drawMesh();
    if (this.show.trace && motion.frames > 1) this.drawTrace(view, time);
    gl.disable(gl.BLEND);
  }

  use({ program, uniforms }, values) {
    const { gl } = this;
    gl.useProgram(program);
    for (const [name, value] of Object.entries(values)) {
      const where = uniforms[name];
      if (where === undefined) continue;
      if (value.length === 16) gl.uniformMatrix4fv(where, false, value);
      else if (typeof value === "number") gl.uniform1f(where, value);
      else gl[`uniform${value.length}fv`](where, value);
    }
  }

  lights({ uniforms }) {
    const { gl, camera } = this;
    gl.uniform3fv(uniforms.eye, camera.middle.map((part, r) => part + camera.distance * camera.toward[r]));
    gl.uniform3fv(uniforms.sun, this.sun);
    gl.uniform3fv(uniforms.up, this.upward);
    gl.uniform3fv(uniforms.map, HEAT_ANCHORS.flat().map((part) => part / 255));
    gl.uniform1i(uniforms.bones, 0);
  }

  // The arm's surfaces as far as the last of a group.
  drawMesh(group = "trim") {
    const { gl } = this;
    gl.enable(gl.CULL_FACE);
    gl.bindVertexArray(this.corners);
    gl.drawElements(gl.TRIANGLES, this.mesh.upTo[group], this.kind, 0);
    gl.disable(gl.CULL_FACE);
  }

  castShadow() {
    const { gl, programs, shadows } = this;
    gl.viewport(0, 0, SHADOW_PIXELS, SHADOW_PIXELS);
    gl.disable(gl.DEPTH_TEST);
    gl.clearColor(0, 0, 0, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, shadows[0].frame);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendEquation(gl.MAX);
    this.use(programs.shade, { across: this.frame[0], beside: this.frame[1], sun: this.sun, up: this.upward, level: this.level, fade: 2.2 / this.camera.size });
    gl.uniform1i(programs.shade.uniforms.bones, 0);
    this.drawMesh("joint");
    gl.blendEquation(gl.FUNC_ADD);
    gl.disable(gl.BLEND);
    gl.bindVertexArray(this.square);
    gl.activeTexture(gl.TEXTURE1);
    [[0, 1, [1, 0]], [1, 0, [0, 1]]].forEach(([from, to, way]) => {
      gl.bindFramebuffer(gl.FRAMEBUFFER, shadows[to].frame);
      gl.bindTexture(gl.TEXTURE_2D, shadows[from].texture);
      this.use(programs.blur, { stride: way.map((part) => (1.3 * part) / SHADOW_PIXELS) });
      gl.uniform1i(programs.blur.uniforms.picture, 1);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    });
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  drawGround(view) {
    const { gl, programs, ground, inks, camera } = this;
    const under = dot(camera.toward, this.upward) < -0.02;
    this.use(programs.ground, {
      view,
      centre: ground.under,
      along: ground.along,
      aside: ground.aside,
      reach: ground.reach,
      across: this.frame[0],
      beside: this.frame[1],
      line: numbersOf(inks.line).map((part) => part / 255),
      shade: isDark() ? [0, 0, 0] : [0.16, 0.2, 0.26],
      origin: [-dot(ground.under, ground.along), -dot(ground.under, ground.aside)],
      step: this.step,
      dark: under ? 0 : isDark() ? 0.62 : 0.36,
    });
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.shadows[0].texture);
    gl.uniform1i(programs.ground.uniforms.picture, 1);
    gl.depthMask(false);
    gl.bindVertexArray(this.square);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.depthMask(true);
  }

  // The rigid arm as a shadow of itself: only its nearest surface, and behind the arm itself wherever that is.
  drawGhost(view) {
    const { gl, programs, inks } = this;
    this.poseBones(this.motion.rigid, false);
    this.use(programs.surface, { view, solid: 0.34, ghost: numbersOf(inks.muted).map((part) => part / 255) });
    this.lights(programs.surface);
    gl.colorMask(false, false, false, false);
    this.drawMesh("payload");
    gl.colorMask(true, true, true, true);
    this.drawMesh("payload");
    gl.clear(gl.DEPTH_BUFFER_BIT);
  }

  drawTrace(view, time) {
    const { gl, motion, programs } = this;
    this.layTrace();
    const now = indexBelow(motion.times, time);
    this.use(programs.path, { view, size: [this.width / 2, this.height / 2], wide: 0.9, now: now + motion.part, tint: numbersOf(this.inks.accent).map((part) => part / 255) });
    gl.depthMask(false);
    gl.bindVertexArray(this.track);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 2 * motion.frames);
    gl.depthMask(true);
  }

  // The buffers of the path, anew when it is drawn otherwise.
  layTrace() {
    const { gl, motion } = this;
    const path = motion.trace();
    if (this.tracedFor === path) return;
    this.tracedFor = path;
    const columns = { before: [], place: [], after: [], side: [] };
    const at = (i) => path.subarray(3 * i, 3 * i + 3);
    for (let i = 0; i < motion.frames; i++) {
      for (const edge of [-1, 1]) {
        columns.before.push(...at(Math.max(i - 1, 0)));
        columns.place.push(...at(i));
        columns.after.push(...at(Math.min(i + 1, motion.frames - 1)));
        columns.side.push(edge, i);
      }
    }
    const packed = Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, [Float32Array.from(values), name === "side" ? 2 : 3, gl.FLOAT, false]]));
    this.track = arrayOfCorners(gl, this.programs.path, packed);
  }

  // Which colour is how much, at the lower edge.
  scaleBar() {
    if (!this.colouring) return;
    const { pen, inks } = this;
    const wide = Math.min(220, 0.4 * this.width);
    const [x, y] = [this.width / 2 - wide / 2, this.height - 26];
    const paint = pen.createLinearGradient(x, 0, x + wide, 0);
    HEAT_ANCHORS.forEach((colour, k) => paint.addColorStop(k / (HEAT_ANCHORS.length - 1), `rgb(${colour})`));
    pen.fillStyle = paint;
    pen.fillRect(x, y, wide, 8);
    pen.strokeStyle = inks.line;
    pen.lineWidth = 1;
    pen.strokeRect(x, y, wide, 8);
    const stressed = this.colouring === "stress";
    const most = stressed ? this.bones.greatest : this.greatestDeflection();
    pen.fillStyle = inks.muted;
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "alphabetic";
    pen.textAlign = "center";
    pen.fillText(stressed ? "largest bending stress of the section" : periodic ? "amplitude" : "deflection", this.width / 2, y - 6);
    pen.textAlign = "left";
    pen.fillText("0", x, y + 20);
    pen.textAlign = "right";
    pen.fillText(periodic ? "largest" : prefixed(most, stressed ? "Pa" : "m"), x + wide, y + 20);
  }
}

function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// How far a box of these halves reaches along a direction.
function boxReach(half, way) {
  return half.reduce((sum, part, r) => sum + part * Math.abs(way[r]), 0);
}

// Red, green and blue of a colour such as #7a3fb0.
function numbersOf(colour) {
  const text = colour.replace("#", "");
  const whole = text.length === 3 ? [...text].map((c) => c + c).join("") : text;
  return [0, 2, 4].map((k) => parseInt(whole.slice(k, k + 2), 16));
}

// A number with three digits and a prefix on its unit.
function prefixed(value, unit) {
  const steps = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];
  const [size, prefix] = steps.find(([each]) => value >= each) || steps[steps.length - 1];
  return `${digits(value / size, 3)} ${prefix}${unit}`;
}

// The lit scene where the arm's looks are known and the browser can draw it, else the flat picture.
function pictureOf(canvas, motion) {
  if (motion.spec.solid) {
    try {
      return new ArmScene(canvas, motion);
    } catch (error) {
      window.flexarm.flat = String(error.message);
    }
  }
  return new ArmPicture(canvas, motion);
}
