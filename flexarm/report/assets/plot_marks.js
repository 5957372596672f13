// What a figure can show: lines, bands, points, bars, and lines that follow the clock. Heat maps have a file of their own.

const MANY = 400; // points that are too many to be listed one by one
const DASHES = { solid: "", dashed: "7 4", dotted: "1.5 3.5" };

class Series {
  constructor(mark) {
    Object.assign(this, { kind: mark.kind, name: mark.name, colour: mark.colour, dash: mark.dash || "solid", labels: mark.labels || [], hidden: false });
  }

  get style() {
    return `c${this.colour % 8}`;
  }
}

class LineSeries extends Series {
  constructor(mark) {
    super(mark);
    this.x = arrayOf(mark.x);
    this.y = arrayOf(mark.y);
    this.ordered = rising(this.x);
    this.names = mark.names || []; // printed beside points
  }

  columns() {
    return [["x", this.x], ["y", this.y]];
  }

  reach(axis, range, positive) {
    return extent(axis === "x" ? this.x : this.y, axis === "y" && range ? this.x : null, range, positive, this.ordered);
  }

  paint(plot) {
    const path = this.ordered && this.kind === "line" ? thinPath(plot, this.x, this.y) : plainPath(plot, this.x, this.y);
    const line = svg("path", { class: `line ${this.style}`, d: path, "stroke-dasharray": DASHES[this.dash] });
    return this.labels.length ? svg("g", {}, line, this.dots(plot, 3.6)) : line;
  }

  dots(plot, size) {
    const group = svg("g", { class: `points ${this.style}` });
    for (let i = 0; i < this.x.length; i++) {
      if (!Number.isFinite(this.y[i])) continue;
      const dot = svg("circle", { cx: round(plot.xScale.at(this.x[i])), cy: round(plot.yScale.at(this.y[i])), r: size });
      if (this.labels[i]) dot.append(svg("title", {}, this.labels[i]));
      group.append(dot);
    }
    return group;
  }

  valueAt(x) {
    return this.ordered ? valueAt(this.x, this.y, x) : NaN;
  }
}

class PointSeries extends LineSeries {
  paint(plot) {
    if (this.x.length > MANY) {
      // one path of dots: thousands of circles would make the page slow
      let path = "";
      for (let i = 0; i < this.x.length; i++) {
        if (Number.isFinite(this.y[i])) path += `M${plot.xScale.at(this.x[i]).toFixed(1)} ${plot.yScale.at(this.y[i]).toFixed(1)}h0`;
      }
      return svg("path", { class: `dots ${this.style}`, d: path, "stroke-width": this.x.length > 1500 ? 3 : 4.4 });
    }
    const group = this.dots(plot, 3.6);
    this.names.forEach((name, i) => {
      if (Number.isFinite(this.y[i])) group.append(nameBeside(plot, plot.xScale.at(this.x[i]), plot.yScale.at(this.y[i]), name));
    });
    return group;
  }

  // The nearest point, if it is near.
  valueAt(x) {
    let best = NaN;
    let nearest = Infinity;
    for (let i = 0; i < this.x.length; i++) {
      const away = Math.abs(this.x[i] - x);
      if (away < nearest) [nearest, best] = [away, this.y[i]];
    }
    return this.x.length <= MANY ? best : NaN;
  }
}

class BandSeries extends Series {
  constructor(mark) {
    super(mark);
    this.x = arrayOf(mark.x);
    this.low = arrayOf(mark.low);
    this.high = arrayOf(mark.high);
  }

  columns() {
    return [["x", this.x], ["low", this.low], ["high", this.high]];
  }

  reach(axis, range, positive) {
    if (axis === "x") return extent(this.x, null, null, positive, true);
    const [a] = extent(this.low, range ? this.x : null, range, positive, true);
    const [, b] = extent(this.high, range ? this.x : null, range, positive, true);
    return [a, b];
  }

  paint(plot) {
    const up = plainPath(plot, this.x, this.high);
    const down = plainPath(plot, Array.from(this.x).reverse(), Array.from(this.low).reverse());
    return svg("path", { class: `band ${this.style}`, d: `${up}${down.replace(/^M/, "L")}Z` });
  }

  valueAt() {
    return NaN;
  }
}

class BarSeries extends Series {
  constructor(mark) {
    super(mark);
    this.heights = arrayOf(mark.heights);
    this.edges = arrayOf(mark.edges);
  }

