// A figure: axes, marks, legend with read-out, and the text that stands for it.

const PLOT_HEIGHT = 250;
const EQUAL_HEIGHT = 460; // of figures whose axes have one scale
const PAPER_WIDTH = 680; // of a figure from edge to edge of a sheet, in pixels of 1/96 inch
const plots = [];

class Plot {
  constructor(figure, spec) {
    this.figure = figure;
    this.number = plots.length;
    this.spec = spec;
    this.title = spec.title;
    this.series = spec.marks.filter((mark) => mark.kind !== "rule").map((mark) => seriesOf(mark));
    this.rules = spec.marks.filter((mark) => mark.kind === "rule");
    this.view = { x: null, y: null }; // null: all of it
    this.pointed = null; // x under the pointer or moved there by keys
    this.pointedAcross = null; // y under the pointer
    this.body = element("div", { class: "canvas", tabindex: 0, role: "img", "aria-label": this.sentence() });
    this.live = element("p", { class: "unseen", "aria-live": "polite" });
    this.legend = element("div", { class: "legend", role: "group", "aria-label": "Lines of the figure" });
    this.tools = element("div", { class: "tools" });
    figure.append(this.tools, this.legend, this.body, this.live, this.numbersPart());
    this.fillLegend();
    addTools(this);
    addHands(this);
    if (spec.choose) addChooser(this);
    this.seen = true;
    // what is folded away has no size that an observer would report, but may be saved
    if (figure.closest("details:not([open])")) this.draw();
    new ResizeObserver(() => this.draw()).observe(this.body);
    if (spec.clock) {
      const [low, high] = this.reach("x", this.series);
      clock.cover(low, high);
    }
    if (spec.clock || this.series.some((s) => s.kind === "moving")) {
      new IntersectionObserver((entries) => {
        this.seen = entries.some((entry) => entry.isIntersecting);
        if (this.seen) this.follow();
      }).observe(figure); // its table may be seen without its drawing
      clock.follow(() => this.seen && this.follow());
    }
  }

  layOnPaper(on) {
    this.onPaper = on;
    this.draw();
  }

  get width() {
    if (this.onPaper) return this.figure.classList.contains("wide") ? PAPER_WIDTH : PAPER_WIDTH / 2 - 20;
    // one that is folded away is drawn for whoever saves it, and again when it is seen
    return this.body.clientWidth ? Math.max(Math.round(this.body.clientWidth), 200) : PAPER_WIDTH / 2 - 20;
  }

  get height() {
    return this.spec.equal ? Math.round(Math.min(Math.max(0.8 * this.width, PLOT_HEIGHT), EQUAL_HEIGHT)) : PLOT_HEIGHT;
  }

  shownSeries() {
    return this.series.filter((s) => !s.hidden);
  }

  // The least and greatest value along an axis; within a range of x if one is given.
  reach(axis, series, range = null) {
    let low = Infinity;
    let high = -Infinity;
    const positive = this.spec[axis].scale === "log";
    for (const s of series) {
      const [a, b] = s.reach(axis, range, positive);
      low = Math.min(low, a);
      high = Math.max(high, b);
    }
    return [low, high];
  }

  ranges() {
    const { spec, view } = this;
    const shown = this.shownSeries();
    const some = shown.length ? shown : this.series;
    let x = view.x;
    if (!x) {
      x = this.reach("x", some);
      const dotted = some.some((s) => s.kind === "points" || (s.kind === "line" && s.labels.length));
      if (!spec.clock && (dotted || x[0] === x[1])) x = aired(...x, spec.x.scale);
      x = limited(x[0] <= x[1] ? x : [0, 1], spec.x);
    }
    let y = view.y;
    if (!y) {
      y = this.reach("y", some, view.x);
      for (const rule of this.rules) {
        if (rule.axis === "y" && !view.x) y = [Math.min(y[0], rule.at), Math.max(y[1], rule.at)];
      }
      if (some.some((s) => s.kind === "bars") && spec.y.scale !== "log") y = [Math.min(0, y[0]), Math.max(0, y[1]) * 1.05];
      else if (!some.some((s) => s.kind === "heat")) y = aired(...y, spec.y.scale);
      y = limited(y, spec.y);
    }
    return [x, y];
  }

