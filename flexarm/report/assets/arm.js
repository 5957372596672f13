// The moving arm's numbers: where every point of its line is at a time, bent and unbent.

class ArmMotion {
  constructor(spec) {
    this.spec = spec;
    this.links = spec.links;
    this.points = spec.points;
    this.frames = spec.frames;
    this.times = arrayOf(spec.times);
    this.corners = arrayOf(spec.corners);
    this.deflections = arrayOf(spec.deflections);
    this.scale = spec.scale;
    this.bent = new Float64Array(3 * this.points);
    this.rigid = new Float64Array(3 * this.points);
    this.between = this.weights(arrayOf(spec.distances));
    clock.cover(this.times[0], this.times[this.frames - 1]);
  }

  // For every point the corners before and after it and how far it is between them.
  weights(distances) {
    const at = this.spec.cornerPoints;
    let k = 0;
    return Array.from({ length: this.points }, (_, j) => {
      while (k + 1 < at.length && at[k + 1] <= j) k++;
      if (at[k] === j || k + 1 >= at.length) return [k, k, 0];
      const span = distances[at[k + 1]] - distances[at[k]];
      return [k, k + 1, span ? (distances[j] - distances[at[k]]) / span : 0];
    });
  }

  // Fill `bent` and `rigid` for a time, straight between frames.
  moveTo(time) {
    const i = indexBelow(this.times, time);
    const j = Math.min(i + 1, this.frames - 1);
    const span = this.times[j] - this.times[i];
    const part = span > 0 ? Math.min(Math.max((time - this.times[i]) / span, 0), 1) : 0;
    [this.before, this.after, this.part] = [i, j, part];
    this.fill(i, j, part, this.bent, this.rigid);
  }

  fill(i, j, part, bent, rigid) {
    const { corners, deflections, points, scale } = this;
    const wide = 3 * this.spec.cornerPoints.length;
    for (let p = 0; p < points; p++) {
      const [a, b, along] = this.between[p];
      for (let r = 0; r < 3; r++) {
        const [begin, end] = [3 * a + r, 3 * b + r];
        const before = corners[i * wide + begin] * (1 - along) + corners[i * wide + end] * along;
        const after = corners[j * wide + begin] * (1 - along) + corners[j * wide + end] * along;
        const still = before * (1 - part) + after * part;
        const k = 3 * p + r;
        rigid[k] = still;
        bent[k] = still + scale * (deflections[3 * i * points + k] * (1 - part) + deflections[3 * j * points + k] * part);
      }
    }
  }

  // The path of the traced point over all frames (frames × 3), as it is drawn.
  trace() {
    if (this.traced && this.tracedScale === this.scale) return this.traced;
    const p = this.spec.traced;
    const [a, b, along] = this.between[p];
    const c = this.spec.cornerPoints.length;
    this.traced = new Float64Array(3 * this.frames);
    for (let i = 0; i < this.frames; i++) {
      for (let r = 0; r < 3; r++) {
        const still = this.corners[3 * (i * c + a) + r] * (1 - along) + this.corners[3 * (i * c + b) + r] * along;
        this.traced[3 * i + r] = still + this.scale * this.deflections[3 * (i * this.points + p) + r];
      }
    }
    this.tracedScale = this.scale;
    return this.traced;
  }

  // The box around all of the motion as it is drawn: its middle and half its extents.
  box() {
    // room for how thick things are
    const thick = this.spec.solid ? this.spec.solid.thick : 0;
    const low = [0, 0, 0];
    const high = [0, 0, 0];
    const every = Math.max(1, Math.floor(this.frames / 100));
    const points = [0, 0, 0];
    const bent = new Float64Array(3 * this.points);
    const rigid = new Float64Array(3 * this.points);
    for (let i = 0; i < this.frames; i += every) {
      this.fill(i, i, 0, bent, rigid);
      for (let k = 0; k < bent.length; k++) {
        const r = k % 3;
        low[r] = Math.min(low[r], bent[k], rigid[k]);
        high[r] = Math.max(high[r], bent[k], rigid[k]);
      }
      for (const link of this.links) for (const p of [link.first, link.jointPoint, link.last]) points.push(...bent.subarray(3 * p, 3 * p + 3), ...rigid.subarray(3 * p, 3 * p + 3));
    }
    const most = Math.max(...high.map((v, r) => v - low[r])) || 1;
    return {
      middle: low.map((v, r) => (v + high[r]) / 2),
      half: low.map((v, r) => Math.max((high[r] - v) / 2 + thick, 0.02 * most)),
      low,
      high,
      points,
      thick,
    };
  }
}