  columns() {
    return [["from", this.edges.slice(0, -1)], ["to", this.edges.slice(1)], ["height", this.heights]];
  }

  reach(axis, range, positive) {
    return extent(axis === "x" ? this.edges : this.heights, null, null, positive, true);
  }

  paint(plot) {
    const group = svg("g", { class: `bars ${this.style}` });
    const beside = plot.series.filter((s) => s.kind === "bars" && !s.hidden);
    const named = this.labels.length > 0;
    const place = named ? beside.indexOf(this) : 0;
    const share = named ? beside.length : 1;
    const foot = plot.spec.y.scale === "log" ? plot.area.bottom : plot.yScale.at(0);
    this.heights.forEach((height, k) => {
      let from = plot.xScale.at(this.edges[k]);
      let to = plot.xScale.at(this.edges[k + 1]);
      if (named) {
        const gap = 0.14 * (to - from);
        const width = (to - from - 2 * gap) / share;
        from += gap + place * width;
        to = from + width * 0.94;
      }
      const top = plot.yScale.at(height);
      const bar = svg("rect", { x: round(from), width: Math.max(round(to - from) - (named ? 0 : 1), 1), y: round(Math.min(top, foot)), height: Math.max(Math.abs(round(top - foot)), 0.5) });
      bar.append(svg("title", {}, `${this.labels[k] ?? this.name}: ${withUnit(digits(height / plot.spec.y.factor, 4), plot.spec.y.shown)}`));
      group.append(bar);
    });
    return group;
  }

  valueAt(x) {
    if (x < this.edges[0] || x > this.edges[this.edges.length - 1]) return NaN;
    return this.heights[Math.min(indexBelow(this.edges, x), this.heights.length - 1)];
  }
}

class MovingSeries extends Series {
  constructor(mark) {
    super(mark);
    this.x = arrayOf(mark.x);
    this.all = arrayOf(mark.values);
    this.times = arrayOf(mark.times);
    clock.cover(this.times[0], this.times[this.times.length - 1]);
  }

  // The line at the clock's time, straight between frames.
  get y() {
    const n = this.x.length;
    const i = indexBelow(this.times, clock.time);
    const j = Math.min(i + 1, this.times.length - 1);
    const span = this.times[j] - this.times[i];
    const part = span > 0 ? Math.min(Math.max((clock.time - this.times[i]) / span, 0), 1) : 0;
    return Float64Array.from(this.x, (_, k) => this.all[i * n + k] * (1 - part) + this.all[j * n + k] * part);
  }

  columns() {
    return [["x", this.x], [`at ${digits(clock.time, 5)} s`, this.y]];
  }

  reach(axis, range, positive) {
    return extent(axis === "x" ? this.x : this.all, null, null, positive, true);
  }

  paint(plot) {
    return svg("path", { class: `line moving ${this.style}`, d: plainPath(plot, this.x, this.y) });
  }

  repaint(plot) {
    this.node.setAttribute("d", plainPath(plot, this.x, this.y));
  }

  valueAt(x) {
    return valueAt(this.x, this.y, x);
  }
}

function seriesOf(mark) {
  const kinds = { line: LineSeries, points: PointSeries, band: BandSeries, bars: BarSeries, moving: MovingSeries, heat: HeatSeries };
  return new kinds[mark.kind](mark);
}

