// The moving arm's picture, on a canvas of two dimensions: floor, shadow, rigid ghost, trace, links, joints.

const INSET = 34;

class ArmPicture {
  constructor(canvas, motion) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.motion = motion;
    this.planar = motion.spec.planar;
    this.camera = new Camera(motion.box(), this.planar, motion.spec.solid ? motion.spec.solid.up : undefined);
    this.show = { ghost: true, trace: true };
    this.inks = {};
    this.pixels = new Float64Array(3 * motion.points);
    this.ghosts = new Float64Array(3 * motion.points);
    this.drawnIn = 0;
    this.readInks();
  }

  readInks() {
    const style = getComputedStyle(this.canvas);
    for (const name of ["ink", "muted", "line", "card", "faint", "accent"]) this.inks[name] = style.getPropertyValue(`--${name}`).trim();
    this.inks.links = Array.from({ length: 8 }, (_, k) => style.getPropertyValue(`--c${k}`).trim());
  }

  // What a choice changes besides the line.
  takeChoice() {}

  // Take the size of the canvas on the page, in so many pixels for each of the page's.
  fit(ratio = Math.min(window.devicePixelRatio || 1, 2)) {
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  draw(time) {
    const began = performance.now();
    const { pen, motion, camera } = this;
    if (!this.width) return;
    camera.aim(this.width, this.height, INSET);
    motion.moveTo(time);
    this.projected(motion.bent, this.pixels);
    this.projected(motion.rigid, this.ghosts);
    pen.clearRect(0, 0, this.width, this.height);
    pen.lineCap = pen.lineJoin = "round";
    this.floor();
    if (!this.planar) this.shadow();
    if (this.show.trace) this.trace(time);
    if (this.show.ghost) this.ghost();
    this.base();
    const order = motion.links.map((link, k) => [this.nearness(link), k]).sort((a, b) => a[0] - b[0]);
    for (const [, k] of order) this.link(motion.links[k], k);
    for (const [, k] of order) this.stands(motion.links[k], k);
    this.tip();
    this.triad();
    this.drawnIn = performance.now() - began;
  }

  projected(points, out) {
    const spot = [0, 0, 0];
    for (let k = 0; k < points.length; k += 3) {
      this.camera.project(points[k], points[k + 1], points[k + 2], spot);
      [out[k], out[k + 1], out[k + 2]] = spot;
    }
  }

  nearness(link) {
    let sum = 0;
    for (let p = link.first; p <= link.last; p++) sum += this.pixels[3 * p + 2];
    return sum / (link.last - link.first + 1);
  }

  // A grid of round metres under the arm, with its measure.
  floor() {
    const { pen, camera } = this;
    const { middle, half } = camera;
    const inside = 1.25 * Math.max(half[0], half[1], 0.3 * half[2]);
    // seen from above the grid fills the picture, else it carries the arm
    const full = Math.max(inside, (0.6 * Math.max(this.width, this.height)) / camera.scale);
    const reach = [0, 1].map((r) => (this.planar ? full : Math.max(1.1 * half[r], 0.5 * inside)));
    const power = 10 ** Math.floor(Math.log10(inside / 3));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => inside / s <= 6);
    const floor = this.planar ? 0 : Math.min(0, middle[2] - half[2]);
    const spot = [0, 0, 0];
    const centre = [Math.round(middle[0] / step) * step, Math.round(middle[1] / step) * step];
    const count = reach.map((each) => Math.ceil(each / step));
    pen.lineWidth = 1;
    for (let along = 0; along < 2; along++) {
      for (let k = -count[along]; k <= count[along]; k++) {
        const fixed = centre[along] + k * step;
        const ends = [-1, 1].map((side) => {
          const moving = centre[1 - along] + side * count[1 - along] * step;
          camera.project(along ? moving : fixed, along ? fixed : moving, floor, spot);
          return [spot[0], spot[1]];
        });
        pen.strokeStyle = Math.abs(fixed) < step * 1e-6 ? this.inks.line : this.inks.faint;
        this.polyline(ends);
        pen.stroke();
      }
    }
    this.step = step;
    this.floorHeight = floor;
  }

  polyline(spots) {
    this.pen.beginPath();
    spots.forEach(([x, y], k) => (k ? this.pen.lineTo(x, y) : this.pen.moveTo(x, y)));
  }

  shadow() {
    const { pen, motion, camera } = this;
    const spot = [0, 0, 0];
    pen.strokeStyle = this.inks.ink;
    pen.globalAlpha = 0.1;
    for (const link of motion.links) {
      pen.lineWidth = link.flexible ? 5 : 8;
      pen.beginPath();
      for (let p = link.first; p <= link.last; p++) {
        camera.project(motion.bent[3 * p], motion.bent[3 * p + 1], this.floorHeight, spot);
        if (p === link.first) pen.moveTo(spot[0], spot[1]);
        else pen.lineTo(spot[0], spot[1]);
      }
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  trace(time) {
    const { pen, motion, camera } = this;
    const path = motion.trace();
    const now = indexBelow(motion.times, time);
    const spot = [0, 0, 0];
    const stroke = (from, to, alpha, last) => {
      pen.globalAlpha = alpha;
      pen.beginPath();
      for (let i = from; i <= to; i++) {
        camera.project(path[3 * i], path[3 * i + 1], path[3 * i + 2], spot);
        if (i === from) pen.moveTo(spot[0], spot[1]);
        else pen.lineTo(spot[0], spot[1]);
      }
      if (last) pen.lineTo(this.pixels[3 * motion.spec.traced], this.pixels[3 * motion.spec.traced + 1]);
      pen.stroke();
    };
    pen.strokeStyle = this.inks.accent;
    pen.lineWidth = 1.5;
    stroke(now, motion.frames - 1, 0.22, false);
    stroke(0, now, 0.85, true);
    pen.globalAlpha = 1;
  }

  ghost() {
    const { pen, motion, ghosts } = this;
    pen.strokeStyle = this.inks.muted;
    pen.lineWidth = 1.6;
    pen.setLineDash([6, 5]);
    for (const link of motion.links) {
      this.path(link, ghosts);
      pen.stroke();
    }
    pen.setLineDash([]);
  }

  path(link, spots) {
    const { pen } = this;
    pen.beginPath();
    pen.moveTo(spots[3 * link.first], spots[3 * link.first + 1]);
    // through the middles of the pieces, the points themselves guide the curve
    for (let p = link.first + 1; p < link.last; p++) {
      const [x, y] = [spots[3 * p], spots[3 * p + 1]];
      if (link.flexible && p > link.jointPoint) pen.quadraticCurveTo(x, y, (x + spots[3 * p + 3]) / 2, (y + spots[3 * p + 4]) / 2);
      else pen.lineTo(x, y);
    }
    pen.lineTo(spots[3 * link.last], spots[3 * link.last + 1]);
  }

  // How much thicker things are drawn than at first.
  get grow() {
    return Math.min(Math.max(this.camera.zoom ** 0.4, 0.7), 2) * (this.width < 500 ? 0.8 : 1);
  }

  link(link, k) {
    const { pen, inks, pixels, grow } = this;
    const width = (link.flexible ? 5 : 9) * grow;
    const colour = inks.links[k % 8];
    if (link.last > link.first) {
      this.path(link, pixels);
      pen.strokeStyle = inks.card;
      pen.lineWidth = width + 3;
      pen.stroke();
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.stroke();
      pen.strokeStyle = "#fff";
      pen.globalAlpha = 0.3;
      pen.lineWidth = width * 0.3;
      pen.stroke();
      pen.globalAlpha = 1;
    }
  }

  // What stands on a link: payloads and its joint.
  stands(link, k) {
    const { inks, grow } = this;
    for (const p of link.payloads) this.disc(p, 7.5 * grow, inks.links[k % 8], inks.card);
    if (link.joint !== "fixed") this.joint(link, grow);
  }

  joint(link, grow) {
    const { pen, inks, pixels } = this;
    const p = link.jointPoint;
    if (link.joint === "revolute") this.disc(p, 6 * grow, inks.card, inks.ink, 2.2 * grow);
    else {
      const r = 6 * grow;
      pen.fillStyle = inks.card;
      pen.strokeStyle = inks.ink;
      pen.lineWidth = 2.2 * grow;
      pen.beginPath();
      pen.rect(pixels[3 * p] - r, pixels[3 * p + 1] - r, 2 * r, 2 * r);
      pen.fill();
      pen.stroke();
    }
  }

  disc(p, radius, fill, rim, width = 2) {
    const { pen, pixels } = this;
    pen.beginPath();
    pen.arc(pixels[3 * p], pixels[3 * p + 1], radius, 0, 2 * Math.PI);
    pen.fillStyle = fill;
    pen.fill();
    pen.strokeStyle = rim;
    pen.lineWidth = width;
    pen.stroke();
  }

  base() {
    const { pen, inks } = this;
    const spot = this.camera.project(0, 0, 0, [0, 0, 0]);
    pen.beginPath();
    pen.arc(spot[0], spot[1], 13, 0, 2 * Math.PI);
    pen.globalAlpha = 0.18;
    pen.fillStyle = inks.ink;
    pen.fill();
    pen.globalAlpha = 1;
  }

  tip() {
    this.disc(this.motion.spec.traced, 4, this.inks.accent, this.inks.card, 1.5);
  }

  // The base frame's axes and the measure of the grid, in a corner.
  triad() {
    const { pen, inks, camera } = this;
    const [x, y] = [34, this.height - 34];
    const axes = [[1, 0, 0, "x"], [0, 1, 0, "y"], [0, 0, 1, "z"]];
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (const [a, b, c, name] of axes) {
      const dx = 20 * (a * camera.right[0] + b * camera.right[1] + c * camera.right[2]);
      const dy = -20 * (a * camera.up[0] + b * camera.up[1] + c * camera.up[2]);
      if (Math.hypot(dx, dy) < 4) continue;
      pen.strokeStyle = inks.muted;
      pen.lineWidth = 1.4;
      this.polyline([[x, y], [x + dx, y + dy]]);
      pen.stroke();
      pen.fillStyle = inks.muted;
      pen.fillText(name, x + dx * 1.45, y + dy * 1.45);
    }
    pen.textAlign = "right";
    pen.fillText(`grid ${digits(this.step, 1)} m`, this.width - 14, this.height - 16);
  }
}
