// Arrays out of base64, and numbers as an engineer writes them.

const KINDS = { f8: Float64Array, f4: Float32Array, u2: Uint16Array };
const page = JSON.parse(document.getElementById("data").textContent);

// The array of that number, decoded when first asked for.
function arrayOf(number) {
  const packed = page.arrays[number];
  if (!packed.values) {
    const text = atob(packed.data);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    packed.values = new KINDS[packed.kind](bytes.buffer);
    packed.data = "";
  }
  return packed.values;
}

// The number with so many significant digits; a power of ten only where it is very small or very large.
function digits(value, significant = 4) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const exponent = Number(value.toExponential(significant - 1).split("e")[1]);
  if (exponent >= -4 && exponent < 7) return value.toFixed(Math.max(significant - 1 - exponent, 0)).replace("-", "−");
  const [mantissa, power] = value.toExponential(significant - 1).split("e");
  return `${mantissa.replace("-", "−")}×10${superscript(Number(power))}`;
}

function superscript(whole) {
  return String(whole).replace(/[-0-9]/g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)]));
}

// A number with its unit, closed up where the unit is a degree sign.
function withUnit(text, unit) {
  return unit === "" ? text : unit === "°" ? `${text}°` : `${text} ${unit}`;
}

// How wide a text is in a figure, in pixels: fonts differ, so it is measured.
const widths = new Map();
let ruler = null;
function textWidth(text) {
  if (!ruler) {
    ruler = document.createElement("canvas").getContext("2d");
    ruler.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  }
  if (!widths.has(text)) widths.set(text, ruler.measureText(text).width);
  return widths.get(text);
}

// The index of the last entry of a rising array that is ≤ value, at least 0.
function indexBelow(values, value) {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

// The line's value at x, straight between samples; NaN outside or in a gap.
function valueAt(xs, ys, x) {
  const n = xs.length;
  if (n === 0 || x < xs[0] || x > xs[n - 1]) return NaN;
  const i = indexBelow(xs, x);
  if (i >= n - 1 || xs[i] === x) return ys[i];
  const part = (x - xs[i]) / (xs[i + 1] - xs[i]);
  return ys[i] + part * (ys[i + 1] - ys[i]);
}

function rising(values) {
  for (let i = 1; i < values.length; i++) if (values[i] < values[i - 1]) return false;
  return true;
}

// An element with attributes and children; text children are plain text.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick" || name === "oninput" || name === "onchange") made[name] = value;
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
