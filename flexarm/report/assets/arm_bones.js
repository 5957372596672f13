// The bones of the solid arm at a time: where every point of its line is and how the section there is turned, as
// flexarm/report/arm/bones.py has it.

// An array kept in 16 bits, as numbers.
function unscaled(packed) {
  return packed ? Float32Array.from(arrayOf(packed.array), (value) => packed.low + packed.step * value) : null;
}

class ArmBones {
  constructor(motion) {
    this.motion = motion;
    this.solid = motion.spec.solid;
    this.count = motion.points + 1;
    this.links = this.solid.spans.length;
    this.axes = new Float64Array(9 * this.count); // columns one after the other
    this.straight = new Float64Array(9 * this.links);
    this.takeTurning(this.solid);
  }

  // Let sections turn and be coloured as this run has it.
  takeTurning(turning) {
    this.turns = unscaled(turning.straight);
    this.twist = unscaled(turning.twist);
    this.stress = unscaled(turning.stress);
    this.known = new Set(turning.stress ? turning.stress.known : []);
    this.greatest = this.stress ? this.stress.reduce((most, value) => Math.max(most, value), 0) : 0;
  }

  // The value of an array with `wide` numbers a frame between the frames in which the motion is; one frame stands for all.
  between(values, wide, k) {
    const { before, after, part } = this.motion;
    const last = values.length / wide - 1;
    return values[Math.min(before, last) * wide + k] * (1 - part) + values[Math.min(after, last) * wide + k] * part;
  }

  // Fill `axes` for a line of points, bent and twisted by the motion's scale or, for the rigid arm, not at all.
  fill(line, bends) {
    const { solid, axes, straight } = this;
    for (let l = 0; l < this.links; l++) this.straighten(l);
    for (const l of solid.order) {
      const [begin, end] = solid.spans[l];
      const reference = straight.subarray(9 * l, 9 * l + 9);
      for (let p = begin; p <= end; p++) {
        const own = axes.subarray(9 * p, 9 * p + 9);
        const tangent = begin < end ? this.tangent(line, p, begin, end) : null;
        if (!tangent) this.follow(l, reference, own);
        else {
          const twist = bends && this.twist ? this.motion.scale * this.between(this.twist, this.motion.points, p) : 0;
          turnOnto(reference, tangent, twist, own);
        }
      }
    }
    const base = 9 * (this.count - 1);
    axes.set([1, 0, 0, 0, 1, 0, 0, 0, 1], base);
    solid.source.forEach((from, p) => {
      if (from !== p) axes.copyWithin(9 * p, from < 0 ? base : 9 * from, (from < 0 ? base : 9 * from) + 9);
    });
  }

  // The axes of an unbent link, from its quaternion.
  straighten(l) {
    const q = [0, 1, 2, 3].map((r) => this.between(this.turns, 4 * this.links, 4 * l + r));
    const size = Math.hypot(...q) || 1;
    const [w, x, y, z] = q.map((part) => part / size);
    this.straight.set([
      1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y),
      2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
      2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y),
    ], 9 * l);
  }

  tangent(line, p, begin, end) {
    const sum = [0, 0, 0];
    for (const [a, b] of [[p - 1, p], [p, p + 1]]) {
      if (a < begin || b > end) continue;
      const step = [0, 1, 2].map((r) => line[3 * b + r] - line[3 * a + r]);
      const length = Math.hypot(...step);
      if (length < 1e-12) return null;
      for (let r = 0; r < 3; r++) sum[r] += step[r] / length;
    }
    const size = Math.hypot(...sum);
    return size > 1e-12 ? sum.map((part) => part / size) : null;
  }

  // A link without length turns with what carries it.
  follow(l, reference, own) {
    const { solid, axes, straight } = this;
    const [carrier, parent] = [solid.carrier[l], solid.parents[l]];
    if (carrier < 0) {
      own.set(reference);
      return;
    }
    for (let c = 0; c < 3; c++) {
      // carrier · straightᵀ · reference, column by column
      const along = [0, 1, 2].map((k) => [0, 1, 2].reduce((sum, r) => sum + straight[9 * parent + 3 * k + r] * reference[3 * c + r], 0));
      for (let r = 0; r < 3; r++) own[3 * c + r] = [0, 1, 2].reduce((sum, k) => sum + axes[9 * carrier + 3 * k + r] * along[k], 0);
    }
  }
}

// Axes turned the shortest way until the first lies along the tangent, then about it by an angle.
function turnOnto(reference, tangent, angle, own) {
  const [a, b, c] = reference;
  const [x, y, z] = tangent;
  const cross = [b * z - c * y, c * x - a * z, a * y - b * x];
  const factor = 1 / Math.max(1 + a * x + b * y + c * z, 1e-6);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const turned = [3, 6].map((k) => {
    const v = reference.slice(k, k + 3);
    const once = [cross[1] * v[2] - cross[2] * v[1], cross[2] * v[0] - cross[0] * v[2], cross[0] * v[1] - cross[1] * v[0]];
    const twice = [cross[1] * once[2] - cross[2] * once[1], cross[2] * once[0] - cross[0] * once[2], cross[0] * once[1] - cross[1] * once[0]];
    return v.map((value, r) => value + once[r] + factor * twice[r]);
  });
  for (let r = 0; r < 3; r++) {
    own[r] = tangent[r];
    own[3 + r] = cos * turned[0][r] + sin * turned[1][r];
    own[6 + r] = cos * turned[1][r] - sin * turned[0][r];
  }
}