  draw() {
    const { spec, width, height } = this;
    const flat = height - 34;
    let [xRange, yRange] = this.ranges();
    if (spec.equal) {
      this.body.style.height = `${height}px`;
      yRange = wide(yRange, (flat - 24) * Math.max((yRange[1] - yRange[0]) / (flat - 24), (xRange[1] - xRange[0]) / (width - 92)));
    }
    const probe = makeScale(spec.y.scale, ...yRange, flat, 24);
    const yTicks = ticksOf(probe, spec.y.factor, 5);
    const left = Math.max(34, Math.ceil(10 + Math.max(0, ...yTicks.map((tick) => textWidth(tick.text)))));
    const names = this.categories();
    let right = width - 12;
    let xTicks = [];
    const layAlong = () => {
      if (spec.equal) xRange = wide(xRange, ((right - left) * (yRange[1] - yRange[0])) / (flat - 24));
      this.xScale = makeScale(spec.x.scale, ...xRange, left, right);
      xTicks = names ? names.map((text, k) => ({ value: k, text })) : ticksOf(this.xScale, spec.x.factor, Math.max(2, Math.floor((width - left) / 66)));
    };
    layAlong();
    // the label of the last tick stands under it and needs room beside it
    const ends = xTicks.map((tick) => [this.xScale.at(tick.value), textWidth(tick.text) / 2 + 1]).filter(([x]) => x <= right + 1);
    const beyond = Math.max(0, ...ends.map(([x, half]) => x + half - width));
    if (beyond > 0) {
      right -= Math.ceil(beyond);
      layAlong();
    }
    // over bars the labels of rules have rows of their own; over lines they stand among them
    this.placed = placedRules(this.rules.filter((rule) => rule.axis === "x"), this.xScale, [left, right]);
    const rows = this.series.some((s) => s.kind === "bars") && this.placed.length ? 1 + Math.max(...this.placed.map((each) => each.row)) : 0;
    this.area = { left, right, top: 24 + 15 * rows, bottom: flat };
    this.yScale = makeScale(spec.y.scale, ...yRange, flat, this.area.top);
    this.root = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    this.root.append(this.axes(xTicks, yTicks), this.clipped(), ...this.ruleMarks());
    this.where = svg("text", { class: "where", x: width - 12, y: 12, "text-anchor": "end" });
    this.root.append(this.where);
    this.cursor = svg("g", { class: "cursor" });
    this.hand = svg("g", { class: "hand" });
    this.root.append(this.cursor, this.hand);
    this.body.replaceChildren(this.root);
    this.follow();
  }

  axes(xTicks, yTicks) {
    const { area, spec } = this;
    const group = svg("g", { class: "axes" });
    for (const tick of yTicks) {
      const y = round(this.yScale.at(tick.value));
      group.append(svg("line", { class: "grid", x1: area.left, x2: area.right, y1: y, y2: y }));
      group.append(svg("text", { x: area.left - 7, y: y + 4, "text-anchor": "end" }, tick.text));
    }
    for (const tick of xTicks) {
      const x = round(this.xScale.at(tick.value));
      if (x < area.left - 1 || x > area.right + 1) continue;
      group.append(svg("line", { class: "tick", x1: x, x2: x, y1: area.bottom, y2: area.bottom + 4 }));
      group.append(svg("text", { x, y: area.bottom + 17, "text-anchor": "middle" }, tick.text));
    }
    group.append(svg("line", { class: "base", x1: area.left, x2: area.right, y1: area.bottom, y2: area.bottom }));
    const low = this.yScale.low;
    const high = this.yScale.high;
    if (spec.y.scale !== "log" && low < 0 && high > 0) {
      const zero = round(this.yScale.at(0));
      group.append(svg("line", { class: "zero", x1: area.left, x2: area.right, y1: zero, y2: zero }));
    }
    group.append(svg("text", { class: "name", x: 4, y: 12 }, axisName(spec.y)));
    group.append(svg("text", { class: "name", x: area.right, y: area.bottom + 31, "text-anchor": "end" }, axisName(spec.x)));
    return group;
  }

  clipped() {
    const { area } = this;
    const id = `clip-${this.number}`;
    const clip = svg("clipPath", { id }, svg("rect", { x: area.left, y: area.top - 4, width: Math.max(area.right - area.left, 1), height: area.bottom - area.top + 5 }));
    this.marks = svg("g", { "clip-path": `url(#${id})` });
    this.named = []; // boxes of names already printed
    for (const s of this.shownSeries()) {
      s.node = s.paint(this);
      this.marks.append(s.node);
    }
    return svg("g", {}, clip, this.marks);
  }

  // Lines first: no line crosses out the label of another.
  ruleMarks() {
    const { area } = this;
    const across = this.rules.filter((rule) => rule.axis === "y").map((rule) => ({ rule, at: round(this.yScale.at(rule.at)) }));
    const marks = [
      ...this.placed.map(({ rule, at, left, row }) => {
        const top = 24 + 15 * row;
        return [rule, { x1: at, x2: at, y1: top, y2: area.bottom }, { x: round(left), y: top + 9 }];
      }),
      ...across.filter(({ at }) => at >= area.top && at <= area.bottom).map(({ rule, at }) =>
        [rule, { x1: area.left, x2: area.right, y1: at, y2: at }, { x: area.right - 4, y: at - 5, "text-anchor": "end" }]),
    ];
    const lines = marks.map(([, line]) => svg("line", line));
    return [svg("g", { class: "rule" }, ...lines, ...marks.map(([rule, , place]) => svg("text", place, rule.text)))];
  }

