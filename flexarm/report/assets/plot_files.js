// What a figure can be saved as: its numbers, a drawing, a picture.

function addTools(plot) {
  const button = (text, title, call) => {
    const made = element("button", { type: "button", title, "aria-label": `${title}: ${plot.title}` }, text);
    made.onclick = call;
    return made;
  };
  const whole = button("Show all", "Show all of the figure", () => showAll(plot));
  whole.hidden = true;
  plot.zoomed = () => {
    whole.hidden = !plot.view.x && !plot.view.y;
  };
  plot.tools.append(
    whole,
    button("CSV", "Save the numbers as CSV", () => save(`${plot.spec.file}.csv`, "text/csv", csvOf(plot))),
    button("SVG", "Save the figure as SVG", () => save(`${plot.spec.file}.svg`, "image/svg+xml", svgText(plot))),
    button("PNG", "Save the figure as PNG", () => savePicture(plot)),
  );
  if (plot.spec.thinned) {
    const where = page.source ? ` All of them are in ${page.source}.` : "";
    plot.figure.append(element("p", { class: "thinned" }, `Thinned for this page: of many samples the extremes are kept.${where}`));
  }
}

function save(name, type, content) {
  const link = element("a", { download: name, href: URL.createObjectURL(new Blob([content], { type })) });
  window.flexarm.saved.push({ name, type, content });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// The figure's numbers in SI units: a common column x where lines share it, else a pair of columns per line.
function csvOf(plot) {
  const { spec } = plot;
  const heading = (text, unit) => quoted(unit ? `${text} [${unit}]` : text);
  const columns = [];
  let shared = null;
  for (const s of plot.series) {
    const [first, ...others] = s.columns();
    if (first[1] !== shared) {
      const many = plot.series.some((each) => each.columns()[0][1] !== first[1]);
      columns.push([heading(many && shared !== null ? `${spec.x.label} of ${s.name}` : spec.x.label, spec.x.unit), first[1]]);
      shared = first[1];
    }
    for (const [part, values] of others) {
      const plain = part === "y" || part === "height";
      const along = s.kind === "bars" && part === "to";
      const across = s.kind === "heat" && part === "y";
      const unit = along ? spec.x.unit : s.kind === "heat" && !across ? s.unit : spec.y.unit;
      columns.push([heading(along ? `${spec.x.label} to` : across ? spec.y.label : plain || s.kind === "heat" ? s.name : `${s.name} ${part}`, unit), values]);
    }
    const names = s.labels.length ? s.labels : null;
    if (names) columns.push([heading(`label of ${s.name}`, ""), names.map(quoted)]);
  }
  const rows = Math.max(0, ...columns.map(([, values]) => values.length));
  const lines = [columns.map(([name]) => name).join(",")];
  for (let i = 0; i < rows; i++) lines.push(columns.map(([, values]) => cell(values[i])).join(","));
  return `${lines.join("\n")}\n`;
}

function cell(value) {
  if (value === undefined || Number.isNaN(value)) return "";
  return String(value);
}

function quoted(text) {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// Without the order of paint the halo of a rule's label would cover the label; without round caps dots would be nothing.
const KEPT_STYLES = [
  "fill", "fill-opacity", "font-size", "font-variant-numeric", "font-weight", "opacity", "paint-order", "stroke", "stroke-dasharray",
  "stroke-linecap", "stroke-linejoin", "stroke-opacity", "stroke-width",
];

// The figure as a drawing of its own: styles written into it, legend and title on it.
function svgText(plot) {
  const copy = plot.root.cloneNode(true);
  const originals = [plot.root, ...plot.root.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((node, k) => {
    const style = getComputedStyle(originals[k]);
    for (const name of KEPT_STYLES) {
      const value = style.getPropertyValue(name);
      if (value) node.style.setProperty(name, value);
    }
  });
  copy.querySelectorAll(".cursor, .hand, .where").forEach((node) => node.remove());
  const { width, height } = plot;
  const ink = getComputedStyle(document.body);
  const rows = plot.shownSeries();
  const above = 30 + 18 * rows.length;
  const drawing = svg("svg", { width, height: height + above, viewBox: `0 0 ${width} ${height + above}`, "font-family": "system-ui, sans-serif" });
  drawing.append(svg("rect", { width, height: height + above, fill: getComputedStyle(plot.figure).backgroundColor }));
  drawing.append(svg("text", { x: 8, y: 20, "font-size": 15, "font-weight": 600, fill: ink.color }, plot.title));
  rows.forEach((s, k) => {
    const sample = plot.legend.querySelectorAll("button")[plot.series.indexOf(s)].querySelector("svg > *");
    const mark = sample.cloneNode(true);
    const style = getComputedStyle(sample);
    for (const name of KEPT_STYLES) mark.style.setProperty(name, style.getPropertyValue(name));
    const y = 40 + 18 * k;
    drawing.append(svg("g", { transform: `translate(8 ${y - 6})` }, mark), svg("text", { x: 36, y: y + 4, "font-size": 12, fill: ink.color }, s.name));
  });
  copy.setAttribute("y", above);
  copy.removeAttribute("aria-hidden");
  drawing.append(copy);
  return new XMLSerializer().serializeToString(drawing);
}

// Twice as fine as the display.
function savePicture(plot) {
  const image = new Image();
  const text = svgText(plot);
  const [width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(text).slice(1).map(Number);
  image.onload = () => {
    const canvas = element("canvas", { width: 2 * width, height: 2 * height });
    canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
    canvas.toBlob((blob) => save(`${plot.spec.file}.png`, "image/png", blob));
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}

// Extremes and ends of every line, as a table.
function numbersTable(plot) {
  const at = `at ${plot.spec.x.label}`;
  const heads = ["", "least", at, "greatest", at, "last"];
  const head = element("tr", {}, ...heads.map((name, k) => element("th", { scope: "col", class: k ? "right" : "" }, name)));
  plot.numberRows = plot.series.map((s) => element("tr", {}, element("th", { scope: "row" }, s.name), ...numberCells(plot, s)));
  return element("div", { class: "scroll" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...plot.numberRows)));
}

// Lines that follow the clock have other extremes at every time.
function followInNumbers(plot) {
  plot.series.forEach((s, k) => {
    if (s.kind !== "moving") return;
    const row = plot.numberRows[k];
    row.replaceChildren(row.firstChild, ...numberCells(plot, s));
  });
}

// Where a line is least and greatest, and its end; a band is least on its lower edge and greatest on its upper one.
function numberCells(plot, s) {
  const lows = s.low ?? s.heights ?? s.y;
  const highs = s.high ?? lows;
  const text = (value) => plot.valueText(s, value);
  const [low, high] = [placeOf(lows, (a, b) => a < b), placeOf(highs, (a, b) => a > b)];
  const end = lows.length - 1;
  const last = end < 0 || !Number.isFinite(highs[end]) ? "–" : highs === lows ? text(lows[end]) : `${text(lows[end])} … ${text(highs[end])}`;
  const cells = low < 0 || high < 0 ? ["–", "–", "–", "–", last] : [text(lows[low]), whereText(plot, s, low), text(highs[high]), whereText(plot, s, high), last];
  return cells.map((value) => element("td", { class: "right" }, value));
}

// The index of the finite value before which no other comes, -1 if there is none.
function placeOf(values, before) {
  let found = -1;
  values.forEach((value, k) => {
    if (Number.isFinite(value) && (found < 0 || before(value, values[found]))) found = k;
  });
  return found;
}

// Where along x the sample of that index stands: a histogram's bar from edge to edge.
function whereText(plot, s, k) {
  if (s.kind === "heat") return `${plot.placeText(s.x[k])}, ${withUnit(digits(s.y[k] / plot.spec.y.factor, 4), plot.spec.y.shown)}`;
  if (s.kind !== "bars") return plot.placeText(s.x[k]);
  if (s.labels.length) return s.labels[k];
  const { factor, shown } = plot.spec.x;
  return withUnit(`${digits(s.edges[k] / factor, 4)} … ${digits(s.edges[k + 1] / factor, 4)}`, shown);
}