// Least and greatest finite value, of those whose partner x lies in the range if one is given.
function extent(values, partners, range, positive, ordered) {
  let low = Infinity;
  let high = -Infinity;
  let begin = 0;
  let end = values.length;
  if (partners && range && ordered) {
    begin = Math.max(0, indexBelow(partners, range[0]));
    end = Math.min(values.length, indexBelow(partners, range[1]) + 2);
  }
  for (let i = begin; i < end; i++) {
    const v = values[i];
    if (!Number.isFinite(v) || (positive && v <= 0)) continue;
    if (partners && range && !ordered && (partners[i] < range[0] || partners[i] > range[1])) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return [low, high];
}

function plainPath(plot, xs, ys) {
  let path = "";
  let pen = "M";
  for (let i = 0; i < xs.length; i++) {
    const y = plot.yScale.at(ys[i]);
    const x = plot.xScale.at(xs[i]);
    if (!Number.isFinite(y) || !Number.isFinite(x)) {
      pen = "M";
      continue;
    }
    path += `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
    pen = "L";
  }
  return path;
}

// The path of a line with many samples: per column of pixels its first, least, greatest and last.
function thinPath(plot, xs, ys) {
  const { xScale, yScale } = plot;
  const first = Math.max(0, indexBelow(xs, xScale.low));
  const last = Math.min(xs.length - 1, indexBelow(xs, xScale.high) + 1);
  if (last - first < 3 * (xScale.to - xScale.from)) return plainPath(plot, xs.subarray(first, last + 1), ys.subarray(first, last + 1));
  const picked = [];
  let column = null;
  let least = first;
  let most = first;
  let opened = first;
  const close = (end) => {
    for (const k of [...new Set([opened, least, most, end])].sort((a, b) => a - b)) picked.push(k);
  };
  for (let i = first; i <= last; i++) {
    const here = Math.floor(xScale.at(xs[i]));
    if (here !== column || !Number.isFinite(ys[i])) {
      if (column !== null) close(i - 1);
      [column, opened, least, most] = [here, i, i, i];
    } else {
      if (ys[i] < ys[least]) least = i;
      if (ys[i] > ys[most]) most = i;
    }
  }
  close(last);
  return plainPath(plot, picked.map((k) => xs[k]), picked.map((k) => ys[k]));
}

// A name beside a point, where it prints over no other and stays inside if that can be.
function nameBeside(plot, x, y, name) {
  const wide = textWidth(name);
  const places = [[7, 4], [-7 - wide, 4], [7, -8], [7, 15], [-7 - wide, -8], [-7 - wide, 15]].map(([dx, dy]) => [x + dx, y + dy]);
  const free = ([left, foot]) => left >= plot.area.left && left + wide <= plot.area.right + 8 && foot - 8 >= plot.area.top - 4
    && plot.named.every((box) => left > box[0] + box[2] || left + wide < box[0] || Math.abs(foot - box[1]) > 11);
  const [left, foot] = places.find(free) ?? places[0];
  plot.named.push([left, foot, wide]);
  return svg("text", { x: round(left), y: round(foot) }, name);
}

// Rules along x with places for their labels: { rule, at, left, row }, the label's left edge and how far down it stands.
// A label prints over no other, and over no line of another rule if that can be: a line begins at its own label's row.
function placedRules(rules, scale, [from, to]) {
  const placed = [];
  const kept = rules.map((rule) => ({ rule, at: round(scale.at(rule.at)), wide: textWidth(rule.text) })).filter(({ at }) => at >= from && at <= to);
  kept.sort((a, b) => b.wide - a.wide); // the widest is the hardest to place
  for (const each of kept) {
    const sides = [each.at + 5, each.at - 5 - each.wide];
    if (each.at > (from + to) / 2) sides.reverse();
    const free = (left, row, crossing) => placed.every((other) => {
      const apart = left > other.left + other.wide + 6 || left + each.wide + 6 < other.left;
      const through = (line, begin, wide) => line > begin - 3 && line < begin + wide + 3;
      if (other.row === row && !apart) return false;
      if (crossing) return true;
      return !(other.row <= row && through(other.at, left, each.wide)) && !(other.row >= row && through(each.at, other.left, other.wide));
    });
    const inside = (left) => left >= from && left + each.wide <= to + 8;
    const rows = Array.from({ length: each.wide ? placed.length + 1 : 1 }, (_, row) => row);
    const places = rows.flatMap((row) => sides.map((left) => [left, row])).sort((a, b) => inside(b[0]) - inside(a[0]));
    [each.left, each.row] = places.find(([left, row]) => inside(left) && free(left, row, false)) ?? places.find(([left, row]) => free(left, row, true)) ?? [sides[0], 0];
    placed.push(each);
  }
  return placed;
}

function swatch(s) {
  if (s.kind === "heat") return colourBar();
  const mark = s.kind === "band" || s.kind === "bars"
    ? svg("rect", { class: `${s.kind} ${s.style}`, x: 2, y: 2, width: 18, height: 8 })
    : s.kind === "points"
      ? svg("circle", { class: `points ${s.style}`, cx: 11, cy: 6, r: 3.5 })
      : svg("line", { class: `line ${s.style}`, x1: 1, x2: 21, y1: 6, y2: 6, "stroke-dasharray": DASHES[s.dash] });
  return svg("svg", { width: 22, height: 12, "aria-hidden": "true" }, mark);
}