  // Where the read-out stands: under the pointer, else at the clock.
  readingAt() {
    if (this.pointed !== null) return this.pointed;
    return this.spec.clock && clock.running ? clock.time : null;
  }

  // Put cursor, moving lines and read-out where the clock and the pointer are.
  follow() {
    if (!this.root) return;
    for (const s of this.series) if (s.kind === "moving" && !s.hidden && s.node) s.repaint(this);
    const { area } = this;
    this.cursor.replaceChildren();
    if (this.spec.clock && clock.running) {
      const x = this.xScale.at(clock.time);
      if (x >= area.left - 0.5 && x <= area.right + 0.5) this.cursor.append(svg("line", { x1: x, x2: x, y1: area.top - 4, y2: area.bottom }));
    }
    this.read();
    if (this.details.open && this.numberRows) followInNumbers(this);
  }

  read() {
    const { area, spec } = this;
    const at = this.readingAt();
    this.hand.replaceChildren();
    if (at !== null && this.pointed !== null) {
      const x = this.xScale.at(at);
      this.hand.append(svg("line", { x1: x, x2: x, y1: area.top - 4, y2: area.bottom }));
    }
    this.series.forEach((s, k) => {
      const value = at === null || s.hidden ? NaN : s.valueAt(at, this.pointedAcross);
      const text = Number.isFinite(value) ? this.valueText(s, value) : "";
      if (this.values[k].textContent !== text) this.values[k].textContent = text;
      if (Number.isFinite(value) && !["bars", "band", "heat"].includes(s.kind)) {
        const y = this.yScale.at(value);
        if (y >= area.top - 4 && y <= area.bottom + 1) {
          this.hand.append(svg("circle", { class: `dot c${s.colour % 8}`, cx: this.xScale.at(at), cy: y, r: 3.5 }));
        }
      }
    });
    this.where.textContent = at === null ? "" : `${spec.x.label} ${this.placeText(at)}${this.acrossText()}`;
  }

  // A value of a series for the reader: of a heat map in its own unit.
  valueText(s, value) {
    return s.valueText ? s.valueText(value) : withUnit(digits(value / this.spec.y.factor, 4), this.spec.y.shown);
  }

  // Over a heat map a place has a second coordinate.
  acrossText() {
    const { y } = this.spec;
    if (this.pointedAcross === null || !this.series.some((s) => s.kind === "heat")) return "";
    return `, ${y.label} ${withUnit(digits(this.pointedAcross / y.factor, 4), y.shown)}`;
  }

  // The names along x, if it runs over bars with names.
  categories() {
    const named = this.series.find((s) => s.kind === "bars" && s.labels.length);
    return named ? named.labels : null;
  }

  // A place along x for the reader: its number, or the name of the bar there.
  placeText(value) {
    const { factor, shown } = this.spec.x;
    const names = this.categories();
    return names ? names[Math.min(Math.max(Math.round(value), 0), names.length - 1)] : withUnit(digits(value / factor, 4), shown);
  }

  fillLegend() {
    this.values = [];
    for (const s of this.series) {
      const value = element("span", { class: "value" });
      this.values.push(value);
      const button = element("button", { type: "button", "aria-pressed": "true", title: "Show or hide" }, swatch(s), element("span", {}, s.name), value);
      button.onclick = () => {
        s.hidden = !s.hidden;
        button.setAttribute("aria-pressed", String(!s.hidden));
        this.draw();
      };
      this.legend.append(button);
    }
  }

  // The figure in a sentence, for those who do not see it.
  sentence() {
    const { spec } = this;
    const summary = this.series.slice(0, 6).map((s) => {
      if (s.kind === "heat") return s.name;
      const [low, high] = s.reach("y", null, spec.y.scale === "log");
      const text = (v) => withUnit(digits(v / spec.y.factor, 3), spec.y.shown);
      return Number.isFinite(low) && low <= high ? `${s.name} from ${text(low)} to ${text(high)}` : `${s.name} without values`;
    });
    const more = this.series.length > 6 ? ` and ${this.series.length - 6} more` : "";
    return `${spec.title}: ${spec.y.label} versus ${spec.x.label}. ${summary.join("; ")}${more}. Arrow keys move the read-out, plus and minus zoom, 0 shows all${spec.clock ? ", Enter moves the clock" : ""}.`;
  }

  numbersPart() {
    this.details = element("details", { class: "table-of" }, element("summary", {}, "In numbers"));
    this.details.addEventListener("toggle", () => {
      if (!this.details.open) return;
      if (this.numberRows) followInNumbers(this);
      else this.details.append(numbersTable(this));
    });
    return this.details;
  }
}

function round(value) {
  return Math.round(value * 10) / 10;
}

// A range of that length about the same middle.
function wide([low, high], length) {
  return [(low + high - length) / 2, (low + high + length) / 2];
}

function axisName(axis) {
  return axis.shown ? `${axis.label} (${axis.shown})` : axis.label;
}

function limited(range, axis) {
  return [axis.least ?? range[0], axis.most ?? range[1]];
}
