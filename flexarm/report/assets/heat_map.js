// Coloured cells over two axes, with a bar that says which colour is how much.

const HEAT_LEVELS = 32;
// From little to much, distinguishable in grey and by those who see few colours.
const HEAT_ANCHORS = [[68, 1, 84], [65, 68, 135], [42, 120, 142], [34, 168, 132], [122, 209, 81], [253, 231, 37]];

function heatColour(part) {
  const place = Math.min(Math.max(part, 0), 1) * (HEAT_ANCHORS.length - 1);
  const k = Math.min(Math.floor(place), HEAT_ANCHORS.length - 2);
  const mixed = HEAT_ANCHORS[k].map((from, c) => Math.round(from + (HEAT_ANCHORS[k + 1][c] - from) * (place - k)));
  return `rgb(${mixed.join(",")})`;
}

// Where cells about rising places begin and end.
function cellEdges(places) {
  const n = places.length;
  const edges = new Float64Array(n + 1);
  for (let i = 1; i < n; i++) edges[i] = (places[i - 1] + places[i]) / 2;
  const half = n > 1 ? [(places[1] - places[0]) / 2, (places[n - 1] - places[n - 2]) / 2] : [0.5, 0.5];
  edges[0] = places[0] - half[0];
  edges[n] = places[n - 1] + half[1];
  return edges;
}

class HeatSeries extends Series {
  constructor(mark) {
    super(mark);
    this.columnsAt = arrayOf(mark.x);
    this.rowsAt = arrayOf(mark.y);
    this.heights = arrayOf(mark.values);
    this.shown = mark.shown;
    this.factor = mark.factor;
    this.unit = mark.unit;
    [this.low, this.high] = [undefined, undefined];
    this.least = Infinity;
    this.most = -Infinity;
    for (const value of this.heights) {
      if (!Number.isFinite(value)) continue;
      this.least = Math.min(this.least, value);
      this.most = Math.max(this.most, value);
    }
    const n = this.columnsAt.length;
    this.x = Float64Array.from(this.heights, (_, k) => this.columnsAt[k % n]);
    this.y = Float64Array.from(this.heights, (_, k) => this.rowsAt[Math.floor(k / n)]);
    if (this.least <= this.most) this.name += `: ${this.valueText(this.least)} … ${this.valueText(this.most)}`;
  }

  valueText(value) {
    return withUnit(digits(value / this.factor, 4), this.shown);
  }

  columns() {
    return [["x", this.x], ["y", this.y], [this.unit ? `[${this.unit}]` : "value", this.heights]];
  }

  reach(axis) {
    const edges = cellEdges(axis === "x" ? this.columnsAt : this.rowsAt);
    return [edges[0], edges[edges.length - 1]];
  }

  // One path for each colour: thousands of rectangles would make the page slow.
  paint(plot) {
    const xs = Array.from(cellEdges(this.columnsAt), (x) => plot.xScale.at(x));
    const ys = Array.from(cellEdges(this.rowsAt), (y) => plot.yScale.at(y));
    const paths = new Array(HEAT_LEVELS).fill("");
    const span = this.most - this.least || 1;
    const n = this.columnsAt.length;
    this.heights.forEach((value, k) => {
      if (!Number.isFinite(value)) return;
      const level = Math.min(Math.floor(((value - this.least) / span) * HEAT_LEVELS), HEAT_LEVELS - 1);
      const [i, j] = [k % n, Math.floor(k / n)];
      // half a pixel over the edge: no seams between cells
      paths[level] += `M${xs[i].toFixed(1)} ${ys[j].toFixed(1)}H${(xs[i + 1] + 0.5).toFixed(1)}V${(ys[j + 1] - 0.5).toFixed(1)}H${xs[i].toFixed(1)}Z`;
    });
    const group = svg("g", { class: "heat" });
    paths.forEach((d, level) => d && group.append(svg("path", { d, fill: heatColour((level + 0.5) / HEAT_LEVELS), stroke: "none" })));
    return group;
  }

  // The value of the cell under the pointer, which has a height, too.
  valueAt(x, y) {
    if (y === null || y === undefined) return NaN;
    const nearest = (places, at) => Math.min(Math.max(indexBelow(cellEdges(places), at), 0), places.length - 1);
    return this.heights[nearest(this.rowsAt, y) * this.columnsAt.length + nearest(this.columnsAt, x)];
  }
}

function colourBar() {
  const bar = svg("svg", { width: 64, height: 12, "aria-hidden": "true" });
  const group = svg("g", {});
  for (let k = 0; k < HEAT_LEVELS; k++) group.append(svg("rect", { x: 2 * k, y: 1, width: 2.4, height: 10, fill: heatColour((k + 0.5) / HEAT_LEVELS) }));
  bar.append(group);
  return bar;
}
