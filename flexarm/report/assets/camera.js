// Where the moving arm is looked at from.

const VIEWS = { top: [-90, 90], front: [-90, 0], side: [0, 0], oblique: [-55, 24] };

class Camera {
  constructor(box, planar) {
    this.middle = box.middle;
    this.half = box.half;
    this.size = 2 * Math.hypot(...box.half);
    this.planar = planar;
    this.home = planar ? "top" : "oblique";
    this.reset();
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
    this.right = [-sa, ca, 0];
    this.up = [-se * ca, -se * sa, ce];
    this.toward = [ce * ca, ce * sa, se];
    this.width = width;
    this.height = height;
    const [w, h] = this.extents();
    this.scale = (Math.min((width - 2 * inset) / w, (height - 2 * inset) / h) || 1) * this.zoom;
    this.distance = 3 * this.size;
  }

  extents() {
    const along = (axis) => 2 * (Math.abs(axis[0]) * this.half[0] + Math.abs(axis[1]) * this.half[1] + Math.abs(axis[2]) * this.half[2]);
    return [Math.max(along(this.right), 1e-9), Math.max(along(this.up), 1e-9)];
  }

  // Pixel x, pixel y and nearness of a point (m), written into out.
  project(x, y, z, out) {
    const dx = x - this.middle[0];
    const dy = y - this.middle[1];
    const dz = z - this.middle[2];
    const near = dx * this.toward[0] + dy * this.toward[1] + dz * this.toward[2];
    const grow = this.distance / Math.max(this.distance - near, 0.05 * this.distance);
    const scale = this.scale * grow;
    out[0] = this.width / 2 + this.shift[0] + scale * (dx * this.right[0] + dy * this.right[1]);
    out[1] = this.height / 2 + this.shift[1] - scale * (dx * this.up[0] + dy * this.up[1] + dz * this.up[2]);
    out[2] = near;
    return out;
  }
}
