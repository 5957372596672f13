// Where the moving arm is looked at from.

const VIEWS = { top: [-90, 90], front: [-90, 0], side: [0, 0], oblique: [-55, 24] };

// The axes (columns) of a scene whose z axis is to point upward; an arm in the x-y plane is then seen from its z axis.
function sceneAxes(up, planar) {
  const [x, y, z] = up;
  if (Math.abs(z) > 0.99) return [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  if (planar) return [[y, -x, 0], [0, 0, -1], up];
  const f = 1 / (1 + z);
  return [[1 - f * x * x, -f * x * y, -x], [-f * x * y, 1 - f * y * y, -y], up];
}

class Camera {
  constructor(box, planar, up = [0, 0, 1]) {
    this.planar = planar;
    this.axes = sceneAxes(up, planar);
    this.home = planar ? (Math.abs(up[2]) > 0.99 ? "top" : "front") : "oblique";
    this.enclose(box);
    this.reset();
  }

  // Show all of a box.
  enclose(box) {
    this.middle = box.middle;
    this.half = box.half;
    this.size = 2 * Math.hypot(...box.half);
    this.points = box.points; // some of all that the arm passes through
    this.thick = box.thick; // and how thick it is there
    this.measured = null;
  }

  // A direction of the upright scene in the base frame.
  turned(x, y, z) {
    const [a, b, c] = this.axes;
    return [0, 1, 2].map((r) => a[r] * x + b[r] * y + c[r] * z);
  }

  reset() {
    this.look(this.home);
    this.zoom = 1;
    this.shift = [0, 0];
  }

  look(name) {
    const [azimuth, elevation] = VIEWS[name];
    this.azimuth = (azimuth * Math.PI) / 180;
    this.elevation = (elevation * Math.PI) / 180;
    this.view = name;
  }

  orbit(right, up) {
    this.azimuth -= right;
    this.elevation = Math.min(Math.max(this.elevation + up, -Math.PI / 2), Math.PI / 2);
    this.view = null;
  }

  zoomBy(factor) {
    this.zoom = Math.min(Math.max(this.zoom * factor, 0.2), 50);
  }

  pan(right, down) {
    this.shift[0] += right;
    this.shift[1] += down;
  }

  // Fix the projection for a picture of so many pixels.
  aim(width, height, inset) {
    const [ca, sa] = [Math.cos(this.azimuth), Math.sin(this.azimuth)];
    const [ce, se] = [Math.cos(this.elevation), Math.sin(this.elevation)];
    // the eye looks from (ce ca, ce sa, se); right is level, up completes the three
    this.right = this.turned(-sa, ca, 0);
    this.up = this.turned(-se * ca, -se * sa, ce);
    this.toward = this.turned(ce * ca, ce * sa, se);
    this.width = width;
    this.height = height;
    this.distance = 3 * this.size;
    const [left, right, low, high] = this.extents();
    this.scale = (Math.min((width - 2 * inset) / (right - left), (height - 2 * inset) / (high - low)) || 1) * this.zoom;
    this.centre = [(left + right) / 2, (low + high) / 2];
  }

  // How far the motion reaches left, right, down and up in the picture, m; found anew when the view turns.
  extents() {
    const view = [this.azimuth, this.elevation].join();
    if (this.measured && this.measured.view === view) return this.measured.found;
    const found = [Infinity, -Infinity, Infinity, -Infinity];
    const { right, up, middle, points } = this;
    for (let k = 0; k < points.length; k += 3) {
      const [x, y, z] = [points[k] - middle[0], points[k + 1] - middle[1], points[k + 2] - middle[2]];
      const grow = this.growth(x, y, z);
      const across = grow * (x * right[0] + y * right[1] + z * right[2]);
      const upward = grow * (x * up[0] + y * up[1] + z * up[2]);
      found[0] = Math.min(found[0], across);
      found[1] = Math.max(found[1], across);
      found[2] = Math.min(found[2], upward);
      found[3] = Math.max(found[3], upward);
    }
    const least = 0.02 * this.size;
    const room = Math.max(this.thick, least);
    this.measured = { view, found: [found[0] - room, found[1] + room, found[2] - room, found[3] + room] };
    return this.measured.found;
  }

  // How much larger what is nearer looks.
  growth(dx, dy, dz) {
    const near = dx * this.toward[0] + dy * this.toward[1] + dz * this.toward[2];
    return this.distance / Math.max(this.distance - near, 0.05 * this.distance);
  }

  // The same projection as a matrix of columns, for the graphics card; `aim` comes first.
  matrix() {
    const { right, up, toward, middle, distance, scale, width, height, shift, centre } = this;
    // w = 1 - nearness/distance; x w = 2 (shift - scale centre) w/width + 2 scale across/width, y alike
    const [near, far] = [0.2, 8];
    const depth = [(far + near) / (far - near), (-2 * far * near) / (far - near)];
    const rows = [0, 1, 2, 3].map(() => [0, 0, 0, 0]);
    for (let r = 0; r < 3; r++) {
      const w = -toward[r] / distance;
      rows[0][r] = (2 * scale * right[r]) / width + ((2 * (shift[0] - scale * centre[0])) / width) * w;
      rows[1][r] = (2 * scale * up[r]) / height + ((-2 * (shift[1] + scale * centre[1])) / height) * w;
      rows[2][r] = depth[0] * w;
      rows[3][r] = w;
    }
    const ahead = [(2 * (shift[0] - scale * centre[0])) / width, (-2 * (shift[1] + scale * centre[1])) / height, depth[0], 1];
    rows.forEach((row, k) => {
      row[3] = ahead[k] + (k === 2 ? depth[1] : 0) - row[0] * middle[0] - row[1] * middle[1] - row[2] * middle[2];
    });
    return new Float32Array([0, 1, 2, 3].flatMap((c) => rows.map((row) => row[c])));
  }

  // Pixel x, pixel y and nearness of a point (m), written into out.
  project(x, y, z, out) {
    const dx = x - this.middle[0];
    const dy = y - this.middle[1];
    const dz = z - this.middle[2];
    const grow = this.growth(dx, dy, dz);
    const across = grow * (dx * this.right[0] + dy * this.right[1] + dz * this.right[2]) - this.centre[0];
    const upward = grow * (dx * this.up[0] + dy * this.up[1] + dz * this.up[2]) - this.centre[1];
    out[0] = this.width / 2 + this.shift[0] + this.scale * across;
    out[1] = this.height / 2 + this.shift[1] - this.scale * upward;
    out[2] = dx * this.toward[0] + dy * this.toward[1] + dz * this.toward[2];
    return out;
  }
}
